/** Connections to the apps' servers: pools, queues, health checks. */
@NullMarked
package dev.gatehouse.gateway.netty.upstream;

import org.jspecify.annotations.NullMarked;

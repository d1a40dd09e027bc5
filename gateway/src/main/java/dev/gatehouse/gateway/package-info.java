/**
 * The gateway: an authorizing reverse proxy on Netty, and the launcher of the whole node.
 */
@NullMarked
package dev.gatehouse.gateway;

import org.jspecify.annotations.NullMarked;

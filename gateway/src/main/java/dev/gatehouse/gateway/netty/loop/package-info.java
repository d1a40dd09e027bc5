/** Event loops, the memory of their buffers, and the deadlines of their connections. */
@NullMarked
package dev.gatehouse.gateway.netty.loop;

import org.jspecify.annotations.NullMarked;

/** Heads and bodies of HTTP/1.1 messages on a connection, and the response heads of both versions. */
@NullMarked
package dev.gatehouse.gateway.netty.codec;

import org.jspecify.annotations.NullMarked;

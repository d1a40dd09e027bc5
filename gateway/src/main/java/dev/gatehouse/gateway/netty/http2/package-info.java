/** Clients' connections with HTTP/2 (RFC 9113). */
@NullMarked
package dev.gatehouse.gateway.netty.http2;

import org.jspecify.annotations.NullMarked;

/** Clients' connections with HTTP/1.1 (RFC 9112). */
@NullMarked
package dev.gatehouse.gateway.netty.http1;

import org.jspecify.annotations.NullMarked;

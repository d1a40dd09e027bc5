/**
 * Sign-on contracts that the gateway itself sees to: HTTP Basic (RFC 7617) with the memory of passwords that the directory has
 * accepted. Knows nothing of sockets.
 */
@NullMarked
package dev.gatehouse.gateway.signon;

import org.jspecify.annotations.NullMarked;

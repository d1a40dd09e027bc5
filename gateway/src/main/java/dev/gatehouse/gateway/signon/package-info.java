/**
 * Sign-on contracts that the gateway carries out itself: HTTP Basic (RFC 7617), with a cache of passwords that the
 * directory has accepted, and client certificates. Independent of sockets.
 */
@NullMarked
package dev.gatehouse.gateway.signon;

import org.jspecify.annotations.NullMarked;

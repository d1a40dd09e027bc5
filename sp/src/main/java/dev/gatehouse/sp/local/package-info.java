/**
 * Sign-on that the gateway does itself, at the realm's own directory: by name and password (RFC 7617) or by the client
 * certificate of a TLS connection. What comes of it is an AppSession like any other, of which this service provider is the
 * identity provider.
 */
@NullMarked
package dev.gatehouse.sp.local;

import org.jspecify.annotations.NullMarked;

/**
 * Sign-on that the gateway performs itself, against the realm's own directory: by name and password (RFC 7617), or by
 * the client certificate of a TLS connection. It opens an ordinary AppSession whose identity provider is this service
 * provider.
 */
@NullMarked
package dev.gatehouse.sp.local;

import org.jspecify.annotations.NullMarked;

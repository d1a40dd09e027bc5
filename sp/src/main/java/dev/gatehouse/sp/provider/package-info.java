/**
 * OpenID providers as far as others know them: their metadata (OpenID Connect Discovery 1.0, section 3; RFC 8414), their keys
 * (RFC 7517), and calls to their endpoints as their client (OpenID Connect Core 9). For the relying party, and for access tokens
 * at the gateway. Uses common alone.
 */
@NullMarked
package dev.gatehouse.sp.provider;

import org.jspecify.annotations.NullMarked;

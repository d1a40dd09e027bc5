/**
 * OpenID providers as their clients and resource servers see them: their metadata (OpenID Connect Discovery 1.0,
 * section 3; RFC 8414), their keys (RFC 7517), and calls to their endpoints as their client (OpenID Connect Core 9).
 * Used by the relying party, and by the gateway for access tokens. Uses common only.
 */
@NullMarked
package dev.gatehouse.sp.provider;

import org.jspecify.annotations.NullMarked;

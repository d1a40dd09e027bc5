/**
 * Access tokens on API routes: how they are presented (RFC 6750, RFC 9449, section 7), how they are verified (RFC 9068,
 * section 4; RFC 7662; RFC 8725), and how a request without a valid token is answered (RFC 6750, section 3; RFC 9470).
 * The only network access is to the realm's providers.
 */
@NullMarked
package dev.gatehouse.gateway.bearer;

import org.jspecify.annotations.NullMarked;

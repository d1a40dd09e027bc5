/**
 * Access tokens on API routes: how they are presented (RFC 6750, RFC 9449, section 7), what they must be like (RFC 9068, section 4;
 * RFC 7662; RFC 8725), and what a caller is told who has none that counts (RFC 6750, section 3; RFC 9470). Knows no network but the
 * sp's providers.
 */
@NullMarked
package dev.gatehouse.gateway.bearer;

import org.jspecify.annotations.NullMarked;

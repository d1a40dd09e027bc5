/**
 * The relying party: people log in at OpenID providers by authorization code with PKCE (OpenID Connect Core 3.1, RFC 7636, RFC
 * 9126, RFC 9207), and logout goes both ways (OpenID Connect RP-Initiated Logout 1.0, Back-Channel Logout 1.0, Front-Channel Logout
 * 1.0). What comes of a login is the same AppSession that SAML makes.
 *
 * <p>Uses common and {@code provider}, {@code idtoken}, {@code login}, {@code logout}, {@code session} of this module.
 */
@NullMarked
package dev.gatehouse.sp.oidc;

import org.jspecify.annotations.NullMarked;

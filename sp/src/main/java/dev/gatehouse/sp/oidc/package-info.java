/**
 * The relying party. People log in at OpenID providers with the authorization code flow and PKCE (OpenID Connect Core
 * 3.1, RFC 7636, RFC 9126, RFC 9207); logout works in both directions (OpenID Connect RP-Initiated Logout 1.0,
 * Back-Channel Logout 1.0, Front-Channel Logout 1.0). A login opens the same kind of AppSession as SAML does.
 *
 * <p>Uses common and {@code provider}, {@code idtoken}, {@code login}, {@code logout}, {@code session} of this module.
 */
@NullMarked
package dev.gatehouse.sp.oidc;

import org.jspecify.annotations.NullMarked;

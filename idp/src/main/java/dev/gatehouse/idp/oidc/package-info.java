/**
 * The OpenID provider: keys, ID tokens and subjects (OpenID Connect Core 2, 8), UserInfo (5.3), discovery (OpenID Connect Discovery
 * 1.0, RFC 8414), logout that clients ask for and hear of (RP-Initiated, Front-Channel and Back-Channel Logout 1.0), session
 * management (Session Management 1.0).
 *
 * <p>May use {@code idp.oauth} and what is below it, {@code idp.authn}, and of {@code idp.saml.slo}, which tells every participant
 * of a session whatever its protocol, the parts for clients.
 */
@NullMarked
package dev.gatehouse.idp.oidc;

import org.jspecify.annotations.NullMarked;

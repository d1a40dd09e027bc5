/**
 * The OpenID provider: keys, ID tokens and subjects (OpenID Connect Core 2, 8), discovery (OpenID
 * Connect Discovery 1.0, RFC 8414), logout requested by clients and notifications to them (RP-Initiated, Front-Channel
 * and Back-Channel Logout 1.0), session management (Session Management 1.0).
 *
 * <p>May use {@code idp.oauth} and the packages below it, {@code idp.authn}, and the parts for clients of
 * {@code idp.saml.slo}, which notifies all participants of a session, whatever their protocol.
 */
@NullMarked
package dev.gatehouse.idp.oidc;

import org.jspecify.annotations.NullMarked;

/**
 * The authorization endpoint (RFC 6749, section 3.1; OpenID Connect Core 3; RFC 7636; RFC 8707; RFC 9207; OAuth 2.0
 * Multiple Response Types; Form Post Response Mode), with pushed requests (RFC 9126) and step-up (RFC 9470).
 * {@code idp.authn} determines who is logged in and what a person must do to log in; {@code idp.consent} asks for
 * consent.
 *
 * <p>May use {@code idp.oauth} and the packages below it, {@code idp.oidc}, {@code idp.authn} and {@code idp.consent}.
 */
@NullMarked
package dev.gatehouse.idp.oauth.authorize;

import org.jspecify.annotations.NullMarked;

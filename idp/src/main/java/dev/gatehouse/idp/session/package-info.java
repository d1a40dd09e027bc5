/**
 * Sessions of people at the identity provider: how they logged in, which level that gives (SAML Authentication Context), whether it is
 * enough for a request, which browsers are known, and who is notified of a session's end. Uses {@code idp.endpoint} and {@code idp.totp}.
 */
@NullMarked
package dev.gatehouse.idp.session;

import org.jspecify.annotations.NullMarked;

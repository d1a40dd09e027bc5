/**
 * The start of a login: sending AuthnRequests and holding pending requests, which the browser carries sealed (SAML
 * Profiles 4.1.4.1), the detour of the realm's other origins over the home origin (nonce, ticket), and POSTs that were
 * interrupted by a login. Uses common, and session of this module.
 */
@NullMarked
package dev.gatehouse.sp.login;

import org.jspecify.annotations.NullMarked;

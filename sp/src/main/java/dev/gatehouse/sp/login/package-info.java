/**
 * How a person is sent to log in: AuthnRequest issue and pending requests, which the browser carries sealed (SAML Profiles 4.1.4.1),
 * the way over home from the realm's other origins (nonce, ticket), POSTs that met a login. Uses common, and session of
 * this module.
 */
@NullMarked
package dev.gatehouse.sp.login;

import org.jspecify.annotations.NullMarked;

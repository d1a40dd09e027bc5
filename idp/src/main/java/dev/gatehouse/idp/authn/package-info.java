/**
 * Who the person at the browser is: login contracts (password form, zero-page), change of an expired password,
 * IdpSession and its cookies, AuthnContext classes (SAML Authentication Context 3.4). Knows no protocol and no partner's
 * metadata; uses common and {@code idp.endpoint}.
 */
@NullMarked
package dev.gatehouse.idp.authn;

import org.jspecify.annotations.NullMarked;

/**
 * Authenticates the person at the browser: login contracts (password form, zero-page, HTTP Basic, certificate), second
 * steps, change of an expired password, IdpSession and its cookies, AuthnContext classes (SAML Authentication Context
 * 3.4). Independent of protocols and partners' metadata; uses common and {@code idp.endpoint}.
 */
@NullMarked
package dev.gatehouse.idp.authn;

import org.jspecify.annotations.NullMarked;

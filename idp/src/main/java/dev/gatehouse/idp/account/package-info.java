/**
 * The person's own pages: account data, sessions, second factors, passkeys, tokens, and the apps that know the person by a persistent
 * NameID. Uses {@code idp.authn}, and {@code idp.saml.slo} and {@code idp.saml.nameid} to notify apps of a logout or of
 * the termination of a NameID.
 */
@NullMarked
package dev.gatehouse.idp.account;

import org.jspecify.annotations.NullMarked;

/**
 * The person's own pages: who I am here, my sessions and ending them, and the apps that know me by a lasting name. Uses {@code
 * idp.authn}, and {@code idp.saml.slo} and {@code idp.saml.nameid} to tell apps of a logout or of the end of a name.
 */
@NullMarked
package dev.gatehouse.idp.account;

import org.jspecify.annotations.NullMarked;

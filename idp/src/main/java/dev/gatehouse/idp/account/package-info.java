/**
 * The person's own page: who I am here, my sessions, and ending them. Uses {@code idp.authn}, and {@code idp.saml.slo} to
 * tell apps of a logout.
 */
@NullMarked
package dev.gatehouse.idp.account;

import org.jspecify.annotations.NullMarked;

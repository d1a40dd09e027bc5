/**
 * The identity provider's SAML 2.0 code shared by its profiles. {@code sso}: Web Browser SSO; {@code slo}: Single
 * Logout; {@code metadata}: our own; {@code nameid}: NameIDs. Reads and writes messages only with {@code common.saml}.
 */
@NullMarked
package dev.gatehouse.idp.saml;

import org.jspecify.annotations.NullMarked;

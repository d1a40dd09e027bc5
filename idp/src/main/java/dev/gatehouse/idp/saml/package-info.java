/**
 * The identity provider's SAML 2.0: what its profiles share. {@code sso}: Web Browser SSO; {@code slo}: Single Logout; {@code
 * metadata}: our own; {@code nameid}: NameIDs. Reads and writes messages with {@code common.saml} only.
 */
@NullMarked
package dev.gatehouse.idp.saml;

import org.jspecify.annotations.NullMarked;

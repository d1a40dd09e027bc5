/**
 * Web Browser SSO (SAML Profiles 4.1): AuthnRequest by Redirect and POST, Response by POST, IdP-initiated sign-on. Each rule
 * for a request is a Check of its own. Uses {@code idp.authn} for who the person is.
 */
@NullMarked
package dev.gatehouse.idp.saml.sso;

import org.jspecify.annotations.NullMarked;

/**
 * Web Browser SSO (SAML Profiles 4.1): AuthnRequests by Redirect, POST and Artifact, Responses by POST and Artifact,
 * IdP-initiated sign-on. Each rule for a request is a separate Check. Uses {@code idp.authn} to authenticate the
 * person.
 */
@NullMarked
package dev.gatehouse.idp.saml.sso;

import org.jspecify.annotations.NullMarked;

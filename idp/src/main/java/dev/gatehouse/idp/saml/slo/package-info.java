/**
 * Single Logout (SAML Profiles 4.4) over the front channel: started by a service provider or here, reaching every
 * participant of the session, with one receipt page that says who was told. Sessions are found by Issuer, NameID and
 * SessionIndex, answers by InResponseTo; no cookie is needed. OpenID Connect clients of the session are participants like any: what
 * has to be known of them comes from {@link dev.gatehouse.idp.saml.slo.ClientParticipants}.
 */
@NullMarked
package dev.gatehouse.idp.saml.slo;

import org.jspecify.annotations.NullMarked;

/**
 * Single Logout (SAML Profiles 4.4) over the front channel, started by a service provider or here. It reaches every
 * participant of the session, and one receipt page shows which were notified. Sessions are found by Issuer, NameID and
 * SessionIndex, answers by InResponseTo; no cookie is needed. Only the browser of an ended session sees the page and
 * notifies the participants ({@link dev.gatehouse.idp.saml.slo.LogoutId}); for a message from elsewhere the servers do
 * it. OpenID Connect clients of the session are participants like any other;
 * {@link dev.gatehouse.idp.saml.slo.ClientParticipants} provides their data.
 */
@NullMarked
package dev.gatehouse.idp.saml.slo;

import org.jspecify.annotations.NullMarked;

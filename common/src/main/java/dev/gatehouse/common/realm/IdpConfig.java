package dev.gatehouse.common.realm;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * The realm's identity provider.
 *
 * @param publicUrl origin without path; the issuer and entity ID are it + {@code /realms/{realm}}
 * @param directLogin whether {@code POST /realms/{realm}/login/direct} (the zero-page contract) is available; off by default
 * @param unsolicited whether IdP-initiated sign-on ({@code /saml/init}) is available; on by default
 * @param session lifetime of an IdpSession
 * @param throttle limits on guessing
 * @param assertionLife from NotBefore to NotOnOrAfter; 5 minutes by default
 * @param contracts the ways to log in
 * @param artifactNodes origins for artifact resolution, by the index of the node that holds the artifact; only publicUrl if
 *     there is one node
 * @param oauth the idp as authorization server
 * @param signedRequests whether AuthnRequests must be signed, whatever a partner's metadata says
 */
public record IdpConfig(
    URI publicUrl,
    boolean directLogin,
    boolean unsolicited,
    SessionTimeouts session,
    ThrottleConfig throttle,
    Duration assertionLife,
    ContractsConfig contracts,
    List<URI> artifactNodes,
    OAuthConfig oauth,
    boolean signedRequests) {

  /** Returns the entity ID and issuer: {@code publicUrl/realms/{realm}}. */
  public String entityId(String realm) {
    return publicUrl + "/realms/" + realm;
  }
}

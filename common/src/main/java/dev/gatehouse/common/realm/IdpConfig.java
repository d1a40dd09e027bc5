package dev.gatehouse.common.realm;

import java.net.URI;
import java.time.Duration;

/**
 * The realm's identity provider.
 *
 * @param publicUrl origin without path; the issuer and entity ID are it + {@code /realms/{realm}}
 * @param directLogin whether {@code POST /realms/{realm}/login/direct} (the zero-page contract) answers; off by default
 * @param unsolicited whether IdP-initiated sign-on ({@code /saml/init}) answers; on by default
 * @param session how long an IdpSession lives
 * @param throttle limits on guessing
 * @param assertionLife from NotBefore to NotOnOrAfter; 5 minutes by default
 */
public record IdpConfig(
    URI publicUrl,
    boolean directLogin,
    boolean unsolicited,
    SessionLife session,
    ThrottleConfig throttle,
    Duration assertionLife) {

  /** The entity ID and issuer: {@code publicUrl/realms/{realm}}. */
  public String entityId(String realm) {
    return publicUrl + "/realms/" + realm;
  }
}

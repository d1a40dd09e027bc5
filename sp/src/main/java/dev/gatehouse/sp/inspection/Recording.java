package dev.gatehouse.sp.inspection;

import dev.gatehouse.sp.oidc.OpenIdAnswer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An answer as it came, with what is needed to check it again at any time: no cookie, no code and no key.
 *
 * @param startedAt the time of the AuthnRequest
 * @param receivedAt the time as which checks take the present time
 * @param response the parameter {@code SAMLResponse}: base64, with the signatures; empty for OpenID
 * @param decrypted the octets of encrypted elements, in base64, by the SHA-256 of their ciphertext
 * @param inspection what was found at that time
 * @param openId the answer of an OpenID provider
 */
record Recording(
    String realm,
    String identityProvider,
    String id,
    Instant startedAt,
    Instant receivedAt,
    String response,
    Map<String, String> decrypted,
    Optional<Inspection> inspection,
    Optional<OpenIdAnswer> openId) {

  /** Creates a recording of a Response. */
  static Recording of(TestLogin login, Instant receivedAt, String response) {
    return new Recording(
        login.realm(), login.identityProvider(), login.id(), login.startedAt(), receivedAt, response, Map.of(), Optional.empty(),
        Optional.empty());
  }

  /** Creates a recording of the answer of an OpenID provider. */
  static Recording of(TestLogin login, Instant receivedAt, OpenIdAnswer answer) {
    return new Recording(
        login.realm(), login.identityProvider(), login.id(), login.startedAt(), receivedAt, "", Map.of(), Optional.empty(),
        Optional.of(answer));
  }

  Recording with(ResponseInspector.Found found) {
    return new Recording(
        realm, identityProvider, id, startedAt, receivedAt, response, found.decrypted(), Optional.of(found.inspection()), openId);
  }

  Recording with(Inspection found) {
    return new Recording(
        realm, identityProvider, id, startedAt, receivedAt, response, decrypted, Optional.of(found), openId);
  }

  /** Contains personal data. */
  @Override
  public String toString() {
    return "recording of " + id;
  }
}

package dev.gatehouse.sp.inspection;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An answer as it came, with what is needed to check it again at any time: no cookie, no code and no key.
 *
 * @param startedAt the time of the AuthnRequest
 * @param receivedAt the time as which checks take the present time
 * @param response the parameter {@code SAMLResponse}: base64, with the signatures
 * @param decrypted the octets of encrypted elements, in base64, by the SHA-256 of their ciphertext
 * @param inspection what was found at that time
 */
record Recording(
    String realm,
    String identityProvider,
    String id,
    Instant startedAt,
    Instant receivedAt,
    String response,
    Map<String, String> decrypted,
    Optional<Inspection> inspection) {

  Recording with(ResponseInspector.Found found) {
    return new Recording(
        realm, identityProvider, id, startedAt, receivedAt, response, found.decrypted(), Optional.of(found.inspection()));
  }

  /** Contains personal data. */
  @Override
  public String toString() {
    return "recording of " + id;
  }
}

package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ContractsConfig.Passkeys;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/**
 * The realm as a relying party, at the origin of a request (WebAuthn, section 13.4.9).
 *
 * @param origin that the browser must have answered at: no other than that of the request
 */
public record PasskeyParty(String rpId, Origin origin) {

  /** Empty if the realm takes no passkeys, or not at this origin. */
  public static Optional<PasskeyParty> of(RealmRequest request) {
    Optional<Passkeys> config = request.idp().contracts().passkeys();
    Origin at = request.origin();
    return config
        .filter(c -> at.equals(Origin.of(request.idp().publicUrl())))
        .map(c -> new PasskeyParty(c.rpId(), at));
  }
}

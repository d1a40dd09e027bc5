package dev.gatehouse.idp.oauth.proof;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.Outcome;
import java.util.Optional;

/** Checks the proof in the header {@code DPoP} (RFC 9449, section 4.3). */
@FunctionalInterface
public interface DpopProofs {

  /**
   * The key that was proved; empty where there is no such header. Refused with {@code invalid_dpop_proof}.
   *
   * @param path of the endpoint below the realm, for {@code htu}
   * @param accessToken that it must be for, by {@code ath}, at a resource
   */
  Outcome<Optional<Confirmation.Dpop>> check(RealmRequest request, String path, Optional<String> accessToken);
}

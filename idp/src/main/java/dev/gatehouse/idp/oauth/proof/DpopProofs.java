package dev.gatehouse.idp.oauth.proof;

import dev.gatehouse.common.jose.Checked;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Checks the proof in the header {@code DPoP} of a request to one of our endpoints, as {@link dev.gatehouse.common.jose.DpopProofs}. */
public final class DpopProofs {

  private final dev.gatehouse.common.jose.DpopProofs proofs;

  public DpopProofs(ReplayCache replay, InstantSource clock) {
    this.proofs = new dev.gatehouse.common.jose.DpopProofs(replay, clock);
  }

  /**
   * The key that was proved; empty where there is no such header. Refused with {@code invalid_dpop_proof}.
   *
   * @param path of the endpoint below the realm, for {@code htu}: at our issuer's origin, or at the one that was asked
   * @param accessToken that it must be for, by {@code ath}, at a resource
   */
  public Outcome<Optional<Confirmation.Dpop>> check(RealmRequest request, String path, Optional<String> accessToken) {
    List<String> headers = request.http().headers().all("DPoP");
    if (headers.isEmpty()) {
      return Outcome.passed(Optional.empty());
    }
    List<String> addresses = List.of(request.location(path), request.origin() + request.here(path));
    var asked =
        new dev.gatehouse.common.jose.DpopProofs.Request(
            request.realm().name(), request.http().method(), addresses, accessToken);
    return switch (proofs.check(headers, asked)) {
      case Checked.Passed<String>(String thumbprint) -> Outcome.passed(Optional.of(new Confirmation.Dpop(thumbprint)));
      case Checked.Failed<String>(String problem) -> Outcome.refused(Code.INVALID_DPOP_PROOF, "DPoP: " + problem);
    };
  }

  /** {@code ath}: base64url of the SHA-256 of the token (section 4.2). */
  public static String hash(String accessToken) {
    return dev.gatehouse.common.jose.DpopProofs.hash(accessToken);
  }
}

package dev.gatehouse.idp.oauth.proof;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.DpopNonces;
import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.jose.DpopProofs.Demands;
import dev.gatehouse.common.jose.DpopProofs.Outcome.NonceWanted;
import dev.gatehouse.common.jose.DpopProofs.Outcome.Proved;
import dev.gatehouse.common.jose.DpopProofs.Outcome.Refused;
import dev.gatehouse.common.jose.DpopProofs.Proof;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Checks the proof in the header {@code DPoP} of a request to one of our endpoints, like
 * {@link DpopProofs}, with a nonce from us if the client's binding requires one.
 */
public final class DpopProofCheck {

  private final DpopProofs proofs;
  private final DpopNonces nonces;

  public DpopProofCheck(ReplayCache replay, SealingKey sealing, InstantSource clock) {
    this.nonces = new DpopNonces(sealing, clock);
    this.proofs = new DpopProofs(replay, nonces, clock);
  }

  /** As {@link #verify}, and marks the proof as used. */
  public Result<Optional<Confirmation.Dpop>, OAuthError> check(
      RealmRequest request, Client client, String path, Optional<String> accessToken) {
    return verify(request, client, path, accessToken)
        .then(this::use)
        .then(proof -> Result.accepted(proof.map(DpopProofCheck::key)));
  }

  /**
   * Returns the proof, not yet marked as used; empty if there is no such header. Refused with {@code invalid_dpop_proof},
   * or with {@code use_dpop_nonce} and a nonce.
   *
   * @param client the client whose key it should be
   * @param path of the endpoint below the realm, for {@code htu}: at our issuer's origin, or at the requested one
   * @param accessToken the token to which the proof must belong, by {@code ath}, at a resource
   */
  public Result<Optional<Proof>, OAuthError> verify(
      RealmRequest request, Client client, String path, Optional<String> accessToken) {
    List<String> headers = request.http().headers().all("DPoP");
    if (headers.isEmpty()) {
      return Result.accepted(Optional.empty());
    }
    List<String> addresses = List.of(request.location(path), request.origin() + request.here(path));
    var asked =
        new DpopProofs.Request(
            request.realm().name(), request.http().method(), addresses, accessToken, Demands.of(client.config()));
    return switch (proofs.verify(headers, asked)) {
      case Proved(Proof proof) -> Result.accepted(Optional.of(proof));
      case Refused refused -> refused(refused);
      case NonceWanted wanted ->
          new Result.Refused<>(
              OAuthError.nonceWanted("DPoP: " + NonceWanted.PROBLEM, nonces.current(request.realm().name())));
    };
  }

  /** Marks the proof, if there is one, as used. Refused with {@code invalid_dpop_proof} if it was used before. */
  public Result<Optional<Proof>, OAuthError> use(Optional<Proof> proof) {
    return proof.flatMap(proofs::use).map(DpopProofCheck::refused).orElseGet(() -> Result.accepted(proof));
  }

  private static Result<Optional<Proof>, OAuthError> refused(Refused why) {
    return OAuthError.refused(Code.INVALID_DPOP_PROOF, "DPoP: " + why.problem());
  }

  /** The key that is proved. */
  public static Confirmation.Dpop key(Proof proof) {
    return new Confirmation.Dpop(proof.thumbprint());
  }

  /** Adds the nonce for the client's next proof (section 8.2), if it needs one. */
  public EdgeReply offering(RealmRequest request, Client client, EdgeReply reply) {
    return Demands.of(client.config()).nonce() ? reply.with(OAuthError.NONCE, nonces.current(request.realm().name())) : reply;
  }
}

package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import java.util.Optional;

/**
 * Determines what tokens are bound to: the key of the client's proof (RFC 9449, section 5), otherwise its certificate
 * (RFC 8705, section 3).
 */
final class BindingCheck {

  private BindingCheck() {}

  /** Refused if the client's tokens must be bound and the request contains nothing to bind them to. */
  static Result<Optional<Confirmation>, OAuthError> check(AuthenticatedClient client, Optional<Confirmation.Dpop> proof) {
    Optional<Confirmation> byProof = proof.map(dpop -> dpop);
    Optional<Confirmation> byCertificate = client.certificate().map(certificate -> certificate);
    Binding binding = client.client().config().tokens().binding();
    return switch (binding) {
      case AS_USED -> Result.accepted(byProof.or(() -> byCertificate));
      case DPOP, DPOP_NONCE ->
          byProof.isPresent()
              ? Result.accepted(byProof)
              : OAuthError.refused(Code.INVALID_DPOP_PROOF, "Tokens of this client are bound by DPoP: a proof is missing");
      case CERTIFICATE ->
          byCertificate.isPresent()
              ? Result.accepted(byCertificate)
              : OAuthError.refused(Code.INVALID_REQUEST, "Tokens of this client are bound to its certificate: it is missing");
    };
  }

  /**
   * Checks whether a refresh may continue (RFC 9449, section 5; RFC 8705, section 4). A public client must prove the
   * same key as at the beginning. Other clients authenticate in another way and may have changed keys, but must still
   * prove one.
   */
  static Result<Optional<Confirmation>, OAuthError> keep(TokenRequest request, Optional<Confirmation> first) {
    Optional<Confirmation> now = request.confirmation();
    boolean fits =
        request.client().config().isPublic() ? now.equals(first) || first.isEmpty() : now.isPresent() || first.isEmpty();
    return fits
        ? Result.accepted(now)
        : OAuthError.refused(Code.INVALID_GRANT, "The refresh token is bound to a key that was not proved");
  }
}

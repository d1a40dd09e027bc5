package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.CertificateProofs;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.proof.DpopProofCheck;
import java.util.List;
import java.util.Optional;

/**
 * Reads the access token of a request to one of our resources (RFC 6750, section 2; RFC 9449, section 7.1), and checks
 * the proof of its binding. Never reads the query.
 */
public final class PresentedTokens {

  /**
   * A valid token from a caller that may use it.
   *
   * @param authorization empty for a client's own
   */
  public record Shown(AccessToken token, Optional<Authorization> authorization) {}

  private record Presented(boolean isDpop, String value) {}

  private final AccessTokens tokens;
  private final DpopProofCheck proofs;

  public PresentedTokens(AccessTokens tokens, DpopProofCheck proofs) {
    this.tokens = tokens;
    this.proofs = proofs;
  }

  /**
   * Finds the token. Refused with {@code invalid_token}, {@code invalid_dpop_proof}, {@code use_dpop_nonce}, or with
   * {@code invalid_request} if there is no token or more than one.
   */
  public Result<Shown, OAuthError> find(RealmRequest request, String path) {
    return presented(request)
        .then(
            presented ->
                tokens
                    .findValid(request, presented.value())
                    .map(valid -> proved(request, path, presented, valid))
                    .orElseGet(
                        () -> OAuthError.refused(Code.INVALID_TOKEN, "The token is unknown, has expired or was revoked")));
  }

  private static Result<Presented, OAuthError> presented(RealmRequest request) {
    List<String> fields = request.http().headers().all("Authorization");
    Optional<String> inForm = request.http().formParameters().one("access_token").filter(value -> !value.isEmpty());
    if (fields.size() + (inForm.isPresent() ? 1 : 0) > 1) {
      return OAuthError.refused(Code.INVALID_REQUEST, "There is more than one access token");
    }
    if (inForm.isPresent()) {
      return Result.accepted(new Presented(false, inForm.get()));
    }
    return fields.isEmpty()
        ? OAuthError.refused(Code.INVALID_REQUEST, "There is no access token")
        : scheme(fields.getFirst());
  }

  private static Result<Presented, OAuthError> scheme(String field) {
    int space = field.indexOf(' ');
    String scheme = space < 0 ? field : field.substring(0, space);
    String value = space < 0 ? "" : field.substring(space + 1).strip();
    if (scheme.equalsIgnoreCase("Bearer")) {
      return Result.accepted(new Presented(false, value));
    }
    return scheme.equalsIgnoreCase("DPoP")
        ? Result.accepted(new Presented(true, value))
        : OAuthError.refused(Code.INVALID_REQUEST, "The access token must be sent as Bearer or DPoP");
  }

  /** A bound token is useless without the proof of its key. */
  private Result<Shown, OAuthError> proved(
      RealmRequest request, String path, Presented presented, AccessTokens.ValidToken valid) {
    Shown shown = new Shown(valid.token(), valid.authorization());
    Optional<Confirmation> binding = valid.token().confirmation();
    if (presented.isDpop() && binding.filter(Confirmation.Dpop.class::isInstance).isEmpty()) {
      return OAuthError.refused(Code.INVALID_TOKEN, "The token is not bound by DPoP");
    }
    if (binding.isEmpty()) {
      return Result.accepted(shown);
    }
    return switch (binding.get()) {
      case Confirmation.Dpop key ->
          presented.isDpop()
              ? byProof(request, valid.client(), path, presented.value(), key).then(proof -> Result.accepted(shown))
              : OAuthError.refused(Code.INVALID_TOKEN, "The token is bound by DPoP and was sent as Bearer");
      case Confirmation.Certificate certificate ->
          isShown(request, certificate)
              ? Result.accepted(shown)
              : OAuthError.refused(Code.INVALID_TOKEN, "The token is bound to a certificate that was not presented");
    };
  }

  private static boolean isShown(RealmRequest request, Confirmation.Certificate certificate) {
    return request.certificates().stream()
        .limit(1)
        .anyMatch(own -> CertificateProofs.thumbprint(own).equals(certificate.thumbprint()));
  }

  private Result<Confirmation.Dpop, OAuthError> byProof(
      RealmRequest request, Client client, String path, String accessToken, Confirmation.Dpop key) {
    return proofs
        .check(request, client, path, Optional.of(accessToken))
        .then(
            proof ->
                proof.filter(key::equals).isPresent()
                    ? Result.accepted(key)
                    : OAuthError.refused(Code.INVALID_TOKEN, "The token is bound to a key that was not proved"));
  }
}

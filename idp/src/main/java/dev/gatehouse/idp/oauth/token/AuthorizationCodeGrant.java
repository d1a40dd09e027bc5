package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * The authorization code grant (RFC 6749, section 4.1.3) with PKCE. The code is taken first: even if the request has
 * another error, the code is used up. A code that is presented twice ends its authorization (4.1.2).
 */
final class AuthorizationCodeGrant implements Grant {

  /** The longest time that a request may take from its code to its tokens. */
  private static final Duration IN_PROGRESS = Duration.ofMinutes(10);

  private final Codes codes;
  private final Authorizations authorizations;
  private final Revocations revocations;
  private final InstantSource clock;

  AuthorizationCodeGrant(Codes codes, Authorizations authorizations, Revocations revocations, InstantSource clock) {
    this.codes = codes;
    this.authorizations = authorizations;
    this.revocations = revocations;
    this.clock = clock;
  }

  /** The request of RFC 6749, section 4.1.3, with RFC 7636, section 4.5. */
  private record CodeRequest(String code, Optional<String> redirectUri, Optional<String> verifier) {

    static Result<CodeRequest, OAuthError> read(TokenForm form) {
      return form.required("code")
          .then(
              code ->
                  CodeVerifierCheck.syntax(form.value("code_verifier"))
                      .then(verifier -> Result.accepted(new CodeRequest(code, form.value("redirect_uri"), verifier))));
    }
  }

  @Override
  public String name() {
    return "authorization_code";
  }

  @Override
  public Set<GrantType> uses() {
    return Set.of(GrantType.CODE, GrantType.HYBRID);
  }

  @Override
  public Result<GrantResult, OAuthError> grant(TokenRequest request) {
    return CodeRequest.read(request.form())
        .then(
            sent ->
                switch (codes.take(sent.code())) {
                  case TakeResult.Absent<IssuedCode>() ->
                      OAuthError.refused(Code.INVALID_GRANT, "The code is unknown or has expired");
                  case TakeResult.Replayed<IssuedCode>(var takenAt) -> replayed(request, sent.code());
                  case TakeResult.First<IssuedCode>(var issued) -> first(request, sent, issued);
                });
  }

  /**
   * The mark is written before the authorization ends: the first use may still be running, and it checks the mark at
   * its end.
   */
  private Result<GrantResult, OAuthError> replayed(TokenRequest request, String code) {
    Codes.authorization(code)
        .ifPresent(
            id -> {
              revocations.revoke(mark(id), clock.instant().plus(IN_PROGRESS));
              authorizations.end(
                  request.request().context(), request.request().realm().name(), id, Authorizations.End.REPLAYED);
            });
    return OAuthError.refused(Code.INVALID_GRANT, "The code was used before: what it gave is revoked");
  }

  /** Returns whether the code was presented again while its tokens were created. */
  static boolean wasReplayed(Revocations revocations, SessionId authorization) {
    return revocations.isRevoked(mark(authorization));
  }

  private static String mark(SessionId authorization) {
    return "code " + authorization.value();
  }

  private Result<GrantResult, OAuthError> first(TokenRequest request, CodeRequest sent, IssuedCode issued) {
    Client client = request.client();
    Authorization authorization = issued.authorization();
    if (!authorization.realm().equals(request.request().realm().name())) {
      return OAuthError.refused(Code.INVALID_GRANT, "The code is unknown or has expired");
    }
    if (!authorization.clientId().equals(client.id())) {
      return OAuthError.refused(Code.INVALID_GRANT, "The code is another client's");
    }
    if (!issued.redirectUri().equals(sent.redirectUri())) {
      return OAuthError.refused(Code.INVALID_GRANT, "The redirect_uri is not that of the authorization request");
    }
    Optional<Confirmation> wanted = issued.dpopThumbprint().map(Confirmation.Dpop::new);
    if (wanted.isPresent() && !wanted.equals(request.confirmation())) {
      return OAuthError.refused(Code.INVALID_GRANT, "The code is bound to another DPoP key");
    }
    boolean needsPkce = client.config().isPublic() || client.config().requests().pkce();
    return CodeVerifierCheck.check(issued.codeChallenge(), sent.verifier(), needsPkce)
        .then(right -> RevalidatedGrant.of(authorizations, request, authorization));
  }
}

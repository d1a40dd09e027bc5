package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oidc.IdTokens;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Issues the tokens for a grant's result, and writes the answer (RFC 6749, section 5.1; OpenID Connect Core 3.1.3.3).
 * The authorization is stored in the last step: if an earlier step fails, none of its tokens is ever valid. That of a
 * device has been stored since the person agreed; if a step fails, nobody gets its tokens, and it ends with the device
 * code.
 */
final class TokenIssue {

  private final AccessTokenIssuer accessTokens;
  private final IdTokens idTokens;
  private final Authorizations authorizations;
  private final RefreshRotation rotation;
  private final Revocations revocations;
  private final AuditLog audit;
  private final InstantSource clock;

  TokenIssue(
      AccessTokenIssuer accessTokens,
      IdTokens idTokens,
      Authorizations authorizations,
      RefreshRotation rotation,
      Revocations revocations,
      AuditLog audit,
      InstantSource clock) {
    this.accessTokens = accessTokens;
    this.idTokens = idTokens;
    this.authorizations = authorizations;
    this.rotation = rotation;
    this.revocations = revocations;
    this.audit = audit;
    this.clock = clock;
  }

  /** Issues the tokens. Refused if a token cannot be made for the client. */
  Result<EdgeReply, OAuthError> issue(TokenRequest request, Grant grant, GrantResult granted) {
    return switch (granted) {
      case GrantResult.ToClient own -> toClient(request, grant, own);
      case GrantResult.Fresh fresh -> fresh(request, grant, fresh);
      case GrantResult.Again again -> again(request, grant, again);
    };
  }

  private Result<EdgeReply, OAuthError> toClient(TokenRequest request, Grant grant, GrantResult.ToClient own) {
    AccessTokenIssuer.Issued issued =
        accessTokens.issueToClient(
            request.request(), request.client(), own.scopes(), own.resources(), request.confirmation());
    audit(request, grant, issued.token());
    return Result.accepted(reply(answer(issued)));
  }

  private Result<EdgeReply, OAuthError> again(TokenRequest request, Grant grant, GrantResult.Again again) {
    AccessTokenIssuer.Issued issued =
        accessTokens.issue(
            request.request(), request.client(), again.authorization(), again.scopes(), again.resources(),
            request.confirmation());
    audit(request, grant, issued.token());
    return Result.accepted(reply(answer(issued).text("refresh_token", again.refreshToken())));
  }

  private Result<EdgeReply, OAuthError> fresh(TokenRequest request, Grant grant, GrantResult.Fresh fresh) {
    RealmRequest realmRequest = request.request();
    Client client = request.client();
    Authorization agreed = fresh.authorization();
    Optional<RefreshRotation.Made> refresh =
        client.may(GrantType.REFRESH)
            ? Optional.of(rotation.first(agreed.realm(), agreed.id()))
            : Optional.empty();
    Authorization real =
        agreed.issued(
            request.confirmation(),
            refresh.map(RefreshRotation.Made::kept),
            clock.instant(),
            rotation.end(realmRequest, client, refresh.isPresent()));
    AccessTokenIssuer.Issued issued =
        accessTokens.issue(
            realmRequest, client, real, fresh.scopes(), fresh.resources(), request.confirmation());
    return idToken(request, agreed, fresh, issued)
        .then(
            idToken -> {
              audit(request, grant, issued.token());
              if (!begin(realmRequest, real, fresh.begun())) {
                return OAuthError.refused(Code.INVALID_GRANT, "The authorization has ended");
              }
              JsonText json = answer(issued);
              refresh.ifPresent(made -> json.text("refresh_token", made.token()));
              idToken.ifPresent(jwt -> json.text("id_token", jwt));
              return Result.accepted(reply(json));
            });
  }

  /** Returns false if it has begun before, and has ended meanwhile. */
  private boolean begin(RealmRequest request, Authorization real, boolean begun) {
    if (begun) {
      return authorizations.update(real.id(), stored -> real).isPresent();
    }
    authorizations.begin(real);
    if (AuthorizationCodeGrant.wasReplayed(revocations, real.id())) {
      authorizations.end(request.context(), real.realm(), real.id(), Authorizations.End.REPLAYED);
    }
    return true;
  }

  /**
   * Issues an ID token if the granted scopes include {@code openid}. A refresh issues none (OpenID Connect Core 12.2).
   */
  private Result<Optional<String>, OAuthError> idToken(
      TokenRequest request, Authorization agreed, GrantResult.Fresh fresh, AccessTokenIssuer.Issued issued) {
    if (!fresh.scopes().contains("openid")) {
      return Result.accepted(Optional.empty());
    }
    IdTokens.About about =
        new IdTokens.About(Optional.of(issued.value()), Optional.empty(), agreed.grant().nonce(), false);
    return idTokens
        .issue(request.request(), request.client(), agreed, about)
        .then(idToken -> Result.accepted(Optional.of(idToken)));
  }

  private void audit(TokenRequest request, Grant grant, AccessToken token) {
    audit.record(
        new AuditEvent.TokensIssued(
            request.request().context(),
            token.clientId(),
            grant.name(),
            token.person().map(PersonId::value).orElse("-"),
            token.id(),
            AccessTokenClaims.scope(token.scopes())));
  }

  private JsonText answer(AccessTokenIssuer.Issued issued) {
    AccessToken token = issued.token();
    JsonText json =
        new JsonText()
            .text("access_token", issued.value())
            .text("token_type", type(token))
            .number("expires_in", token.validity().expiresAt().getEpochSecond() - clock.instant().getEpochSecond());
    return token.scopes().isEmpty() ? json : json.text("scope", AccessTokenClaims.scope(token.scopes()));
  }

  /**
   * RFC 9449, section 5: a token bound by DPoP has its own type; one bound to a certificate has the same type as an
   * unbound one.
   */
  static String type(AccessToken token) {
    return token.confirmation().filter(Confirmation.Dpop.class::isInstance).isPresent() ? "DPoP" : "Bearer";
  }

  private static EdgeReply reply(JsonText json) {
    return OAuthReplies.json(200, json.toBytes());
  }
}

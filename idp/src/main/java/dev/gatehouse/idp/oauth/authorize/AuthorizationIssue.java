package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.AuthenticationMethods;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.token.AccessTokenIssuer;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.Codes;
import dev.gatehouse.idp.oauth.token.IssuedCode;
import dev.gatehouse.idp.oidc.IdTokens;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.IdpSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Creates the content of an authorization response: a code with its stored authorization, and, for older clients
 * (OpenID Connect Core 3.2.2.5 and 3.3.2.5), tokens with a separate authorization.
 */
final class AuthorizationIssue {

  private static final Duration FAPI_CODE_LIFE = Duration.ofSeconds(60);

  private final Codes codes;
  private final Authorizations authorizations;
  private final AccessTokenIssuer accessTokens;
  private final IdTokens idTokens;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  AuthorizationIssue(
      Codes codes,
      Authorizations authorizations,
      AccessTokenIssuer accessTokens,
      IdTokens idTokens,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.codes = codes;
    this.authorizations = authorizations;
    this.accessTokens = accessTokens;
    this.idTokens = idTokens;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /** The parameters of the response, without state and issuer. */
  Result<Map<String, String>, OAuthError> issue(
      RealmRequest request,
      AuthorizationRequest asked,
      Client client,
      IdpSession session,
      AuthnDecision.Satisfied login) {
    Map<String, String> parameters = new LinkedHashMap<>();
    Optional<String> code =
        asked.types().contains(ResponseType.CODE)
            ? Optional.of(code(request, asked, client, authorization(request, asked, client, session, login, asked.wanted().scopes())))
            : Optional.empty();
    code.ifPresent(value -> parameters.put("code", value));
    if (asked.types().size() == 1 && code.isPresent()) {
      return Result.accepted(parameters);
    }
    Authorization front = authorization(request, asked, client, session, login, Scopes.ofSession(asked.wanted().scopes()));
    Optional<String> token =
        asked.types().contains(ResponseType.TOKEN)
            ? Optional.of(token(request, asked, client, front, parameters))
            : Optional.empty();
    if (!asked.types().contains(ResponseType.ID_TOKEN)) {
      return Result.accepted(parameters);
    }
    IdTokens.About about = new IdTokens.About(token, code, asked.wanted().nonce(), token.isEmpty() && code.isEmpty());
    return idTokens
        .issue(request, client, front, about)
        .then(
            idToken -> {
              parameters.put("id_token", idToken);
              return Result.accepted(parameters);
            });
  }

  private String code(
      RealmRequest request, AuthorizationRequest asked, Client client, Authorization authorization) {
    granted(request, authorization, "code");
    return codes.issue(
        new IssuedCode(
            authorization,
            Optional.of(asked.reply().redirectUri()).filter(uri -> asked.reply().named()),
            asked.binding().codeChallenge(),
            asked.binding().dpopThumbprint()),
        codeLife(request, client));
  }

  /** FAPI 2.0 Security Profile 5.3.2.2: 60 seconds at most. */
  private static Duration codeLife(RealmRequest request, Client client) {
    Duration life = request.idp().oauth().codeLife();
    return client.config().followsFapi2() && life.compareTo(FAPI_CODE_LIFE) > 0 ? FAPI_CODE_LIFE : life;
  }

  private String token(
      RealmRequest request,
      AuthorizationRequest asked,
      Client client,
      Authorization front,
      Map<String, String> parameters) {
    granted(request, front, "token");
    authorizations.begin(front);
    AccessTokenIssuer.Issued issued =
        accessTokens.issue(request, client, front, front.grant().scopes(), asked.wanted().resources(), Optional.empty());
    Duration life = Duration.between(clock.instant(), issued.token().validity().expiresAt());
    parameters.put("access_token", issued.value());
    parameters.put("token_type", "Bearer");
    parameters.put("expires_in", Long.toString(life.toSeconds()));
    Set<String> scopes = Scopes.ofSession(asked.wanted().scopes());
    if (!scopes.isEmpty()) {
      parameters.put("scope", String.join(" ", scopes));
    }
    return issued.value();
  }

  /** Recorded before anything is sent. */
  private void granted(RealmRequest request, Authorization authorization, String how) {
    audit.record(
        new AuditEvent.AuthorizationGranted(
            request.context(),
            authorization.person().value(),
            authorization.clientId(),
            authorization.id().value(),
            String.join(" ", new TreeSet<>(authorization.grant().scopes())),
            how));
  }

  private Authorization authorization(
      RealmRequest request,
      AuthorizationRequest asked,
      Client client,
      IdpSession session,
      AuthnDecision.Satisfied login,
      Set<String> scopes) {
    Instant now = clock.instant();
    SessionId id = SessionToken.create(random).id();
    return new Authorization(
        id,
        asked.realm(),
        client.id(),
        Optional.of(session.first()),
        new Authorization.Grant(
            scopes,
            asked.wanted().resources(),
            asked.wanted().claims().map(ClaimsParameter::json),
            asked.wanted().nonce()),
        new Authorization.Authn(
            login.at(), asked.authentication().acr().answer(login.classRef()), AuthenticationMethods.of(login.by())),
        session.snapshot(),
        Authorization.Tokens.NONE,
        now,
        now.plus(client.config().tokens().accessTokenLife().orElse(request.idp().oauth().accessTokenLife())));
  }
}

package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oidc.ClaimPlace;
import dev.gatehouse.idp.oidc.ClaimsRequest;
import dev.gatehouse.idp.oidc.PersonClaims;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The claims of an access token that is a JWT (RFC 9068, section 2.2). Introspection returns the same claims (RFC 7662,
 * section 2.2).
 */
final class AccessTokenClaims {

  static final String TYPE = "at+jwt";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private AccessTokenClaims() {}

  /** Writes the claims into an object that was begun. */
  static JsonText write(
      JsonText json, RealmRequest request, AccessToken token, Optional<Authorization> authorization) {
    write(json, request.entityId(), token);
    authorization.ifPresent(granted -> write(json, request.idp().oauth(), token, granted));
    return json;
  }

  /** Writes the claims that contain no personal data except the subject. */
  static JsonText write(JsonText json, String issuer, AccessToken token) {
    json.text("iss", issuer)
        .text("sub", token.subject())
        .oneOrMore("aud", token.audience())
        .text("client_id", token.clientId())
        .number("iat", token.validity().issuedAt().getEpochSecond())
        .number("exp", token.validity().expiresAt().getEpochSecond())
        .text("jti", token.id());
    if (!token.scopes().isEmpty()) {
      json.text("scope", scope(token.scopes()));
    }
    token.confirmation().ifPresent(confirmation -> write(json, confirmation));
    return json;
  }

  /**
   * Writes the claims of RFC 9068, section 2.2.1, and the claims for authorization decisions (2.2.2, 2.2.3.1), as far
   * as the scopes allow.
   */
  private static void write(JsonText json, OAuthConfig config, AccessToken token, Authorization authorization) {
    json.number("auth_time", authorization.authn().time().getEpochSecond()).text("acr", authorization.authn().acr());
    Set<String> names = ClaimPlace.ACCESS_TOKEN.names(config, token.scopes(), ClaimsRequest.NONE);
    PersonClaims.of(config, authorization.snapshot().details(), names)
        .forEach(
            (name, value) -> {
              switch (value) {
                case List<?> several -> json.texts(name, several.stream().map(Object::toString).toList());
                default -> json.text(name, value.toString());
              }
            });
  }

  private static void write(JsonText json, Confirmation confirmation) {
    switch (confirmation) {
      case Confirmation.Dpop(String thumbprint) -> json.object("cnf", "jkt", thumbprint);
      case Confirmation.Certificate(String thumbprint) -> json.object("cnf", "x5t#S256", thumbprint);
    }
  }

  /** The scopes of RFC 6749, section 3.3, in a fixed order, so that the same scopes give the same text. */
  static String scope(Set<String> scopes) {
    return scopes.size() == 1 ? scopes.iterator().next() : String.join(" ", new TreeSet<>(scopes));
  }

  /**
   * Reads a token that we signed; its person comes from the authorization. Empty if it is not an access token of this
   * issuer.
   */
  static Optional<AccessToken> read(byte[] claims, String realm, String issuer) {
    JsonNode json;
    try {
      json = JSON.readTree(claims);
    } catch (JacksonException e) {
      return Optional.empty();
    }
    String id = json.path("jti").asString("");
    String clientId = json.path("client_id").asString("");
    if (!json.path("iss").asString("").equals(issuer) || id.isEmpty() || clientId.isEmpty() || !json.path("exp").isNumber()) {
      return Optional.empty();
    }
    String scope = json.path("scope").asString("");
    return Optional.of(
        new AccessToken(
            id,
            realm,
            clientId,
            authorization(id),
            Optional.empty(),
            json.path("sub").asString(""),
            scope.isEmpty() ? Set.of() : Set.of(scope.split(" ")),
            audience(json.path("aud")),
            confirmation(json.path("cnf")),
            new AccessToken.Validity(
                Instant.ofEpochSecond(json.path("iat").asLong()), Instant.ofEpochSecond(json.path("exp").asLong()))));
  }

  /**
   * The authorization of a token. The token's ID begins with the ID of the authorization from which it was issued, if
   * there is one.
   */
  static Optional<SessionId> authorization(String id) {
    int dot = id.indexOf('.');
    return dot < 0
        ? Optional.empty()
        : SessionToken.parse(id.substring(0, dot)).map(authorization -> new SessionId(authorization.value()));
  }

  private static List<String> audience(JsonNode aud) {
    if (aud.isString()) {
      return List.of(aud.asString());
    }
    List<String> audience = new ArrayList<>();
    aud.forEach(one -> audience.add(one.asString()));
    return audience;
  }

  private static Optional<Confirmation> confirmation(JsonNode cnf) {
    if (cnf.has("jkt")) {
      return Optional.of(new Confirmation.Dpop(cnf.path("jkt").asString()));
    }
    return cnf.has("x5t#S256")
        ? Optional.of(new Confirmation.Certificate(cnf.path("x5t#S256").asString()))
        : Optional.empty();
  }
}

package dev.gatehouse.idp.oauth.proof;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.JwtClaims;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientSignatures;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authorization requests in signed JWTs (RFC 9101; OpenID Connect Core 6), by value, or from an address that the client
 * registered. Only the object's parameters count (RFC 9101, section 6.3); other parameters in the URL are ignored.
 */
public final class RequestObjects {

  private static final Logger LOG = LoggerFactory.getLogger(RequestObjects.class);
  private static final Duration SKEW = Duration.ofSeconds(60);

  /** If objects are mandatory, their lifetime is limited to this (FAPI 2.0 Message Signing 5.3.1). */
  private static final Duration MAX_LIFE = Duration.ofMinutes(60);

  /** RFC 9101, section 10.8; {@code JWT} is the type of OpenID Connect Core 6.1. */
  private static final Set<String> TYPES = Set.of("oauth-authz-req+jwt", "jwt");

  /** Claims of the JWT itself, which are not parameters. */
  private static final Set<String> OWN_CLAIMS = Set.of("iss", "sub", "aud", "exp", "nbf", "iat", "jti");

  private final ClientSignatures signatures;
  private final PublicHttp http;
  private final InstantSource clock;

  public RequestObjects(ClientSignatures signatures, PublicHttp http, InstantSource clock) {
    this.signatures = signatures;
    this.http = http;
    this.clock = clock;
  }

  /**
   * Returns the parameters that count: those of the object, or those sent if there is no object. Does not handle a
   * {@code request_uri} that we issued ourselves (RFC 9126). Refused with {@code invalid_request_object} or
   * {@code invalid_request_uri}; with {@code invalid_request} if there is no object and the client must sign.
   */
  public Result<Parameters, OAuthError> parameters(RealmRequest request, Client client, Parameters sent) {
    Optional<String> byValue = sent.one("request").filter(value -> !value.isEmpty());
    Optional<String> byReference = sent.one("request_uri").filter(value -> !value.isEmpty());
    if (byValue.isPresent() && byReference.isPresent()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "request and request_uri exclude each other");
    }
    if (byReference.isPresent()) {
      return fetched(client, byReference.get()).then(object -> read(request, client, object));
    }
    if (byValue.isPresent()) {
      return read(request, client, byValue.get());
    }
    return client.config().requests().signed()
        ? OAuthError.refused(Code.INVALID_REQUEST, "the client must send its requests in signed request objects: request is missing")
        : Result.accepted(sent);
  }

  /** Fetches only registered addresses: otherwise anyone could make us fetch any address (RFC 9101, section 10.4.1). */
  private Result<String, OAuthError> fetched(Client client, String uri) {
    Optional<URI> registered =
        client.config().requests().requestUris().stream().filter(known -> isSame(known, uri)).findFirst();
    if (registered.isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST_URI, "request_uri is not one that the client registered");
    }
    return switch (http.get(registered.get(), "application/oauth-authz-req+jwt, application/jwt")) {
      case Answer.Received(int status, byte[] body, Optional<String> location) ->
          status == 200
              ? Result.accepted(new String(body, StandardCharsets.UTF_8).strip())
              : notFetched(client, registered.get(), "it answered with status " + status, "status " + status);
      case Answer.Failed(Cause cause, String problem) -> notFetched(client, registered.get(), cause.text(), problem);
    };
  }

  /** @param problem for our log only: it may contain addresses */
  private static Result<String, OAuthError> notFetched(Client client, URI uri, String why, String problem) {
    LOG.info("request_uri {} of client {} could not be fetched: {}", uri, client.id(), problem);
    return OAuthError.refused(Code.INVALID_REQUEST_URI, "request_uri could not be fetched: " + why);
  }

  /** Compares up to the fragment, which contains the object's hash (OpenID Connect Core 6.2) or nothing. */
  private static boolean isSame(URI registered, String uri) {
    String known = registered.toString();
    int hash = uri.indexOf('#');
    return uri.equals(known) || known.indexOf('#') < 0 && hash >= 0 && uri.substring(0, hash).equals(known);
  }

  private Result<Parameters, OAuthError> read(RealmRequest request, Client client, String object) {
    return switch (ReceivedJwt.read(object, ReceivedJwt.OwnKey.REFUSED)) {
      case Result.Accepted(ReceivedJwt jwt) -> check(request, client, jwt);
      case Result.Refused(String problem) -> refused(problem);
    };
  }

  private Result<Parameters, OAuthError> check(RealmRequest request, Client client, ReceivedJwt jwt) {
    Requests rules = client.config().requests();
    if (jwt.type().filter(type -> !TYPES.contains(type)).isPresent()) {
      return refused("it is a JWT of another type");
    }
    if (rules.requestAlgorithm().filter(only -> only != jwt.algorithm()).isPresent()) {
      return refused("its algorithm is not the one that the client is registered for");
    }
    if (client.config().followsFapi2() && jwt.algorithm() == JwsName.RS256) {
      return refused("its algorithm is not one of the FAPI 2.0 Security Profile's");
    }
    Optional<String> signature = signatures.problem(request.realm(), client, jwt);
    if (signature.isPresent()) {
      return refused(signature.get());
    }
    return claimsProblem(request, client, jwt.claims())
        .<Result<Parameters, OAuthError>>map(RequestObjects::refused)
        .orElseGet(() -> Result.accepted(parameters(jwt.claims())));
  }

  private Optional<String> claimsProblem(RealmRequest request, Client client, JwtClaims claims) {
    Instant now = clock.instant();
    if (!claims.issuer().equals(Optional.of(client.id()))) {
      return Optional.of("its issuer is not the client");
    }
    if (!claims.audience().contains(request.entityId())) {
      return Optional.of("its audience is not this issuer");
    }
    if (!claims.text("client_id").equals(Optional.of(client.id()))) {
      return Optional.of("its client_id is not the client's");
    }
    // Otherwise a client's assertion about itself could be used as a request object, and vice versa (RFC 9101, section
    // 10.8).
    if (claims.subject().filter(client.id()::equals).isPresent()) {
      return Optional.of("its subject is the client");
    }
    if (claims.all().containsKey("request") || claims.all().containsKey("request_uri")) {
      return Optional.of("it holds request or request_uri");
    }
    return timeProblem(client.config().requests(), claims, now);
  }

  private static Optional<String> timeProblem(Requests rules, JwtClaims claims, Instant now) {
    Optional<Instant> end = claims.expiresAt();
    Optional<Instant> begin = claims.notBefore();
    if (end.filter(exp -> !now.isBefore(exp.plus(SKEW))).isPresent()) {
      return Optional.of("it has expired");
    }
    if (begin.filter(nbf -> nbf.isAfter(now.plus(SKEW))).isPresent()
        || claims.issuedAt().filter(iat -> iat.isAfter(now.plus(SKEW))).isPresent()) {
      return Optional.of("it is not valid yet");
    }
    boolean isBounded =
        end.isPresent() && begin.isPresent() && !end.get().isAfter(begin.get().plus(MAX_LIFE))
            && !begin.get().isBefore(now.minus(MAX_LIFE).minus(SKEW));
    return rules.signed() && !isBounded
        ? Optional.of("its nbf and exp are not there, or more than an hour apart")
        : Optional.empty();
  }

  /**
   * Converts the claims as if they had come in the URL: numbers and objects as JSON (RFC 9101, section 4), lists as
   * repeated parameters.
   */
  private static Parameters parameters(JwtClaims claims) {
    List<String> pairs = new ArrayList<>();
    for (Map.Entry<String, Object> claim : claims.all().entrySet()) {
      if (!OWN_CLAIMS.contains(claim.getKey())) {
        List<?> values = claim.getValue() instanceof List<?> list ? list : List.of(claim.getValue());
        values.forEach(value -> pairs.add(encoded(claim.getKey()) + "=" + encoded(text(value))));
      }
    }
    return Parameters.parse(String.join("&", pairs));
  }

  private static String text(Object value) {
    return value instanceof String string ? string : StrictJson.write(value);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static <T> Result<T, OAuthError> refused(String why) {
    return OAuthError.refused(Code.INVALID_REQUEST_OBJECT, "request object: " + why);
  }
}

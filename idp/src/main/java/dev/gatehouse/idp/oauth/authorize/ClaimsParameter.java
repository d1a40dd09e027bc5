package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oidc.ClaimsRequest;
import dev.gatehouse.idp.oidc.ScopeClaims;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameter {@code claims} (OpenID Connect Core 5.5). It is read with {@link ClaimsRequest}, as in token creation,
 * so that both see the same; in addition it contains the demands on the login.
 *
 * @param json as it was sent, without the claims that the client may not have
 * @param names claims about the person, requested in the ID token or at the UserInfo endpoint
 * @param acr values of the claim {@code acr}, in order; empty if it is not requested
 * @param acrEssential whether only one of these is acceptable
 * @param subject the only acceptable person
 */
record ClaimsParameter(
    String json, Set<String> names, List<String> acr, boolean acrEssential, Optional<String> subject) {

  /** Claims about the login, not about the person. */
  private static final Set<String> OF_THE_LOGIN = Set.of("acr", "auth_time", "amr", "sub", "nonce");

  ClaimsParameter {
    names = Set.copyOf(names);
    acr = List.copyOf(acr);
  }

  static Result<ClaimsParameter, OAuthError> parse(String json) {
    Optional<ClaimsRequest> request = ClaimsRequest.parse(json);
    return request.isEmpty()
        ? OAuthError.refused(Code.INVALID_REQUEST, "claims cannot be read: " + ClaimsRequest.FORM)
        : Result.accepted(of(json, request.get()));
  }

  /**
   * Parses what a client has sent. Claims that it may not have by its scopes are left out, as other scopes are, so that nobody is asked for
   * them and nothing tells them. That is no error, even for essential ones (5.5.1).
   */
  static Result<ClaimsParameter, OAuthError> permitted(String json, OAuthConfig config, Client client) {
    return parse(json).then(sent -> sent.within(config, client.config().permissions().scopes()));
  }

  private Result<ClaimsParameter, OAuthError> within(OAuthConfig config, Set<String> scopes) {
    Set<String> refused =
        names.stream().filter(name -> !ScopeClaims.mayBeNamed(config, scopes, name)).collect(Collectors.toUnmodifiableSet());
    return refused.isEmpty() ? Result.accepted(this) : parse(StrictJson.write(without(refused)));
  }

  private Map<String, Object> without(Set<String> refused) {
    Map<String, Object> kept = new LinkedHashMap<>(members(json));
    for (String place : List.of("userinfo", "id_token")) {
      Map<String, @Nullable Object> claims = new LinkedHashMap<>();
      object(kept.get(place)).forEach((name, details) -> claims.put(String.valueOf(name), details));
      claims.keySet().removeAll(refused);
      kept.put(place, claims);
    }
    return kept;
  }

  private static Map<String, Object> members(String json) {
    return StrictJson.object(json.getBytes(StandardCharsets.UTF_8)).orElse(Map.of());
  }

  private static ClaimsParameter of(String json, ClaimsRequest request) {
    Set<String> names = new TreeSet<>(request.idToken());
    names.addAll(request.userInfo());
    names.removeAll(OF_THE_LOGIN);
    Map<?, ?> idToken = object(members(json).get("id_token"));
    Map<?, ?> acr = member(idToken, "acr");
    return new ClaimsParameter(
        json, names, values(acr), Boolean.TRUE.equals(acr.get("essential")), text(member(idToken, "sub").get("value")));
  }

  /** A claim with the value null is requested without conditions. */
  private static Map<?, ?> member(Map<?, ?> of, String name) {
    return object(of.get(name));
  }

  private static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<String> values(Map<?, ?> claim) {
    return claim.get("values") instanceof List<?> several
        ? several.stream().flatMap(value -> text(value).stream()).toList()
        : text(claim.get("value")).stream().toList();
  }

  private static Optional<String> text(@Nullable Object value) {
    return value instanceof String text ? Optional.of(text) : Optional.empty();
  }
}

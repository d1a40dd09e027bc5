package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
import dev.gatehouse.idp.oidc.ClaimsRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parameter {@code claims} (OpenID Connect Core 5.5): read as {@link ClaimsRequest} reads it where tokens are made, so that
 * both see the same, and besides what it says about the login.
 *
 * @param json as it was sent
 * @param names of claims about the person, asked for in the ID token or at the UserInfo endpoint
 * @param acr values of the claim {@code acr}, in order; empty where it is not asked for
 * @param acrEssential whether nothing but one of these will do
 * @param subject the only person that will do
 */
record ClaimsParameter(
    String json, Set<String> names, List<String> acr, boolean acrEssential, Optional<String> subject) {

  /** About the login and not the person. */
  private static final Set<String> OF_THE_LOGIN = Set.of("acr", "auth_time", "amr", "sub", "nonce");

  ClaimsParameter {
    names = Set.copyOf(names);
    acr = List.copyOf(acr);
  }

  static Outcome<ClaimsParameter> parse(String json) {
    Optional<ClaimsRequest> request = ClaimsRequest.parse(json);
    return request.isEmpty()
        ? Outcome.refused(Code.INVALID_REQUEST, "claims cannot be read: " + ClaimsRequest.FORM)
        : Outcome.passed(of(json, request.get()));
  }

  private static ClaimsParameter of(String json, ClaimsRequest request) {
    Set<String> names = new TreeSet<>(request.idToken());
    names.addAll(request.userInfo());
    names.removeAll(OF_THE_LOGIN);
    Map<?, ?> idToken =
        StrictJson.object(json.getBytes(StandardCharsets.UTF_8))
            .map(root -> object(root.getOrDefault("id_token", Map.of())))
            .orElse(Map.of());
    Map<?, ?> acr = member(idToken, "acr");
    return new ClaimsParameter(
        json, names, values(acr), Boolean.TRUE.equals(acr.get("essential")), text(member(idToken, "sub").get("value")));
  }

  /** Of what is wanted in no particular way (null), nothing is to be known. */
  private static Map<?, ?> member(Map<?, ?> of, String name) {
    return object(of.get(name));
  }

  private static Map<?, ?> object(@org.jspecify.annotations.Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<String> values(Map<?, ?> claim) {
    return claim.get("values") instanceof List<?> several
        ? several.stream().flatMap(value -> text(value).stream()).toList()
        : text(claim.get("value")).stream().toList();
  }

  private static Optional<String> text(@org.jspecify.annotations.Nullable Object value) {
    return value instanceof String text ? Optional.of(text) : Optional.empty();
  }
}

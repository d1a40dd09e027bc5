package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.jose.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The {@code claims} parameter (OpenID Connect Core 5.5): which claims a client wants by name, and where.
 *
 * @param userInfo names of those at the UserInfo endpoint
 * @param idToken names of those in the ID token
 */
public record ClaimsRequest(Set<String> userInfo, Set<String> idToken) {

  /** None. */
  public static final ClaimsRequest NONE = new ClaimsRequest(Set.of(), Set.of());

  private static final int MOST_CHARACTERS = 16 * 1024;
  private static final int MOST_CLAIMS = 100;

  /** Empty for what is not an object of objects, or asks for more than a hundred claims. */
  public static Optional<ClaimsRequest> parse(String json) {
    if (json.length() > MOST_CHARACTERS) {
      return Optional.empty();
    }
    Optional<Map<String, Object>> root = StrictJson.object(json.getBytes(StandardCharsets.UTF_8));
    Optional<Set<String>> userInfo = root.flatMap(members -> names(members, "userinfo"));
    Optional<Set<String>> idToken = root.flatMap(members -> names(members, "id_token"));
    return userInfo.isPresent() && idToken.isPresent()
        ? Optional.of(new ClaimsRequest(userInfo.get(), idToken.get()))
        : Optional.empty();
  }

  /** Of a claim that is wanted, null or an object says how much (5.5.1). */
  private static Optional<Set<String>> names(Map<String, Object> root, String member) {
    if (!root.containsKey(member)) {
      return Optional.of(Set.of());
    }
    if (!(root.get(member) instanceof Map<?, ?> claims) || claims.size() > MOST_CLAIMS) {
      return Optional.empty();
    }
    Set<String> names = new LinkedHashSet<>();
    claims.keySet().forEach(name -> names.add(String.valueOf(name)));
    return Optional.of(names);
  }
}

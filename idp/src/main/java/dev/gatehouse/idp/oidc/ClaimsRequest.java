package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.client.Client;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The {@code claims} parameter (OpenID Connect Core 5.5): the claims that a client requests by name, and where they are
 * to appear.
 *
 * @param userInfo names of the claims at the UserInfo endpoint
 * @param idToken names of the claims in the ID token
 */
public record ClaimsRequest(Set<String> userInfo, Set<String> idToken) {

  /** A request for no claims. */
  public static final ClaimsRequest NONE = new ClaimsRequest(Set.of(), Set.of());

  /** The format that {@link #parse} accepts, described for clients. */
  public static final String FORM =
      "an object with the objects userinfo and id_token, of at most 100 claims each, whose names are 1 to 200 printable"
          + " ASCII characters without space, quotation mark, comma and backslash";

  private static final int MAX_CHARACTERS = 16 * 1024;
  private static final int MAX_CLAIMS = 100;

  /**
   * Printable ASCII without space, quotation mark, comma and backslash: words and URIs (Core 5.1.2). Names are shown to
   * people, stored and audited, so that one name must not look like several or like none.
   */
  private static final Pattern NAME = Pattern.compile("[\\x21\\x23-\\x2b\\x2d-\\x5b\\x5d-\\x7e]{1,200}");

  /**
   * Parses the parameter; empty if it is not an object of objects, requests more than a hundred claims, or contains an
   * invalid name.
   */
  public static Optional<ClaimsRequest> parse(String json) {
    if (json.length() > MAX_CHARACTERS) {
      return Optional.empty();
    }
    Optional<Map<String, Object>> root = StrictJson.object(json.getBytes(StandardCharsets.UTF_8));
    Optional<Set<String>> userInfo = root.flatMap(members -> names(members, "userinfo"));
    Optional<Set<String>> idToken = root.flatMap(members -> names(members, "id_token"));
    return userInfo.isPresent() && idToken.isPresent()
        ? Optional.of(new ClaimsRequest(userInfo.get(), idToken.get()))
        : Optional.empty();
  }

  /** Returns what a person has granted by name, as far as the client may have it now: its scopes may have become fewer since. */
  public static ClaimsRequest granted(OAuthConfig config, Client client, Authorization authorization) {
    return authorization
        .grant()
        .claims()
        .flatMap(ClaimsRequest::parse)
        .map(asked -> asked.within(config, client.config().permissions().scopes()))
        .orElse(NONE);
  }

  /** Returns the part that a client with these scopes may have, by {@link ScopeClaims#mayBeNamed}. */
  public ClaimsRequest within(OAuthConfig config, Set<String> scopes) {
    return new ClaimsRequest(within(config, scopes, userInfo), within(config, scopes, idToken));
  }

  private static Set<String> within(OAuthConfig config, Set<String> scopes, Set<String> names) {
    return names.stream()
        .filter(name -> ScopeClaims.mayBeNamed(config, scopes, name))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The value of a requested claim is null or an object with details (5.5.1). */
  private static Optional<Set<String>> names(Map<String, Object> root, String member) {
    if (!root.containsKey(member)) {
      return Optional.of(Set.of());
    }
    if (!(root.get(member) instanceof Map<?, ?> claims) || claims.size() > MAX_CLAIMS) {
      return Optional.empty();
    }
    Set<String> names = new LinkedHashSet<>();
    claims.keySet().forEach(name -> names.add(String.valueOf(name)));
    return names.stream().allMatch(name -> NAME.matcher(name).matches()) ? Optional.of(names) : Optional.empty();
  }
}

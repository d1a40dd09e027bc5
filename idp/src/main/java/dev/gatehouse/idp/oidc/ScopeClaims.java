package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.realm.OAuthConfig;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The claims that scopes request (OpenID Connect Core 5.4), including the realm's own scopes. */
public final class ScopeClaims {

  private static final Map<String, List<String>> STANDARD =
      Map.of(
          "profile",
              List.of(
                  "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile",
                  "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at"),
          "email", List.of("email", "email_verified"),
          "address", List.of("address"),
          "phone", List.of("phone_number", "phone_number_verified"));

  private ScopeClaims() {}

  /** The claims of all these scopes together, in a stable order. */
  public static Set<String> of(OAuthConfig config, Collection<String> scopes) {
    Set<String> claims = new LinkedHashSet<>();
    scopes.stream().sorted().forEach(scope -> claims.addAll(of(config, scope)));
    return claims;
  }

  /**
   * Returns whether a client with these scopes may have the claim by its name (OpenID Connect Core 5.5): a claim that scopes release
   * needs one of those, any client may have the others. Where a realm has redefined or removed a scope, its claims stay claims of scopes.
   */
  public static boolean mayBeNamed(OAuthConfig config, Collection<String> scopes, String claim) {
    boolean isOfScopes =
        Stream.of(STANDARD, OAuthConfig.USUAL.scopes(), config.scopes())
            .flatMap(known -> known.values().stream())
            .anyMatch(claims -> claims.contains(claim));
    return !isOfScopes || scopes.stream().anyMatch(scope -> of(config, scope).contains(claim));
  }

  /** A realm may redefine a standard scope. */
  private static List<String> of(OAuthConfig config, String scope) {
    return config.scopes().getOrDefault(scope, STANDARD.getOrDefault(scope, List.of()));
  }
}

package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.realm.OAuthConfig;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The places where a client finds claims about a person. */
public enum ClaimPlace {
  /** An ID token with an access token beside it, at which the scopes' claims are at UserInfo (OpenID Connect Core 5.4). */
  ID_TOKEN("id_token"),
  ID_TOKEN_ALONE("id_token without access token"),
  USER_INFO("userinfo"),
  ACCESS_TOKEN("access_token");

  /** The personal claims for resource servers; UserInfo returns the others. */
  private static final Set<String> FOR_RESOURCE_SERVERS = Set.of("preferred_username", "roles", "groups");

  private final String label;

  ClaimPlace(String label) {
    this.label = label;
  }

  /** Returns the name for administrators. */
  public String label() {
    return label;
  }

  /** Returns whether only a request for the scope {@code openid} has this place. */
  public boolean isOpenId() {
    return this != ACCESS_TOKEN;
  }

  /** Returns the names of the claims that belong here by these scopes and this request (OpenID Connect Core 5.4, 5.5). */
  public Set<String> names(OAuthConfig config, Collection<String> scopes, ClaimsRequest request) {
    Set<String> names = new LinkedHashSet<>(this == ID_TOKEN ? Set.of() : ScopeClaims.of(config, scopes));
    switch (this) {
      case ID_TOKEN, ID_TOKEN_ALONE -> names.addAll(request.idToken());
      case USER_INFO -> names.addAll(request.userInfo());
      case ACCESS_TOKEN -> names.retainAll(FOR_RESOURCE_SERVERS);
    }
    return names;
  }
}

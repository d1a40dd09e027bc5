package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.StandardScopes;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Selects the scopes of a request that the client may have. Others are ignored, as OpenID Connect Core 3.1.2.1 demands;
 * the response states the granted ones.
 */
public final class Scopes {

  static final String OPENID = StandardScopes.OPENID;
  static final String OFFLINE_ACCESS = Authorization.OFFLINE_ACCESS;

  private Scopes() {}

  /**
   * Returns the granted scopes; callers refuse the request if there are none.
   *
   * @param mayBeOffline whether a refresh token can be issued; otherwise {@code offline_access} is ignored (OpenID
   *     Connect Core 11)
   */
  public static Set<String> granted(Client client, Optional<String> asked, boolean mayBeOffline) {
    if (asked.isEmpty()) {
      return StandardScopes.unasked(client.config().permissions().scopes());
    }
    Set<String> granted = new LinkedHashSet<>();
    for (String scope : asked.get().split(" ")) {
      boolean counts = !scope.equals(OFFLINE_ACCESS) || mayBeOffline && client.may(GrantType.REFRESH);
      if (counts && client.config().permissions().scopes().contains(scope)) {
        granted.add(scope);
      }
    }
    return granted;
  }

  /**
   * Returns those that a token of the authorization endpoint has, in the same order. {@code offline_access} asks for a refresh token, which
   * comes of a code only (OpenID Connect Core 11): a token that passes through the browser does not outlive the session there.
   */
  static Set<String> ofSession(Set<String> granted) {
    Set<String> scopes = new LinkedHashSet<>(granted);
    scopes.remove(OFFLINE_ACCESS);
    return scopes;
  }
}

package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What of the scopes in a request counts: those that the client may have. Others are passed over, as OpenID Connect Core 3.1.2.1
 * wants it; the response says what was granted.
 */
public final class Scopes {

  static final String OPENID = "openid";
  static final String OFFLINE_ACCESS = Authorization.OFFLINE_ACCESS;

  /** Neither an ID token nor a token that outlives everything comes by itself (RFC 6749, section 3.3). */
  private static final Set<String> NOT_UNASKED = Set.of(OPENID, OFFLINE_ACCESS);

  private Scopes() {}

  /**
   * None left is a refusal.
   *
   * @param mayBeOffline whether a refresh token can come of it; else {@code offline_access} counts for nothing (OpenID Connect
   *     Core 11)
   */
  public static Set<String> granted(Client client, Optional<String> asked, boolean mayBeOffline) {
    if (asked.isEmpty()) {
      Set<String> usual = new TreeSet<>(client.config().scopes());
      usual.removeAll(NOT_UNASKED);
      return usual;
    }
    Set<String> granted = new LinkedHashSet<>();
    for (String scope : asked.get().split(" ")) {
      boolean counts = !scope.equals(OFFLINE_ACCESS) || mayBeOffline && client.may(GrantType.REFRESH);
      if (counts && client.config().scopes().contains(scope)) {
        granted.add(scope);
      }
    }
    return granted;
  }
}

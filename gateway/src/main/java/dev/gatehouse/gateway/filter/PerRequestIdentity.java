package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.realm.InjectConfig.Jwt;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An identity whose edits need data of the individual request: it is the same for many requests, but the client's
 * address and a fresh token are not.
 *
 * @param dropsToken as {@link HeaderEdits#withoutToken}
 */
public record PerRequestIdentity(IdentityFilter filter, Identity identity, boolean dropsToken) {

  PerRequestIdentity withoutToken() {
    return new PerRequestIdentity(filter, identity, true);
  }

  /** The configuration of the token that the app gets. */
  public Optional<Jwt> jwt() {
    return filter.jwt();
  }

  public boolean needsClient() {
    return filter.needsClient();
  }

  /** The configured claims, lists as lists. */
  public Map<String, Object> claims(InetAddress client) {
    Map<String, Object> claims = new LinkedHashMap<>();
    jwt().ifPresent(jwt -> filter.claims(identity, Optional.of(client)).forEach(claims::put));
    return claims;
  }

  /**
   * The complete edits.
   *
   * @param token present if {@link #jwt} is
   */
  public HeaderEdits complete(InetAddress client, Optional<String> token) {
    HeaderEdits whole =
        filter
            .compose(identity, Optional.of(client), token)
            .orElseThrow(() -> new IllegalStateException("what could be sent when it was decided cannot be sent now"));
    return dropsToken ? whole.withoutToken() : whole;
  }
}

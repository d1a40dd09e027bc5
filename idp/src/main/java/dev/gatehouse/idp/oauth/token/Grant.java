package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.idp.oauth.Outcome;
import java.util.Set;

/**
 * A grant type (RFC 6749, section 1.3). The handler has authenticated the client; the grant performs its own checks.
 */
interface Grant {

  /** The value of {@code grant_type}. */
  String name();

  /** A client may use the grant if it may use any of these. */
  Set<GrantType> uses();

  /** Consumes the presented credential if the request is valid. */
  Outcome<GrantResult> grant(TokenRequest request);
}

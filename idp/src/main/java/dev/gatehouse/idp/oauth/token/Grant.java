package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
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
  Result<GrantResult, OAuthError> grant(TokenRequest request);
}

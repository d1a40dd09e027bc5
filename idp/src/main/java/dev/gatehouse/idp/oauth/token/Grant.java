package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.idp.oauth.Outcome;
import java.util.Set;

/** One way to tokens (RFC 6749, section 1.3). The handler has authenticated the client; the grant checks all that is its own. */
interface Grant {

  /** The value of {@code grant_type}. */
  String name();

  /** A client may use it that may use any of these. */
  Set<GrantType> uses();

  /** Consumes what it was given, where everything about it is right. */
  Outcome<GrantResult> grant(TokenRequest request);
}

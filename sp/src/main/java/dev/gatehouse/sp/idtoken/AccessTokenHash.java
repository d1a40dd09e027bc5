package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.TokenHash;
import dev.gatehouse.common.realm.ClientConfig.JwsName;

/** The {@code at_hash} that an ID token must have, if it has one (OpenID Connect Core 3.1.3.6). */
@FunctionalInterface
public interface AccessTokenHash {

  /** @param algorithm of the ID token's signature */
  String by(JwsName algorithm);

  /** Returns the hash of the token. */
  static AccessTokenHash of(String accessToken) {
    return algorithm -> TokenHash.of(algorithm, accessToken);
  }

  /** Returns a hash that was made before, by the algorithm of the same ID token. */
  static AccessTokenHash recorded(String hash) {
    return algorithm -> hash;
  }
}

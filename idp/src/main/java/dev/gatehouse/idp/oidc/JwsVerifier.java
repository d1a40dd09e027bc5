package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.realm.Realm;
import java.util.Optional;

/** Reads JWTs that the realm's own keys signed (RFC 7515, section 5.2): access tokens that are shown to us, and ID token hints. */
public interface JwsVerifier {

  /**
   * The claims, as JSON in UTF-8, of a token of that type which one of the realm's published keys signed; empty for anything
   * else. Says nothing about issuer, audience and time.
   */
  Optional<byte[]> read(Realm realm, String type, String token);

  /** Whether a token that was read before would still be: its key is still published. */
  boolean knows(Realm realm, String type, String token);
}

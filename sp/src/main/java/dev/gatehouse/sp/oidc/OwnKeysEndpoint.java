package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.jose.JwkSets;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.List;

/**
 * {@code GET /.gatehouse/oidc/jwks} at the home origin: the keys with which we authenticate to providers as their
 * client (RFC 7517).
 */
public final class OwnKeysEndpoint {

  public static final String PATH = SpPaths.PREFIX + "oidc/jwks";

  private final KeyRings keyRings;
  private final Refusals refusals;

  public OwnKeysEndpoint(KeyRings keyRings, Refusals refusals) {
    this.keyRings = keyRings;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.isGet()) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    return reply(keyRings.of(realm.realm()).published(KeyUse.SP_SIGNING));
  }

  /** The keys as a JWK Set that may be cached for five minutes. */
  static EdgeReply reply(List<VerificationKey> published) {
    return EdgeReply.of(200, "application/jwk-set+json", JwkSets.ofRs256(published))
        .with("Cache-Control", "public, max-age=300");
  }
}

package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.InjectConfig.Algorithm;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code GET /.gatehouse/jwks} at the home origin: the keys of the tokens that tell apps behind the gateway the
 * person's identity (RFC 7517). Returns 404 if no route sends such a token.
 */
public final class IdentityKeysEndpoint {

  public static final String PATH = SpPaths.PREFIX + "jwks";

  private final KeyRings keyRings;
  private final Refusals refusals;

  public IdentityKeysEndpoint(KeyRings keyRings, Refusals refusals) {
    this.keyRings = keyRings;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    Set<Algorithm> used = new TreeSet<>();
    realm.realm().gateway().routes().forEach(route -> route.identity().inject().jwt().map(Jwt::algorithm).ifPresent(used::add));
    if (used.isEmpty() || !realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.isGet()) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    KeyRing ring = keyRings.of(realm.realm());
    List<VerificationKey> keys = used.stream().flatMap(algorithm -> ring.published(use(algorithm)).stream()).toList();
    return OwnKeysEndpoint.reply(keys);
  }

  private static KeyUse use(Algorithm algorithm) {
    return switch (algorithm) {
      case RS256 -> KeyUse.SP_TOKENS_RSA;
      case ES256 -> KeyUse.SP_TOKENS_P256;
    };
  }
}

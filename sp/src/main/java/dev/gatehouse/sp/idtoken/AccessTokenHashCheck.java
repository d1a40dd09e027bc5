package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Checks that {@code at_hash}, if present, belongs to the access token of the same response (OpenID Connect Core
 * 3.1.3.8).
 */
final class AccessTokenHashCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    if (!token.claims().all().containsKey("at_hash")) {
      return Optional.empty();
    }
    boolean same =
        expected
            .accessToken()
            .map(accessToken -> hash(token.algorithm(), accessToken))
            .filter(hash -> token.claims().text("at_hash").filter(hash::equals).isPresent())
            .isPresent();
    return Refuse.unless(same, Reason.ACCESS_TOKEN_HASH, "at_hash is of another access token");
  }

  /** The left half of the hash that belongs to the signature algorithm; for EdDSA with Ed25519 that is SHA-512. */
  private static String hash(JwsName algorithm, String accessToken) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm == JwsName.EDDSA ? "SHA-512" : "SHA-256");
      byte[] hash = digest.digest(accessToken.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, hash.length / 2));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

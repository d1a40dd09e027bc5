package dev.gatehouse.common.jose;

import dev.gatehouse.common.realm.ClientConfig.JwsName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** {@code at_hash} and {@code c_hash} (OpenID Connect Core 3.1.3.6 and 3.3.2.11). */
public final class TokenHash {

  private TokenHash() {}

  /** The left half of the digest that the ID token's signature algorithm uses. */
  public static String of(JwsName algorithm, String token) {
    String digest =
        switch (algorithm) {
          case RS256, PS256, ES256, HS256 -> "SHA-256";
          // Ed25519 uses SHA-512 (RFC 8032, section 5.1).
          case EDDSA -> "SHA-512";
        };
    try {
      byte[] hash = MessageDigest.getInstance(digest).digest(token.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, hash.length / 2));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

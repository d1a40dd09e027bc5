package dev.gatehouse.common.jose;

import dev.gatehouse.common.result.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A stranger's JWK Set is read or refused, without an exception; a set that is read is public. */
public final class JwksFuzz {

  private JwksFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    if (PublicKeys.read(new String(bytes, StandardCharsets.UTF_8)) instanceof Result.Accepted(PublicKeys keys)) {
      for (PublicJwk key : keys.all()) {
        if (key.jwk().isPrivate() || key.thumbprint().isEmpty()) {
          throw new IllegalStateException("read what may not be read");
        }
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        TestKey.rsa("rsa").jwks().getBytes(StandardCharsets.UTF_8),
        TestKey.p256("ec").jwks().getBytes(StandardCharsets.UTF_8),
        TestKey.ed25519("ed").jwks().getBytes(StandardCharsets.UTF_8),
        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"},{\"kty\":\"EC\",\"crv\":\"P-256\",\"x5c\":[\"MA==\"]}]}"
            .getBytes(StandardCharsets.UTF_8));
  }
}

package dev.gatehouse.common.jose;

import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A stranger's JWT is read or refused, without an exception; a proof that verifies was signed. */
public final class JwtFuzz {

  private JwtFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (OwnKey ownKey : OwnKey.values()) {
      // Also with the header and the claims in clear, so that mutations reach them.
      for (String jwt : List.of(text, assembled(text))) {
        if (ReceivedJwt.read(jwt, ownKey) instanceof Result.Accepted(ReceivedJwt read)) {
          read.key().ifPresent(read::isSignedBy);
          if (read.isSignedBy(new byte[32]) && read.signature().length != 32) {
            throw new IllegalStateException("a signature of another length");
          }
        }
      }
    }
  }

  private static String assembled(String text) {
    String[] parts = text.split("\n", 3);
    return parts.length < 3
        ? text
        : base64(parts[0]) + "." + base64(parts[1]) + "." + base64(parts[2]);
  }

  private static String base64(String part) {
    return TestKey.base64(part.getBytes(StandardCharsets.UTF_8));
  }

  public static List<byte[]> seeds() {
    TestKey key = TestKey.p256("ec");
    Map<String, Object> claims = Map.of("iss", "app", "aud", List.of("a"), "exp", 1_800_000_000L, "jti", "1");
    String proof = key.sign(JwsName.ES256, key.proofHeader(JwsName.ES256), claims);
    String clear = StrictJson.write(key.proofHeader(JwsName.ES256)) + "\n" + StrictJson.write(claims) + "\nsignature";
    return List.of(
        proof.getBytes(StandardCharsets.ISO_8859_1),
        clear.getBytes(StandardCharsets.ISO_8859_1),
        "{\"alg\":\"HS256\",\"kid\":\"a\"}\n{\"sub\":\"s\",\"nbf\":1.5}\nx".getBytes(StandardCharsets.ISO_8859_1));
  }
}

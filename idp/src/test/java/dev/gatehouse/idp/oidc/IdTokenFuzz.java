package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.key.TokenKeyRing;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Returned ID tokens: accepted only exactly as we sent them. A claims parameter never causes a fault. */
public final class IdTokenFuzz {

  private static final Realm REALM = TestRealms.demo();
  private static final String CLAIMS = "{\"iss\":\"https://idp.example\",\"sub\":\"alice\",\"aud\":\"app\",\"exp\":1}";
  private static final String TOKEN =
      new JwsSigner(realm -> new TokenKeyRing()).sign(REALM, JwsName.ES256, "JWT", CLAIMS.getBytes(StandardCharsets.UTF_8));
  private static final JwsVerifier VERIFIER = new JwsVerifier(realm -> new TokenKeyRing());

  private IdTokenFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    ClaimsRequest.parse(text);
    // With the header of a valid token, so that mutations reach the parts after it.
    for (String token : List.of(text, TOKEN.substring(0, TOKEN.indexOf('.')) + "." + text)) {
      Optional<byte[]> read = VERIFIER.read(REALM, "JWT", token);
      if (read.isPresent() && !token.equals(TOKEN)) {
        throw new IllegalStateException("two ways to write a token");
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        TOKEN.getBytes(StandardCharsets.ISO_8859_1),
        TOKEN.substring(TOKEN.indexOf('.') + 1).getBytes(StandardCharsets.ISO_8859_1),
        "{\"userinfo\":{\"email\":null},\"id_token\":{\"acr\":{\"values\":[\"1\"]}}}".getBytes(StandardCharsets.UTF_8));
  }
}

package dev.gatehouse.idp;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Any form, token, code or verifier gets an answer, and never causes a fault. */
public final class TokenEndpointFuzz {

  private static final TokenWorld WORLD =
      new TokenWorld(
          TestClient.web("web")
              .grants(
                  GrantType.CODE, GrantType.REFRESH, GrantType.CLIENT_CREDENTIALS, GrantType.DEVICE, GrantType.PASSWORD));

  private static final List<String> PATHS =
      List.of("oauth/token", "oauth/introspect", "oauth/revoke", "oauth/tokeninfo");

  private TokenEndpointFuzz() {}

  /** @param input one byte that selects the endpoint, and a body */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    String path = PATHS.get((input[0] & 0xff) % PATHS.size());
    String body = new String(Arrays.copyOfRange(input, 1, input.length), StandardCharsets.UTF_8);
    boolean isTold = path.endsWith("tokeninfo");
    int status = WORLD.send("POST", path, isTold ? Map.of() : TokenWorld.basic("web"), body).status();
    WORLD.audit.clear();
    if (status >= 500) {
      throw new IllegalStateException("a fault: " + status);
    }
  }

  public static List<byte[]> seeds() {
    return Stream.of(
        "0grant_type=authorization_code&code=a.b&redirect_uri=https%3A%2F%2Fclient.example.com%2Fcb&code_verifier=x",
        "0grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA&scope=read+write&resource=a&resource=b",
        "0grant_type=client_credentials&scope=read",
        "0grant_type=password&username=alice&password=demo&scope=openid",
        "0grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=x",
        "1token=mF_9.B5f-4.1JqM&token_type_hint=access_token",
        "2token=45ghiukldjahdnhzdauz",
        "3access_token=2YotnFZFEjr1zCsicMWpAA")
        .map(seed -> seed.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}

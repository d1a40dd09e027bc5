package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.TokenWorld.Answer;
import dev.gatehouse.idp.oauth.token.IssuedCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The example messages of the specifications, byte by byte, in {@code src/test/resources/rfc}. */
final class RfcExamplesTest {

  private final TokenWorld world =
      new TokenWorld(
          TestClient.web("s6BhdRkqt3")
              .withoutPkce()
              .grants(GrantType.CODE, GrantType.REFRESH, GrantType.CLIENT_CREDENTIALS));

  private Answer send(String path, String file) {
    String message = text(file);
    int blank = message.indexOf("\n\n");
    Map<String, String> headers = new LinkedHashMap<>();
    message
        .substring(0, blank)
        .lines()
        .skip(1)
        .filter(line -> !line.startsWith("Host:"))
        .forEach(line -> headers.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 2)));
    return world.send("POST", path, headers, message.substring(blank + 2).strip());
  }

  static String text(String file) {
    try (InputStream in = RfcExamplesTest.class.getResourceAsStream("/rfc/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(file, e);
    }
  }

  @Test
  void rfc6749AccessTokenRequestByCode() {
    world.codeStore.put(
        new SessionToken("SplxlOBeZQQYbYS6WxSbIA").id().value(),
        new IssuedCode(
            world.agreed("s6BhdRkqt3", "read"), Optional.of("https://client.example.com/cb"), Optional.empty(),
            Optional.empty()),
        world.time.instant().plus(Duration.ofMinutes(1)));
    Answer answer = send("oauth/token", "rfc6749-4.1.3-request.http");
    assertThat(answer.status()).isEqualTo(200);
    // Section 4.1.4, and the scope, which may always be present.
    assertThat(answer.json().propertyNames())
        .containsExactly("access_token", "token_type", "expires_in", "scope", "refresh_token");
    assertThat(answer.header("Content-Type")).contains("application/json");
    assertThat(answer.header("Cache-Control")).contains("no-store");
    assertThat(answer.header("Pragma")).contains("no-cache");
  }

  @Test
  void rfc6749ClientCredentials() {
    Answer answer = send("oauth/token", "rfc6749-4.4.2-request.http");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().propertyNames())
        .containsExactly("access_token", "token_type", "expires_in", "scope");
  }

  @Test
  void rfc6749RefreshOfWhatIsNotOurs() {
    Answer answer = send("oauth/token", "rfc6749-6-request.http");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text("error")).isEqualTo("invalid_grant");
  }

  @Test
  void rfc7662IntrospectionOfWhatIsNotOurs() {
    Answer answer = send("oauth/introspect", "rfc7662-2.1-request.http");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.reply().text()).isEqualTo(text("rfc7662-2.2-inactive.json"));
  }

  @Test
  void rfc7009RevocationOfWhatIsNotOurs() {
    Answer answer = send("oauth/revoke", "rfc7009-2.1-request.http");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.reply().body()).isEmpty();
  }
}

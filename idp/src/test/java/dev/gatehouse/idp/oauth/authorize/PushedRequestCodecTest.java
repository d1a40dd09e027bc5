package dev.gatehouse.idp.oauth.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.store.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The stored form of a pushed request. */
class PushedRequestCodecTest {

  private final JsonCodec<PushedRequest> codec = new JsonCodec<>(PushedRequest.class);

  @Test
  void allThatCountsAndNothingSecret() {
    Parameters form =
        Parameters.parse(
            "client_id=app&client_secret=hush&client_assertion=jwt&state=%22s%22&resource=a&resource=b&scope=openid&empty=&long"
                + "n".repeat(60_000) + "=1");
    PushedRequest pushed =
        new PushedRequest(
            "demo", "app", RequestParameters.of(form), Instant.parse("2026-11-21T10:00:00.123Z"));
    byte[] bytes = codec.encode(pushed);
    assertThat(codec.decode(bytes)).isEqualTo(pushed);
    assertThat(pushed.parameters().values()).containsOnlyKeys("client_id", "state", "scope");
    assertThat(pushed.parameters().resources()).containsExactly("a", "b");
    assertThat(new String(bytes, StandardCharsets.UTF_8)).doesNotContain("hush", "jwt", "long");
  }
}

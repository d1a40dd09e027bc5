package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.session.SessionId;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Refresh tokens that clients have, and their sealed form in a store, as they were recorded. */
class TokenEnvelopesTest {

  private static final SessionId AUTHORIZATION = new SessionId("A".repeat(43));

  private final RefreshTokens tokens = new RefreshTokens(RecordedEnvelope.key("token"), RecordedEnvelope.random());

  @Test
  void aRefreshTokenIsItsAuthorizationThenASecretThenADigest() throws IOException {
    String token = tokens.create("office", AUTHORIZATION);
    new RecordedEnvelope("refresh-token")
        .isKept(token, text -> tokens.read("office", text).orElseThrow().hash(), RefreshTokens.hash(token));
  }

  @Test
  void aTokenIsSealedForTheGracePeriod() throws IOException {
    new RecordedEnvelope("refresh-token-sealed")
        .isKept(tokens.seal("office", AUTHORIZATION, "token"), text -> tokens.open("office", AUTHORIZATION, text), "token");
  }
}

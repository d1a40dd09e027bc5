package dev.gatehouse.gateway.console;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.envelope.RecordedEnvelope;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The cookie of an administrator's login that has begun, as it was recorded. */
class ConsoleEnvelopesTest {

  @Test
  void aPendingLoginIsSealedInItsCookie() throws IOException {
    TestTime time = new TestTime();
    PendingLogins logins = new PendingLogins(RecordedEnvelope.key("console"), time, RecordedEnvelope.random());
    PendingLogin login =
        new PendingLogin(
            "state", "nonce", "verifier", time.instant(), "realms/demo", true, Optional.of("session"),
            Optional.of(new PendingLogin.SetUpClaim("alice", "digest")));
    new RecordedEnvelope("console-login").isKept(logins.sealed(login), logins::open, Optional.of(login));
  }
}

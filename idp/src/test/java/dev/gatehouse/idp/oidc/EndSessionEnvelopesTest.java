package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.envelope.RecordedEnvelope;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client's logout request in the form that asks the person, as it was recorded. */
class EndSessionEnvelopesTest {

  @Test
  void aLogoutRequestIsASecretThenTheSealedRequest() throws IOException {
    EndSessionSeal seal = new EndSessionSeal(RecordedEnvelope.key("logout"), new TestTime(), RecordedEnvelope.random());
    EndSessionRequest asked =
        new EndSessionRequest("demo", Optional.of("shop"), Optional.of("https://shop.example.org/left?state=s"), Optional.of("alice"), List.of("de", "en"));
    new RecordedEnvelope("end-session-request").isKept(seal.seal(asked), text -> seal.open("demo", text), Optional.of(asked));
  }
}

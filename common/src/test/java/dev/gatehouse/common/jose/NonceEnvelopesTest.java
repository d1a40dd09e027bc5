package dev.gatehouse.common.jose;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.envelope.RecordedEnvelope;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Nonces for DPoP proofs, as they were recorded: any node issues them, and any other accepts them. */
class NonceEnvelopesTest {

  @Test
  void aNonceIsADigestOfRealmAndTime() throws IOException {
    DpopNonces nonces = new DpopNonces(RecordedEnvelope.key("dpop"), new TestTime());
    new RecordedEnvelope("dpop-nonce").isKept(nonces.current("demo"), nonce -> nonces.isValid("demo", nonce), true);
  }
}

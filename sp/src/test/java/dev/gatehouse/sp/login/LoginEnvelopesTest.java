package dev.gatehouse.sp.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.sp.edge.BrowserKey;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a login leaves with browsers and partners, so that a node of another version ends it: as it was recorded. */
class LoginEnvelopesTest {

  @Test
  void aRequestIdIsItsTimeThenRandomBytesThenADigest() throws IOException {
    TestTime time = new TestTime();
    RequestIds ids = new RequestIds(RecordedEnvelope.key("login"), time, RecordedEnvelope.random());
    new RecordedEnvelope("request-id").isKept(ids.create("office"), id -> ids.issuedAt("office", id).orElseThrow(), time.instant());
  }

  @Test
  void aKeptBodyIsNonceThenCiphertext() throws IOException {
    BrowserKey browser = new BrowserKey("cookie", "A".repeat(43), false);
    new RecordedEnvelope("kept-body")
        .isKept(
            BrowserSeal.seal(browser, "body".getBytes(UTF_8), RecordedEnvelope.random()),
            bytes -> new String(BrowserSeal.open(browser, bytes).orElseThrow(), UTF_8), "body");
  }
}

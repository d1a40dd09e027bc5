package dev.gatehouse.common.sealed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cookies, forms and lines of files that nodes of two versions open, as they were recorded. */
class SealedEnvelopesTest {

  private static final String REALM = "office";
  private static final byte[] PAYLOAD = "payload".getBytes(UTF_8);
  private static final Duration LIFE = Duration.ofHours(1);

  private final SealingKey key = RecordedEnvelope.key("sealed");
  private final TestTime time = new TestTime();
  private final SessionToken browser = new SessionToken("A".repeat(43));
  private final SealedState state = new SealedState(key, "purpose", 1, time, RecordedEnvelope.random());

  /** Also the form of secrets in PostgreSQL: keys, client secrets, second factors, revisions. */
  @Test
  void aSecretIsVersionThenNonceThenCiphertext() throws IOException {
    new RecordedEnvelope("sealed-secret")
        .isKept(key.seal(PAYLOAD, "use", REALM), bytes -> new String(key.open(bytes, "use", REALM), UTF_8), "payload");
    String digests =
        key.digest("token", "use", REALM) + " " + Base64.getEncoder().encodeToString(key.derive("AES", "use", REALM).getEncoded());
    new RecordedEnvelope("sealed-digests").isKept(digests, text -> text, digests);
  }

  @Test
  void aSealedStateIsVersionThenNonceThenCiphertext() throws IOException {
    new RecordedEnvelope("sealed-state")
        .isKept(
            state.seal(REALM, browser, "id", PAYLOAD, time.instant().plus(LIFE)),
            text -> state.open(REALM, browser, "id", text) instanceof UnsealResult.Opened(byte[] payload, var end)
                ? List.of(new String(payload, UTF_8), end) : "not opened",
            List.of("payload", time.instant().plus(LIFE)));
  }

  @Test
  void aPendingRequestIsACookieOfItsFamilyRealmAndTime() throws IOException {
    SealedState waiting = new SealedState(key, "waiting", 1, time, RecordedEnvelope.random());
    PendingCookies cookies = new PendingCookies(waiting, "sp", new PendingOverflow(time), time, RecordedEnvelope.random());
    var kept = (PendingCookies.Keeping.Kept) cookies.keep(request(""), REALM, browser, "id", PAYLOAD, LIFE);
    new RecordedEnvelope("pending-cookie")
        .isKept(
            String.join("\n", kept.setCookies()),
            text -> cookies.open(request(text.split(";", 2)[0]), REALM, browser, "id") instanceof UnsealResult.Opened(byte[] payload, var end)
                ? new String(payload, UTF_8) : "not opened",
            "payload");
  }

  private static EdgeRequest request(String cookies) {
    return new EdgeRequest(
        "GET", Origin.of(URI.create("https://app.example")), "/", "", Headers.of("Cookie", cookies), new byte[0], InetAddress.getLoopbackAddress());
  }

  @Test
  void aCookieOfADeviceIsItsEndThenItsDigest() throws IOException {
    BoundCookies cookies = new BoundCookies(key);
    new RecordedEnvelope("device-bound-cookie")
        .isKept(
            cookies.issue(REALM, browser.id(), "thumbprint", time.instant()),
            text -> cookies.end(REALM, browser.id(), "thumbprint", text, time.instant()).orElseThrow(),
            time.instant().plus(BoundCookies.LIFE));
  }

  @Test
  void aLineOfValuesIsItsHeadThenTheSealedCompressedValues() throws IOException {
    SealedLines lines = new SealedLines(Path.of("decisions.sealed"), RecordedEnvelope.key("lines"), "decisions");
    byte[] written = lines.line("head", List.of("one", "two")).getBytes(UTF_8);
    new RecordedEnvelope("sealed-line")
        .isRead(
            written,
            bytes -> {
              String line = new String(bytes, UTF_8).strip();
              return lines.open("head", line.substring("head ".length()).getBytes(UTF_8), String[].class).orElseThrow();
            },
            List.of("one", "two"));
  }
}

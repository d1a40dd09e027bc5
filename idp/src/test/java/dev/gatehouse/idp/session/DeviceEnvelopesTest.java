package dev.gatehouse.idp.session;

import dev.gatehouse.common.envelope.RecordedEnvelope;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.session.TokenSeal;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cookie of known browsers, and what a browser's token seals, as they were recorded. */
class DeviceEnvelopesTest {

  private final DeviceCookie cookie = new DeviceCookie(RecordedEnvelope.key("device"));

  @Test
  void aKnownBrowserHasDigestsOfItsPeople() throws IOException {
    Realm realm = TestRealms.demo();
    String name = cookie.digest(realm.name(), "name", "alice");
    String person = cookie.digest(realm.name(), "person", "1");
    var entry = new DeviceCookie.Entry(name, person, 42, Instant.parse("2026-01-01T12:00:00Z"));
    new RecordedEnvelope("known-device")
        .isKept(
            cookie.write(TestClients.post(realm, "login", Headers.of("Accept", "text/html")), List.of(entry)),
            value ->
                cookie.read(
                    TestClients.post(realm, "login", Headers.of("Cookie", "gh_device." + realm.name() + "=" + value))),
            List.of(entry));
  }

  @Test
  void aBrowsersTokenSealsUnderItself() throws IOException {
    TokenSeal seal = new TokenSeal("purpose");
    SessionToken token = new SessionToken("A".repeat(43));
    new RecordedEnvelope("token-seal")
        .isKept(
            seal.seal(token, "context", "plain".getBytes(StandardCharsets.UTF_8), RecordedEnvelope.random()),
            bytes -> new String(seal.open(token, "context", bytes).orElseThrow(), StandardCharsets.UTF_8), "plain");
  }
}

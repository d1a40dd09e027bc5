package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.RocksStores;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The browser carries requests that wait for a person, sealed; each is answered once. */
final class WaitingRequestTest {

  private final OAuthApp app = new OAuthApp();
  private final Realm realm = OAuthApp.realm(app);
  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final SealingKey sealing = SealingKey.inMemory(new SecureRandom());
  private final CountingStores stores = new CountingStores(new MemoryStores(time));
  private final Idp idp = new Idp(time, stores, sealing, realm);

  @Test
  void aCodeWithLoginWritesNothingForTheRequestButItsMark() {
    // When the request was stored until it was answered, there was one write more.
    TestBrowser browser = idp.browser();
    EdgeReply answer = browser.follow(browser.login(browser.follow(app.ask(browser)), "alice", "demo"));
    assertThat(app.exchange(idp, OAuthApp.code(answer)).path("id_token").asString()).isNotEmpty();
    assertThat(stores.awaited())
        .as("that the browser is known is not waited for")
        .containsExactly(
            "idp-sessions create",
            "replay firstSeen",
            "oauth-codes put",
            "oauth-codes take",
            "idp-sessions update",
            "oauth-authorizations create");
  }

  @Test
  void aSamlSignOnWithLoginWritesNothingForTheRequestButItsMark() {
    // When the request was stored until it was answered, there were two writes more.
    TestBrowser browser = idp.browser();
    EdgeReply form = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    assertThat(Idp.response(browser.follow(browser.login(form, "alice", "demo"))).assertions()).isNotEmpty();
    assertThat(stores.awaited()).containsExactly(
            "idp-sessions create", "replay firstSeen", "idp-sessions update");
  }

  @Test
  void anAnsweredRequestIsNotAnsweredAgainWithItsCookieBroughtAgain() {
    for (String start :
        List.of(
            OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(app.request()),
            "/realms/demo/saml/init?sp=" + Idp.APP,
            Idp.redirect(idp.authnRequest(Idp.APP)))) {
      TestBrowser browser = idp.browser();
      EdgeReply form = browser.follow(browser.get(start));
      Map<String, String> before = new LinkedHashMap<>(browser.cookies);
      EdgeReply resume = browser.login(form, "alice", "demo");
      assertThat(browser.follow(resume).status()).as(start).isIn(200, 303);
      assertThat(browser.cookies.keySet()).as("the browser needs not carry it").noneMatch(WaitingRequestTest::isWaiting);
      assertThat(browser.follow(resume).status()).isEqualTo(400);

      browser.cookies.putAll(before);
      assertThat(browser.follow(resume).status()).as("with the cookie brought again").isEqualTo(400);
    }
  }

  @Test
  void anAnsweredRequestIsNotAnsweredAgainAfterARestart(@TempDir Path data) {
    Map<String, String> before = new LinkedHashMap<>();
    Map<String, String> after = new LinkedHashMap<>();
    List<EdgeReply> resumes = new ArrayList<>();
    try (RocksStores durable = new RocksStores(data, time)) {
      TestBrowser browser = new Idp(time, durable, sealing, realm).browser();
      EdgeReply saml = browser.get("/realms/demo/saml/init?sp=" + Idp.APP);
      EdgeReply form = browser.follow(app.ask(browser));
      browser.follow(saml);
      before.putAll(browser.cookies);
      resumes.add(browser.login(form, "alice", "demo"));
      resumes.add(browser.follow(saml));
      resumes.forEach(resume -> assertThat(browser.follow(resume).status()).isIn(200, 303));
      after.putAll(browser.cookies);
    }
    try (RocksStores durable = new RocksStores(data, time)) {
      TestBrowser browser = new Idp(time, durable, sealing, realm).browser();
      browser.cookies.putAll(before);
      browser.cookies.putAll(after);
      assertThat(app.ask(browser).headers().first("Location").orElse("")).as("logged in").startsWith(OAuthApp.CALLBACK);
      resumes.forEach(resume -> assertThat(browser.follow(resume).status()).isEqualTo(400));
    }
  }

  /**
   * After a restore or {@code recover}, it is unknown which requests were answered before; tokens and sessions then
   * end, too.
   */
  @Test
  void whatWaitedBeforeMarksWereLostBeginsAgain(@TempDir Path data) {
    TestBrowser browser = idp.browser();
    List<EdgeReply> starts = new ArrayList<>();
    starts.add(app.ask(browser));
    starts.add(browser.get("/realms/demo/saml/init?sp=" + Idp.APP));
    for (String state : List.of("short", "long".repeat(150))) {
      starts.add(browser.postFromElsewhere(OAuthApp.AUTHORIZE, app.request("state", state)));
    }
    time.advance(Duration.ofSeconds(5));
    RocksStores.inPlaceOfLost(data, time).close();
    try (RocksStores made = new RocksStores(data, time)) {
      TestBrowser after = new Idp(time, made, sealing, realm).browser();
      after.cookies.putAll(browser.cookies);
      starts.forEach(start -> assertThat(after.follow(start).status()).isEqualTo(400));
      assertThat(after.follow(app.ask(after)).status()).as("a new one").isEqualTo(200);
    }
  }

  @Test
  void whatWaitsOutlivesARestartAndIsFinishedOnAnotherNode() {
    TestBrowser browser = idp.browser();
    EdgeReply start = app.ask(browser);
    EdgeReply form = browser.follow(start);
    TestBrowser other = new Idp(time, new MemoryStores(time), sealing, realm).browser();
    other.cookies.putAll(browser.cookies);
    assertThat(OAuthApp.code(other.follow(other.login(form, "alice", "demo")))).isNotEmpty();
  }

  @Test
  void fourTabsWaitAndAFifthTakesThePlaceOfTheOldest() {
    TestBrowser browser = idp.browser();
    List<EdgeReply> tabs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      time.advance(Duration.ofSeconds(1));
      tabs.add(app.ask(browser, "state", "tab" + i));
    }
    assertThat(browser.cookies.keySet()).filteredOn(WaitingRequestTest::isWaiting).hasSize(4);
    assertThat(browser.follow(tabs.getFirst()).status()).isEqualTo(400);
    EdgeReply answer = browser.follow(browser.login(browser.follow(tabs.get(1)), "alice", "demo"));
    assertThat(OAuthApp.query(answer).one("state")).contains("tab1");
    for (int i = 2; i < 5; i++) {
      assertThat(OAuthApp.query(browser.follow(browser.follow(tabs.get(i)))).one("state")).contains("tab" + i);
    }
  }

  @Test
  void aCookieOfAnotherBrowserOrRealmOrOfNobodyOpensNothing() {
    TestBrowser victim = idp.browser();
    EdgeReply start = app.ask(victim);
    TestBrowser thief = idp.browser();
    thief.get("/realms/demo/login");
    victim.cookies.forEach(
        (name, value) -> {
          if (isWaiting(name)) {
            thief.cookies.put(name, value);
          }
        });
    assertThat(thief.follow(start).status()).isEqualTo(400);
    victim.cookies.replaceAll(
        (name, value) ->
            isWaiting(name)
                ? value.substring(0, 40) + (value.charAt(40) == 'A' ? "B" : "A") + value.substring(41)
                : value);
    assertThat(victim.follow(start).status()).as("changed").isEqualTo(400);
  }

  @Test
  void aTypicalRequestIsACookieOfLessThanAKilobyte() {
    TestBrowser browser = idp.browser();
    app.ask(
        browser,
        "state", "af0ifjsldkj".repeat(8),
        "scope", "openid profile email offline_access",
        "claims", "{\"id_token\":{\"auth_time\":{\"essential\":true},\"acr\":{\"values\":[\"mfa\"]}},\"userinfo\":{\"email\":null}}",
        "login_hint", "alice@example.com",
        "ui_locales", "de en");
    browser.get(Idp.redirect(idp.authnRequest(Idp.APP), Optional.of("https://app.example/deep/link?with=a&query=string")));
    Map<String, String> waiting = new LinkedHashMap<>(browser.cookies);
    waiting.keySet().removeIf(name -> !isWaiting(name));
    assertThat(waiting).hasSize(2).allSatisfy((name, value) -> assertThat(name.length() + value.length()).isLessThan(1_000));
    assertThat(stores.writes).isEmpty();
  }

  @Test
  void aSavedRequestMayBeReloadedAndMeetsItsBrowser() {
    for (String state : List.of("short", "long".repeat(2_000))) {
      TestBrowser browser = idp.browser();
      EdgeReply saved = browser.postFromElsewhere(OAuthApp.AUTHORIZE, app.request("state", state));
      EdgeReply first = browser.follow(saved);
      EdgeReply second = browser.follow(saved);
      EdgeReply answer = browser.follow(browser.login(browser.follow(second), "alice", "demo"));
      assertThat(OAuthApp.query(answer).one("state")).contains(state);
      assertThat(browser.follow(browser.follow(first)).status()).as("the same request in another tab").isEqualTo(400);
      time.advance(Duration.ofMinutes(11));
      assertThat(browser.follow(saved).status()).isEqualTo(400);
    }
  }

  private static boolean isWaiting(String cookie) {
    return cookie.startsWith("gh_wait.");
  }
}

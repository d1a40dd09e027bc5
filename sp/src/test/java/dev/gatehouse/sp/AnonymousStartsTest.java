package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.sp.SpWorld.Delivery;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A browser that has not logged in carries its own waiting requests; a store is written only when something is
 * consumed.
 */
class AnonymousStartsTest {

  @TempDir Path data;

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);

  @AfterEach
  void close() {
    world.close();
  }

  private static EdgeRequest answer(SpWorld world, AuthnRequest request) {
    return world.posted(world.response(request), Optional.empty());
  }

  @Test
  void startsOfStrangersAreStoredNowhereAndKeepNobodyOut() {
    // More than the thousand that SavedRequests holds.
    for (int address = 0; address < 80; address++) {
      for (int i = 0; i < 15; i++) {
        TestBrowser stranger = new TestBrowser(world, "198.51." + address + ".7");
        assertThat(stranger.open(SpWorld.HOME + "/page" + i).status()).isEqualTo(303);
      }
    }
    assertThat(world.storeWrites()).isZero();

    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeReply landed = browser.follow(browser.submitFromElsewhere(answer(world, request)));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/here");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void theRequestIsOneSealedCookieThatIsRemovedWhenItIsAnswered() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/secret-page?x=1"));

    assertThat(browser.cookies(SpWorld.HOME).entrySet())
        .filteredOn(cookie -> cookie.getKey().startsWith("__Host-gh_wait.sp.demo."))
        .singleElement()
        .satisfies(
            cookie -> {
              assertThat(cookie.getKey().length() + 1 + cookie.getValue().length()).isLessThan(1024);
              assertThat(cookie.getValue()).doesNotContain("secret-page");
            });

    browser.follow(browser.submitFromElsewhere(answer(world, request)));

    assertThat(browser.cookies(SpWorld.HOME).keySet()).noneMatch(name -> name.contains("gh_wait"));
  }

  @Test
  void fourTabsCoexistAndAFifthTakesThePlaceOfTheFirst() {
    List<AuthnRequest> requests = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      requests.add(world.authnRequest(browser.open(SpWorld.HOME + "/tab" + i)));
      world.time.advance(Duration.ofSeconds(1));
    }

    assertThat(browser.submitWithCookies(answer(world, requests.getFirst())).status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("OTHER_BROWSER");
    for (int i = 4; i > 0; i--) {
      EdgeReply landed = browser.follow(browser.submitFromElsewhere(answer(world, requests.get(i))));
      assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/tab" + i);
    }
    assertThat(world.opened()).isEqualTo(4);
  }

  @Test
  void aVeryLongAddressWaitsAsWellAndStaysBelowWhatProxiesTake() {
    String path = "/search?q=" + "x".repeat(3500);
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + path));
    for (int i = 0; i < 3; i++) {
      browser.open(SpWorld.HOME + path + i);
    }
    int length =
        browser.cookies(SpWorld.HOME).entrySet().stream()
            .mapToInt(cookie -> cookie.getKey().length() + cookie.getValue().length() + 3)
            .sum();
    assertThat(length).isLessThan(8 * 1024);

    EdgeReply landed = browser.follow(browser.submitFromElsewhere(answer(world, request)));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + path);
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void theCookieOfAnotherBrowserIsOfNoUse() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    TestBrowser thief = new TestBrowser(world, "198.51.100.66");
    thief.open(SpWorld.HOME + "/");
    browser.cookies(SpWorld.HOME).forEach(
        (name, value) -> {
          if (name.contains("gh_wait")) {
            thief.setCookie(SpWorld.HOME, name, value);
          }
        });

    assertThat(thief.submitWithCookies(answer(world, request)).status()).isEqualTo(403);

    assertThat(world.refusals()).containsExactly("OTHER_BROWSER");
    assertThat(world.opened()).isZero();
  }

  @Test
  void theBackButtonAfterTheLoginOpensNothingMore() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeReply saved = browser.submitFromElsewhere(answer(world, request));
    EdgeReply again = browser.submitFromElsewhere(answer(world, request));
    browser.follow(saved);

    assertThat(SpWorld.location(browser.follow(saved))).hasToString(SpWorld.HOME + "/here");
    assertThat(browser.follow(again).status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("REPLAYED");
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void afterARestartALoginGoesOnAndAnAnsweredOneStaysAnswered() {
    SealingKey sealing = new SealingKey(data, new SecureRandom());
    TestBrowser before;
    TestBrowser kept;
    AuthnRequest open;
    AuthnRequest answered;
    RocksStores[] stores = new RocksStores[1];
    try (SpWorld first = world(stores, sealing)) {
      before = new TestBrowser(first);
      answered = first.authnRequest(before.open(SpWorld.HOME + "/one"));
      open = first.authnRequest(before.open(SpWorld.HOME + "/two"));
      kept = before.at(first);
      before.submitWithCookies(answer(first, answered));
      assertThat(first.opened()).isEqualTo(1);
    }
    stores[0].close();
    try (SpWorld second = world(stores, new SealingKey(data, new SecureRandom()))) {
      TestBrowser cheating = kept.at(second);
      assertThat(cheating.submitWithCookies(answer(second, answered)).status()).isEqualTo(403);
      assertThat(second.refusals()).containsExactly("REPLAYED");

      TestBrowser honest = before.at(second);
      EdgeReply landed = honest.follow(honest.submitFromElsewhere(answer(second, open)));

      assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/two");
      assertThat(second.opened()).isEqualTo(1);
    }
    stores[0].close();
  }

  /** A request that is too large for a cookie is only in memory: after its loss the person is told to begin again. */
  @Test
  void afterARestartALoginWithAVeryLongAddressIsToldToBeginAgain() {
    SealingKey sealing = new SealingKey(data, new SecureRandom());
    String path = "/search?q=" + "x".repeat(3500);
    RocksStores[] stores = new RocksStores[1];
    TestBrowser before;
    AuthnRequest request;
    try (SpWorld first = world(stores, sealing)) {
      before = new TestBrowser(first);
      request = first.authnRequest(before.open(SpWorld.HOME + path));
    }
    stores[0].close();
    try (SpWorld second = world(stores, sealing)) {
      TestBrowser honest = before.at(second);
      EdgeReply told = honest.follow(honest.submitFromElsewhere(answer(second, request)));

      assertThat(told.status()).isEqualTo(403);
      assertThat(told.text()).contains("Please begin again", "restarted", "href=\"/\"");
      assertThat(second.refusals()).containsExactly("REQUEST_LOST");
      AuthnRequest again = second.authnRequest(honest.open(SpWorld.HOME + path));
      EdgeReply landed = honest.follow(honest.submitFromElsewhere(answer(second, again)));
      assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + path);
    }
    stores[0].close();
  }

  @Test
  void afterARestartAnOpenIdLoginWithAVeryLongAddressIsToldToBeginAgain() {
    SealingKey sealing = new SealingKey(data, new SecureRandom());
    String path = "/search?q=" + "x".repeat(3500);
    RocksStores[] stores = new RocksStores[1];
    TestBrowser before;
    String lost;
    try (TestProvider provider = new TestProvider(new TestTime(SamlFixtures.NOW))) {
      UnaryOperator<TestRealms.Change> byOpenId =
          change -> change.providers(provider.config()).identityProviders(provider.issuer());
      try (SpWorld first = world(byOpenId, stores, sealing)) {
        provider.awaitKnown(first);
        before = new TestBrowser(first);
        lost = callback(provider, before.open(SpWorld.HOME + path));
      }
      stores[0].close();
      try (SpWorld second = world(byOpenId, stores, sealing)) {
        provider.awaitKnown(second);
        TestBrowser honest = before.at(second);
        EdgeReply told = honest.get(lost, "cross-site");

        assertThat(told.status()).isEqualTo(403);
        assertThat(told.text()).contains("Please begin again", "restarted", "href=\"/\"");
        assertThat(second.refusals()).containsExactly("REQUEST_LOST");
        EdgeReply landed = honest.get(callback(provider, honest.open(SpWorld.HOME + path)), "cross-site");
        assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + path);
        assertThat(second.opened()).isEqualTo(1);
      }
      stores[0].close();
    }
  }

  private static String callback(TestProvider provider, EdgeReply begun) {
    AuthenticationRequest request = provider.request(SpWorld.location(begun));
    return provider.callback(request, provider.login(request, "alice"));
  }

  private SpWorld world(RocksStores[] stores, SealingKey sealing) {
    return world(UnaryOperator.identity(), stores, sealing);
  }

  private SpWorld world(UnaryOperator<TestRealms.Change> change, RocksStores[] stores, SealingKey sealing) {
    return new SpWorld(change, Delivery.POST, time -> stores[0] = new RocksStores(data, time), sealing);
  }
}

package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.idp.session.KnownDevices;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong passwords from elsewhere do not lock people out of the browsers in which they are known. */
final class KnownDeviceTest {

  private static final String COOKIE = "gh_device.demo";
  private static final String LOGIN = "/realms/demo/login";

  private Idp idp = new Idp();
  private TestBrowser home = idp.browser();

  @Test
  void tenWrongPasswordsFromAnywhereDoNotLockThePersonOutAtHome() {
    signIn(home, "alice");
    wrongTimes(10, idp.browser(), "alice");
    assertThat(login(idp.browser(), "alice", "demo").status()).as("a browser that nobody knows").isEqualTo(429);

    assertThat(login(signedOut(home), "alice", "demo").status()).isEqualTo(303);
    assertThat(login(idp.browser(), "alice", "demo").status()).as("strangers gain nothing").isEqualTo(429);
  }

  @Test
  void itOutlivesARestart(@TempDir Path data) {
    TestTime time = new TestTime(SamlFixtures.NOW);
    SealingKey sealing = SealingKey.inMemory(new SecureRandom());
    String device;
    try (RocksStores stores = new RocksStores(data, time)) {
      TestBrowser browser = new Idp(time, stores, sealing, TestRealms.demo()).browser();
      signIn(browser, "alice");
      device = cookie(browser);
    }
    try (RocksStores stores = new RocksStores(data, time)) {
      idp = new Idp(time, stores, sealing, TestRealms.demo());
      wrongTimes(10, idp.browser(), "alice");
      assertThat(login(idp.browser(), "alice", "demo").status()).isEqualTo(429);
      assertThat(login(with(device), "alice", "demo").status()).isEqualTo(303);
    }
  }

  /** As after an upgrade that changes the format of the list. */
  @Test
  void aListThatCannotBeReadMakesEveryBrowserAStrangerUntilItsNextLogin(@TempDir Path data) {
    TestTime time = new TestTime(SamlFixtures.NOW);
    SealingKey sealing = SealingKey.inMemory(new SecureRandom());
    String former;
    try (RocksStores stores = new RocksStores(data, time)) {
      TestBrowser browser = new Idp(time, new OtherFormat(stores), sealing, TestRealms.demo()).browser();
      signIn(browser, "alice");
      former = cookie(browser);
    }
    try (RocksStores stores = new RocksStores(data, time)) {
      idp = new Idp(time, stores, sealing, TestRealms.demo());
      wrongTimes(9, with(former), "alice");
      TestBrowser browser = with(former);
      signIn(browser, "alice");
      wrongTimes(10, idp.browser(), "alice");
      assertThat(login(with(former), "alice", "demo").status()).as("a stranger").isEqualTo(429);
      assertThat(login(with(cookie(browser)), "alice", "demo").status()).as("known anew").isEqualTo(303);
    }
  }

  /** Stores whose lists of known devices begin with another version. */
  private record OtherFormat(Stores stores) implements Stores {
    @Override
    public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
      return stores.sessions(name, codec, expired);
    }

    @Override
    public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
      return stores.singleUse(name, name.equals(KnownDevices.STORE) ? otherVersion(codec) : codec);
    }

    private static <V> ValueCodec<V> otherVersion(ValueCodec<V> codec) {
      return new ValueCodec<>() {
        @Override
        public byte[] encode(V value) {
          byte[] bytes = codec.encode(value);
          bytes[0]--;
          return bytes;
        }

        @Override
        public V decode(byte[] bytes) {
          return codec.decode(bytes);
        }
      };
    }

    @Override
    public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
      return stores.due(name, codec);
    }

    @Override
    public ReplayCache replayCache() {
      return stores.replayCache();
    }
  }

  @Test
  void everySpellingOfTheNameIsKnown() {
    signIn(home, "alice");
    wrongTimes(10, idp.browser(), "alice");
    assertThat(login(idp.browser(), " ALICE", "wrong").status()).isEqualTo(429);
    assertThat(login(signedOut(home), " ALICE", "wrong").status()).as("looked at").isEqualTo(403);
  }

  @Test
  void aThiefOfTheCookieHasTenGuessesOfItsOwn() {
    signIn(home, "alice");
    TestBrowser thief = with(cookie(home));
    wrongTimes(10, thief, "alice");
    assertThat(login(thief, "alice", "demo").status()).isEqualTo(429);
    assertThat(login(idp.browser(), "alice", "demo").status()).isEqualTo(303);
  }

  @Test
  void itCountsForThatPersonAlone() {
    signIn(home, "alice");
    wrongTimes(10, idp.browser(), "bob");
    assertThat(login(with(cookie(home)), "bob", "demo").status()).isEqualTo(429);
  }

  /** A name in a form that proves nothing about it must not make the browser known for that name's owner. */
  @Test
  void aNameThatThisFormDidNotProveMakesNoDeviceKnown() {
    signIn(home, "alice");
    EdgeReply form = home.get("/realms/demo/password");
    Map<String, String> fields = new HashMap<>(Map.of("old", "demo", "new", "new-password", "again", "new-password"));
    fields.put("csrf", TestBrowser.field(form.text(), "csrf"));
    fields.put("username", "bob");
    home.post("/realms/demo/password", fields);
    wrongTimes(10, idp.browser(), "bob");

    assertThat(login(with(cookie(home)), "bob", "demo").status()).as("a stranger to bob").isEqualTo(429);
  }

  @Test
  void aForgedOrForeignCookieIsNone() {
    signIn(home, "alice");
    wrongTimes(10, idp.browser(), "alice");
    String real = cookie(home);
    char other = real.charAt(30) == 'A' ? 'B' : 'A';
    for (String forged : List.of("x", "%%%", "A".repeat(700), "A".repeat(5000), real.substring(0, 30) + other + real.substring(31))) {
      assertThat(login(with(forged), "alice", "demo").status()).as(forged).isEqualTo(429);
    }
  }

  @Test
  void aChangeOfThePasswordEndsAllOthers() {
    signIn(home, "alice");
    TestBrowser phone = idp.browser();
    signIn(phone, "alice");
    EdgeReply form = home.get("/realms/demo/password");
    assertThat(
            home.post(
                    "/realms/demo/password",
                    Map.of(
                        "old", "demo", "new", "new-password", "again", "new-password",
                        "csrf", TestBrowser.field(form.text(), "csrf")))
                .status())
        .isEqualTo(303);
    wrongTimes(10, idp.browser(), "alice");
    assertThat(login(with(cookie(phone)), "alice", "wrong").status()).isEqualTo(429);
    assertThat(login(with(cookie(home)), "alice", "wrong").status()).as("where it was changed").isEqualTo(403);
  }

  @Test
  void itEndsNinetyDaysAfterTheLastLogin() {
    signIn(home, "alice");
    String cookie = cookie(home);
    idp.time.advance(Duration.ofDays(89));
    signIn(home, "alice");
    assertThat(cookie(home)).as("renewed").isNotEqualTo(cookie);
    wrongTimes(10, idp.browser(), "alice");
    idp.time.advance(Duration.ofDays(89));
    assertThat(login(with(cookie), "alice", "demo").status()).as("the former one").isEqualTo(429);
    assertThat(login(with(cookie(home)), "alice", "demo").status()).isEqualTo(303);
  }

  @Test
  void aPersonHasTheTenBrowsersThatWereUsedLast() {
    List<String> cookies = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      TestBrowser browser = idp.browser();
      signIn(browser, "alice");
      cookies.add(cookie(browser));
    }
    wrongTimes(10, idp.browser(), "alice");
    assertThat(login(with(cookies.getFirst()), "alice", "demo").status()).isEqualTo(429);
    assertThat(login(with(cookies.get(1)), "alice", "demo").status()).isEqualTo(303);
    assertThat(login(with(cookies.getLast()), "alice", "demo").status()).isEqualTo(303);
  }

  @Test
  void severalPeopleAreAtHomeInOneBrowserAndTheCookieStaysSmall() {
    signIn(home, "alice");
    signIn(signedOut(home), "bob");
    for (int i = 0; i < 20; i++) {
      login(signedOut(home), "alice" + " ".repeat(i) + "x" + i, "demo");
    }
    wrongTimes(10, idp.browser(), "alice");
    wrongTimes(10, idp.browser(), "bob");
    assertThat(cookie(home)).hasSizeLessThan(700);
    assertThat(login(signedOut(home), "alice", "demo").status()).isEqualTo(303);
    assertThat(login(signedOut(home), "bob", "demo").status()).isEqualTo(303);
  }

  /** A person with only the password is still a stranger, and displaces none of the owner's browsers. */
  @Test
  void thePasswordAloneMakesNoBrowserKnownWhereASecondStepFollows() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    idp =
        new Idp(
            TestRealms.change(TestRealms.demo())
                .contracts(new ContractsConfig(false, SecondFactor.REQUIRED, plain.totp(), plain.certificate()))
                .realm());
    TestBrowser half = idp.browser();
    EdgeReply step = login(half, "alice", "demo");
    wrongTimes(10, idp.browser(), "alice");
    assertThat(login(half, "alice", "demo").status()).isEqualTo(429);

    EdgeReply page = half.follow(half.follow(step));
    page = page.status() == 303 ? half.follow(page) : page;
    Authenticator app = Authenticator.of(page.text());
    half.post(
        TestBrowser.attribute(page.text(), "action"),
        Map.of(
            "csrf", TestBrowser.field(page.text(), "csrf"),
            "code", app.code(idp.time.instant()), "label", "phone"));
    assertThat(half.cookies).containsKey("gh_idp.demo");
    assertThat(login(signedOut(half), "alice", "demo").status()).isEqualTo(303);
  }

  @Test
  void whoIsSlowedIsToldForHowLongInBothLanguagesAndAlikeForNamesThatDoNotExist() {
    for (String name : List.of("alice", "nobody")) {
      wrongTimes(10, idp.browser(), name);
      TestBrowser browser = idp.browser();
      EdgeReply slowed = login(browser, name, "demo");
      assertThat(slowed.status()).isEqualTo(429);
      assertThat(slowed.headers().first("Retry-After")).contains("90");
      assertThat(slowed.text()).contains("was not checked", "Please try again in 2 min.");
      browser.headers = Map.of("Accept", "text/html", "Accept-Language", "de");
      assertThat(login(browser, name, "demo").text()).contains("wurde nicht geprüft", "in 2 Min. noch einmal");
    }
  }

  private void wrongTimes(int times, TestBrowser browser, String name) {
    for (int i = 0; i < times; i++) {
      assertThat(login(browser, name, "wrong").status()).isEqualTo(403);
    }
  }

  private static void signIn(TestBrowser browser, String name) {
    assertThat(login(browser, name, "demo").status()).isEqualTo(303);
  }

  private static EdgeReply login(TestBrowser browser, String name, String password) {
    browser.cookies.remove("gh_idp.demo");
    return browser.login(browser.get(LOGIN), name, password);
  }

  private static TestBrowser signedOut(TestBrowser browser) {
    browser.cookies.remove("gh_idp.demo");
    return browser;
  }

  private static String cookie(TestBrowser browser) {
    return Objects.requireNonNull(browser.cookies.get(COOKIE));
  }

  /** A browser that has only this cookie. */
  private TestBrowser with(String cookie) {
    TestBrowser browser = idp.browser();
    browser.cookies.put(COOKIE, cookie);
    return browser;
  }
}

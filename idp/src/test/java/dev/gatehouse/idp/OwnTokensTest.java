package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The account page of tokens: what its owner can do, and what finders of browsers and thieves of passwords cannot. */
final class OwnTokensTest {

  private static final String TOKENS = "/realms/demo/account/tokens";
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final PersonId ALICE = FakeDirectory.ALICE.id();

  private Idp idp = new Idp(realm(SecondFactor.OPTIONAL));
  private TestBrowser browser = idp.browser();

  private static Realm realm(SecondFactor rule) {
    return realm(rule, TokenLogin.USUAL);
  }

  private static Realm realm(SecondFactor rule, TokenLogin tokens) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(false, rule, plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(tokens));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  @AfterEach
  void erase() {
    for (PersonId person : List.of(ALICE, FakeDirectory.BOB.id())) {
      List<Token> theirs = Idp.TOKENS.of("demo", person);
      Idp.TOKENS.erase("demo", person);
      theirs.forEach(token -> Idp.TOKENS.remove("demo", token.serial()));
    }
  }

  private void next() {
    idp.time.advance(Duration.ofSeconds(30));
  }

  private PasscodeResult login(String passcode) {
    PasscodeAttempt attempt = new PasscodeAttempt("alice", passcode, "vpn", "");
    return idp.context.getBean(PasscodeChecks.class).of(realm(SecondFactor.OPTIONAL)).orElseThrow().check(attempt);
  }

  private String code(int steps) throws Exception {
    return new TimeBasedOneTimePasswordGenerator()
        .generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant().plusSeconds(30L * steps));
  }

  private void assigned(Optional<String> pin) {
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    seeds.ensure("demo", "t-1", SEED, ALICE, "2468");
    if (pin.isEmpty()) {
      Idp.TOKENS.keepPins("demo", ALICE, Optional.empty(), false);
    }
  }

  private void logIn() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
  }

  private static String csrf(EdgeReply page) {
    return page.text().split("name=\"csrf\" value=\"")[1].split("\"")[0];
  }

  private EdgeReply act(Map<String, String> fields) {
    return act(browser, fields);
  }

  private static EdgeReply act(TestBrowser in, Map<String, String> fields) {
    Map<String, String> all = new HashMap<>(fields);
    all.put("csrf", csrf(in.get(TOKENS)));
    return in.post(TOKENS, all);
  }

  private EdgeReply begin() {
    return act(Map.of("action", "add"));
  }

  private static String location(EdgeReply reply) {
    return reply.headers().first("Location").orElse("");
  }

  private EdgeReply followed(EdgeReply reply) {
    EdgeReply next = reply;
    while (next.status() == 303) {
      next = browser.follow(next);
    }
    return next;
  }

  private EdgeReply confirm(EdgeReply begun, String code, String pin, String again) {
    String csrf = csrf(browser.follow(begun));
    return browser.post(location(begun), Map.of("csrf", csrf, "code", code, "pin", pin, "again", again));
  }

  private Authenticator enrol() {
    EdgeReply begun = begin();
    Authenticator app = Authenticator.of(browser.follow(begun).text());
    assertThat(location(confirm(begun, app.code(idp.time.instant()), "2580", "2580"))).endsWith("?done=enrolled");
    return app;
  }

  private List<String> changes() {
    return idp.audit.events(AuditEvent.TokenChanged.class).stream().map(AuditEvent.TokenChanged::change).toList();
  }

  @Test
  void aTokenIsSetUpWithAPinAndLogsIn() {
    logIn();
    assertThat(browser.get("/realms/demo/account").text()).contains("Tokens and PIN");
    EdgeReply begun = begin();
    EdgeReply page = browser.follow(begun);
    Authenticator app = Authenticator.of(page.text());
    assertThat(page.text()).contains("<svg", "otpauth://totp/");
    assertThat(confirm(begun, "000000", "2580", "2580").text()).contains("Not accepted. Please enter the code");
    assertThat(confirm(begun, app.code(idp.time.instant()), "1234", "1234").text()).contains("cannot be chosen");
    assertThat(confirm(begun, app.code(idp.time.instant()), "2580", "2581").text()).contains("differ");
    EdgeReply done = confirm(begun, app.code(idp.time.instant()), "2580", "2580");
    assertThat(browser.follow(done).text()).contains("has been set up", "app-", "in use");
    assertThat(changes()).containsExactly("enrolled", "pin-set");
    assertThat(login("2580" + app.code(idp.time.instant()))).as("its first code is used up").isNotInstanceOf(Accepted.class);
    next();
    assertThat(login("2580" + app.code(idp.time.instant()))).isInstanceOf(Accepted.class);
    assertThat(location(browser.get(location(begun)))).as("once").endsWith("/account/tokens");
  }

  @Test
  void anOldLoginOrAPasswordAloneSetsNothingUp() {
    logIn();
    idp.time.advance(Duration.ofMinutes(11));
    EdgeReply asked = begin();
    assertThat(location(asked)).contains("/realms/demo/login?pending=tokens");
    EdgeReply back = browser.login(browser.follow(asked), "alice", "demo");
    assertThat(location(back)).endsWith("/account/tokens");
    Authenticator app = enrol();
    // Now a further token needs a login with the first one.
    EdgeReply strong = begin();
    assertThat(location(strong)).contains("pending=tokens-strong");
    EdgeReply step = followed(strong);
    assertThat(step.text()).contains("name=\"passcode\"");
    next();
    EdgeReply in =
        browser.post(
            TestBrowser.attribute(step.text(), "action"), Map.of("csrf", csrf(step), "passcode", "2580" + app.code(idp.time.instant())));
    assertThat(location(in)).endsWith("/account/tokens");
    assertThat(location(begin())).contains("set-up?enrolment=");
  }

  @Test
  void otherBrowsersOtherPeopleAndOtherSitesGetNothing() {
    logIn();
    EdgeReply begun = begin();
    Authenticator app = Authenticator.of(browser.follow(begun).text());
    TestBrowser bobs = idp.browser();
    bobs.login(bobs.get("/realms/demo/login"), "bob", "demo");
    assertThat(location(bobs.get(location(begun)))).endsWith("/account/tokens");
    TestBrowser another = idp.browser();
    another.login(another.get("/realms/demo/login"), "alice", "demo");
    assertThat(location(another.get(location(begun)))).endsWith("/account/tokens");
    String code = app.code(idp.time.instant());
    EdgeReply stolen =
        another.post(location(begun), Map.of("csrf", csrf(another.get(TOKENS)), "code", code, "pin", "2580", "again", "2580"));
    assertThat(location(stolen)).endsWith("/account/tokens");
    EdgeReply forged = browser.post(location(begun), Map.of("csrf", "forged", "code", code, "pin", "2580", "again", "2580"));
    assertThat(forged.status()).isEqualTo(403);
    assertThat(browser.post(TOKENS, Map.of("action", "add")).status()).isEqualTo(403);
    assertThat(idp.browser().get(TOKENS).status()).as("no session").isEqualTo(303);
    assertThat(Idp.TOKENS.of("demo", ALICE)).isEmpty();
    enrol();
    String serial = Idp.TOKENS.of("demo", ALICE).getFirst().serial();
    for (String action : List.of("lost", "remove", "resynchronise")) {
      act(bobs, Map.of("action", action, "token", serial, "password", "demo", "first", "1", "second", "2"));
    }
    Token alices = Idp.TOKENS.find("demo", serial).orElseThrow();
    assertThat(alices.state()).isEqualTo(Token.State.ENABLED);
    assertThat(alices.person()).contains(ALICE);
  }

  @Test
  void anEnrolmentBegunWithAPasswordIsWorthNothingOnceATokenIsThere() {
    logIn();
    EdgeReply thieves = begin();
    Authenticator theirs = Authenticator.of(browser.follow(thieves).text());
    TestBrowser first = browser;
    browser = idp.browser();
    logIn();
    enrol();
    browser = first;
    assertThat(location(confirm(thieves, theirs.code(idp.time.instant()), "2580", "2580"))).endsWith("/account/tokens");
    assertThat(Idp.TOKENS.of("demo", ALICE)).hasSize(1);
  }

  @Test
  void ofEnrolmentsInParallelOneIsKeptAtMost() throws Exception {
    logIn();
    EdgeReply begun = begin();
    EdgeReply page = browser.follow(begun);
    String code = Authenticator.of(page.text()).code(idp.time.instant());
    Map<String, String> fields = Map.of("csrf", csrf(page), "code", code, "pin", "2580", "again", "2580");
    List<EdgeReply> replies = Race.of(8, i -> () -> browser.post(location(begun), fields));
    assertThat(replies).filteredOn(reply -> location(reply).endsWith("done=enrolled")).hasSize(1);
    assertThat(Idp.TOKENS.of("demo", ALICE)).hasSize(1);
  }

  @Test
  void aPinIsChangedWithTheFormerOneAndACode() throws Exception {
    logIn();
    assigned(Optional.of("2468"));
    Map<String, String> change = Map.of("action", "change-pin", "pin", "9173", "again", "9173");
    assertThat(act(with(change, "passcode", "0000" + code(0))).status()).isEqualTo(403);
    assertThat(act(with(change, "passcode", code(0))).status()).as("a code alone").isEqualTo(403);
    assertThat(act(with(Map.of("action", "first-pin", "pin", "9173", "again", "9173"), "passcode", code(0))).status()).isEqualTo(403);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isEqualTo(2);
    assertThat(location(act(with(change, "passcode", "2468" + code(0))))).endsWith("done=pin");
    next();
    assertThat(login("2468" + code(0))).isNotInstanceOf(Accepted.class);
    assertThat(login("9173" + code(0))).isInstanceOf(Accepted.class);
    next();
    EdgeReply former = act(Map.of("action", "change-pin", "passcode", "9173" + code(0), "pin", "2468", "again", "2468"));
    assertThat(former.status()).as("a former one").isEqualTo(400);
    for (int i = 0; i < 3; i++) {
      act(with(change, "passcode", "0000" + code(0)));
    }
    next();
    assertThat(act(with(change, "passcode", "9173" + code(0))).text()).contains("sign in with your token once");
  }

  @Test
  void aPinThatHasToBeChangedIsChangedHereToo() throws Exception {
    logIn();
    assigned(Optional.of("2468"));
    Optional<byte[]> former = Idp.TOKENS.holder("demo", ALICE).sealedPins();
    Idp.TOKENS.keepPins("demo", ALICE, former, true);
    assertThat(location(act(Map.of("action", "change-pin", "passcode", "2468" + code(0), "pin", "9173", "again", "9173"))))
        .endsWith("done=pin");
    next();
    assertThat(login("9173" + code(0))).isInstanceOf(Accepted.class);
  }

  @Test
  void aFirstPinNeedsAFreshLoginAndACode() throws Exception {
    logIn();
    assigned(Optional.empty());
    Map<String, String> first = Map.of("action", "first-pin", "pin", "9173", "again", "9173");
    assertThat(act(with(first, "passcode", "000000")).status()).isEqualTo(403);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).as("a guess counts").isEqualTo(1);
    assertThat(location(act(with(first, "passcode", code(0))))).endsWith("done=pin");
    next();
    assertThat(login("9173" + code(0))).isInstanceOf(Accepted.class);
    Idp.TOKENS.keepPins("demo", ALICE, Optional.empty(), false);
    idp.time.advance(Duration.ofMinutes(11));
    assertThat(location(act(with(first, "passcode", code(0))))).contains("/login?pending=tokens");
  }

  @Test
  void aPinIsProposedWherePeopleMayChooseAnother() throws Exception {
    TokenLogin usual = TokenLogin.USUAL;
    TokenLogin.Pin either = new TokenLogin.Pin(4, 8, false, 3, TokenLogin.ChosenBy.EITHER);
    idp = new Idp(realm(SecondFactor.OPTIONAL, new TokenLogin(either, usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor())));
    browser = idp.browser();
    logIn();
    EdgeReply begun = begin();
    EdgeReply setUp = browser.follow(begun);
    String taken = proposed(setUp);
    assertThat(location(confirm(begun, Authenticator.of(setUp.text()).code(idp.time.instant()), taken, taken))).endsWith("?done=enrolled");
    assertThat(proposed(browser.get(TOKENS))).as("another one").isNotEqualTo(taken);
    Idp.TOKENS.erase("demo", ALICE);
    assigned(Optional.empty());
    TestBrowser other = idp.browser();
    EdgeReply between = other.login(other.get("/realms/demo/login"), "alice", "demo");
    while (between.status() == 303) {
      between = other.follow(between);
    }
    assertThat(proposed(between)).hasSize(6);
    String first = proposed(browser.get(TOKENS));
    assertThat(location(act(Map.of("action", "first-pin", "passcode", code(0), "pin", first, "again", first)))).endsWith("done=pin");
    next();
    assertThat(location(act(Map.of("action", "change-pin", "passcode", first + code(0), "pin", "9173", "again", "9173")))).endsWith("done=pin");
    idp.realms.set(realm(SecondFactor.OPTIONAL));
    assertThat(browser.get(TOKENS).text()).doesNotContain("You may take this PIN");
  }

  private static String proposed(EdgeReply page) {
    assertThat(page.text()).contains("You may take this PIN, or choose another:");
    return page.text().replaceAll("(?s).*<code class=\"code\">([0-9]+)</code>.*", "$1");
  }

  @Test
  void aFirstPinIsChosenBetweenPasswordAndToken() throws Exception {
    assigned(Optional.empty());
    EdgeReply form = followed(browser.login(browser.get("/realms/demo/login"), "alice", "demo"));
    assertThat(form.text()).contains("Choose your PIN");
    String action = TestBrowser.attribute(form.text(), "action");
    Map<String, String> chosen = Map.of("csrf", csrf(form), "pin", "9173", "again", "9173");
    assertThat(browser.post(action, with(chosen, "passcode", "000000")).status()).isEqualTo(403);
    assertThat(browser.post(action, with(with(chosen, "again", "9174"), "passcode", code(0))).text()).contains("differ");
    assertThat(browser.post(action, with(with(chosen, "csrf", "x"), "passcode", code(0))).status()).isEqualTo(403);
    assertThat(idp.browser().post(action, with(chosen, "passcode", code(0))).status()).as("another browser").isIn(400, 403);
    EdgeReply next = browser.post(action, with(chosen, "passcode", code(0)));
    assertThat(browser.cookies).as("no login yet").doesNotContainKey("gh_idp.demo");
    EdgeReply step = followed(next);
    assertThat(step.text()).contains("Sign in with a token");
    next();
    assertThat(browser.post(action, with(Map.of("csrf", csrf(step)), "passcode", "9173" + code(0))).status()).isEqualTo(303);
    assertThat(browser.cookies).containsKey("gh_idp.demo");
    assertThat(changes()).containsExactly("pin-set");
  }

  @Test
  void aTokenWhoseClockIsOffIsFoundAgainByTwoCodes() throws Exception {
    logIn();
    assigned(Optional.of("2468"));
    assertThat(login("2468" + code(15))).isNotInstanceOf(Accepted.class);
    Map<String, String> fields = Map.of("action", "resynchronise", "token", "t-1");
    assertThat(act(with(with(fields, "first", code(15)), "second", code(17))).status()).as("not successive").isEqualTo(403);
    assertThat(location(act(with(with(fields, "first", code(15)), "second", code(16))))).endsWith("done=resynchronised");
    assertThat(act(with(with(fields, "first", code(15)), "second", code(16))).status()).as("used").isEqualTo(403);
    Idp.TOKENS.forgive("demo", ALICE);
    next();
    assertThat(login("2468" + code(16))).isInstanceOf(Accepted.class);
    for (int i = 0; i < 10; i++) {
      act(with(with(fields, "first", "000000"), "second", "000000"));
    }
    assertThat(act(with(with(fields, "first", code(17)), "second", code(18))).status()).as("locked").isEqualTo(403);
  }

  @Test
  void aLostTokenIsReportedWithThePasswordAndReplacedOnlyByTheHelpDesk() throws Exception {
    logIn();
    assigned(Optional.of("2468"));
    assertThat(act(Map.of("action", "lost", "token", "t-1", "password", "wrong")).status()).isEqualTo(403);
    assertThat(Idp.TOKENS.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.ENABLED);
    EdgeReply done = act(Map.of("action", "lost", "token", "t-1", "password", "demo"));
    assertThat(browser.follow(done).text()).contains("reported lost");
    assertThat(login("2468" + code(0))).isNotInstanceOf(Accepted.class);
    assertThat(changes()).containsExactly("lost");
    assertThat(location(begin())).as("a password alone is no replacement").contains("pending=tokens-strong");
  }

  private EdgeReply toTokenStep(TestBrowser in) {
    EdgeReply next = in.login(in.get("/realms/demo/login"), "alice", "demo");
    while (next.status() == 303) {
      next = in.follow(next);
    }
    assertThat(next.text()).contains("name=\"passcode\"");
    return next;
  }

  private static EdgeReply report(TestBrowser in, EdgeReply step, String password) {
    return in.post(
        TestBrowser.attribute(step.text(), "action"), Map.of("csrf", csrf(step), "action", "lost", "password", password));
  }

  @Test
  void theOnlyTokenIsReportedLostAfterThePasswordWhichOpensNothing() throws Exception {
    assigned(Optional.of("2468"));
    EdgeReply step = toTokenStep(browser);
    assertThat(report(browser, step, "wrong").status()).isEqualTo(403);
    assertThat(idp.browser().post(TestBrowser.attribute(step.text(), "action"), Map.of("action", "lost", "password", "demo")).status())
        .as("another browser").isIn(400, 403);
    assertThat(Idp.TOKENS.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.ENABLED);
    EdgeReply done = report(browser, step, "demo");
    assertThat(done.status()).isEqualTo(200);
    assertThat(done.text()).contains("has been reported lost").doesNotContain("name=\"passcode\"");
    assertThat(Idp.TOKENS.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.LOST);
    assertThat(changes()).containsExactly("lost");
    // The thief of the password is where they were: at the second step, which nothing passes.
    TestBrowser thief = idp.browser();
    EdgeReply still = toTokenStep(thief);
    assertThat(still.text()).doesNotContain("lost-password");
    assertThat(thief.post(TestBrowser.attribute(still.text(), "action"), Map.of("csrf", csrf(still), "passcode", "2468" + code(0))).status())
        .isEqualTo(403);
    for (String path : List.of("account", "account/tokens", "account/second-factor", "account/passkeys", "login/set-up")) {
      assertThat(thief.get("/realms/demo/" + path).status()).as(path).isNotEqualTo(200);
    }
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
    // Found again by the help desk, it is not lost again at once.
    Idp.TOKENS.change("demo", "t-1", Token.State.ENABLED);
    assertThat(report(thief, toTokenStep(thief), "demo").text()).contains("cannot be reported lost here");
    assertThat(Idp.TOKENS.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.ENABLED);
    idp.time.advance(Duration.ofDays(1));
    assertThat(report(thief, toTokenStep(thief), "demo").status()).isEqualTo(200);
  }

  @Test
  void aReportThatTheStoreRefusesIsNotTheOneOfTheDay() throws Exception {
    assigned(Optional.of("2468"));
    EdgeReply step = toTokenStep(browser);
    Idp.refusingLostTokens(
        () -> {
          EdgeReply refused = report(browser, step, "demo");
          assertThat(refused.status()).isEqualTo(503);
          assertThat(refused.text()).contains("could not be reported lost");
        });
    assertThat(Idp.TOKENS.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.ENABLED);
    assertThat(changes()).isEmpty();
    assertThat(report(browser, step, "demo").status()).isEqualTo(200);
    assertThat(Idp.TOKENS.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.LOST);
  }

  @Test
  void aTokenThatTheHelpDeskDisabledIsNotReportedLost() throws Exception {
    logIn();
    assigned(Optional.of("2468"));
    Idp.TOKENS.change("demo", "t-1", Token.State.DISABLED);
    assertThat(act(Map.of("action", "lost", "token", "t-1", "password", "demo")).status()).isEqualTo(403);
    assertThat(Idp.TOKENS.find("demo", "t-1").orElseThrow().state()).isEqualTo(Token.State.DISABLED);
  }

  @Test
  void whoHasSomethingElseToLogInWithReportsAfterTheLogin() throws Exception {
    assigned(Optional.of("2468"));
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    Idp.TOKENS.add("demo", List.of(seeds.token("demo", "t-2", dev.gatehouse.common.otp.TokenType.USUAL, SEED, 0, Optional.empty())));
    assertThat(Idp.TOKENS.assign("demo", "t-2", ALICE)).isTrue();
    EdgeReply step = toTokenStep(browser);
    assertThat(step.text()).doesNotContain("lost-password");
    assertThat(report(browser, step, "demo").status()).isEqualTo(403);
    assertThat(Idp.TOKENS.of("demo", ALICE)).allMatch(token -> token.state() == Token.State.ENABLED);
  }

  @Test
  void guessesAtThePasswordOfAReportAreThrottled() {
    assigned(Optional.of("2468"));
    EdgeReply step = toTokenStep(browser);
    int most = TestRealms.demo().idp().orElseThrow().throttle().perAccount();
    EdgeReply last = step;
    for (int i = 0; i <= most; i++) {
      last = report(browser, step, "wrong");
    }
    assertThat(last.status()).isEqualTo(429);
  }

  @Test
  void onlyTokensOfOnesOwnAreRemovedAndNotTheLastWhereOneIsRequired() throws Exception {
    logIn();
    assigned(Optional.of("2468"));
    EdgeReply asked = act(Map.of("action", "remove", "token", "t-1"));
    assertThat(location(asked)).contains("pending=tokens-strong");
    EdgeReply step = followed(asked);
    browser.post(TestBrowser.attribute(step.text(), "action"), Map.of("csrf", csrf(step), "passcode", "2468" + code(0)));
    assertThat(act(Map.of("action", "remove", "token", "t-1")).status()).as("the company's").isEqualTo(403);
    EdgeReply begun = begin();
    Authenticator app = Authenticator.of(browser.follow(begun).text());
    confirm(begun, app.code(idp.time.instant()), "", "");
    String own = Idp.TOKENS.of("demo", ALICE).stream().map(Token::serial).filter(s -> s.startsWith("app-")).findFirst().orElseThrow();
    Idp.TOKENS.change("demo", "t-1", Token.State.LOST);
    idp.realms.set(realm(SecondFactor.REQUIRED));
    EdgeReply last = act(Map.of("action", "remove", "token", own));
    assertThat(last.text()).contains("second step is required");
    Idp.TOKENS.change("demo", "t-1", Token.State.ENABLED);
    assertThat(location(act(Map.of("action", "remove", "token", own)))).endsWith("done=removed");
    assertThat(Idp.TOKENS.find("demo", own)).isEmpty();
  }

  @Test
  void afterALossOfSecondFactorsAPasswordSetsNothingUp() {
    logIn();
    idp.secondFactors.wereLost = true;
    EdgeReply refused = begin();
    assertThat(refused.status()).isIn(303, 403);
    assertThat(location(refused)).doesNotContain("set-up");
  }

  private static Map<String, String> with(Map<String, String> fields, String name, String value) {
    Map<String, String> all = new HashMap<>(fields);
    all.put(name, value);
    return all;
  }
}

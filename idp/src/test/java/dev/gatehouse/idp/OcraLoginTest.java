package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.ChosenBy;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.PinHashes;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.otp.ocra.OcraCodes;
import dev.gatehouse.idp.otp.ocra.OcraSuite;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Logins by challenge and response (RFC 6287), and PINs that the server makes. */
final class OcraLoginTest {

  private static final PersonId ALICE = FakeDirectory.ALICE.id();
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final String PLAIN = "OCRA-1:HOTP-SHA1-6:QN08";
  private static final String COUNTING = "OCRA-1:HOTP-SHA256-8:C-QN08";
  private static final String WITH_PIN = "OCRA-1:HOTP-SHA256-8:QA10-PSHA1-T1M";

  private Idp idp = new Idp(realm(ChosenBy.PERSON));

  private static Realm realm(ChosenBy chosenBy) {
    TokenLogin usual = TokenLogin.USUAL;
    TokenLogin.Pin pin = new TokenLogin.Pin(4, 8, false, 3, chosenBy);
    TokenLogin rules = new TokenLogin(pin, usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor());
    ContractsConfig contracts =
        new ContractsConfig(
            false, SecondFactor.OPTIONAL, ContractsConfig.FORM_ALONE.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(rules));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  private void give(String serial, String text) throws Exception {
    OcraSuite suite = OcraSuite.parse(text);
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    TokenType type = new TokenType(Kind.OCRA, suite.hash(), suite.digits(), 0, Optional.of(text));
    Token token = seeds.token("demo", serial, type, SEED, 0, Optional.empty());
    assertThat(Idp.TOKENS.add("demo", List.of(token))).isEmpty();
    assertThat(Idp.TOKENS.assign("demo", serial, ALICE)).isTrue();
    seeds.givePin("demo", ALICE, "2468");
  }

  private PasscodeCheck check() {
    return idp.context.getBean(PasscodeChecks.class).of(idp.realms.find("demo").orElseThrow()).orElseThrow();
  }

  private static PasscodeAttempt attempt(String typed) {
    return new PasscodeAttempt("alice", typed, "vpn", "");
  }

  private Challenged ask() {
    return (Challenged) check().check(attempt("2468"));
  }

  private String response(String suite, long counter, Challenged asked) throws Exception {
    long step = idp.time.instant().getEpochSecond() / 60;
    return new OcraCodes(OcraSuite.parse(suite), SEED)
        .of(new OcraCodes.Input(counter, asked.shown().orElseThrow(), "2468", new byte[0], step));
  }

  private PasscodeResult answer(Challenged asked, String typed) {
    return check().answer(asked.reference(), attempt(typed));
  }

  @Test
  void thePinBringsAChallengeAndItsResponseCountsOnce() throws Exception {
    give("ocra", PLAIN);
    Challenged asked = ask();
    assertThat(asked.question()).isEqualTo(Question.RESPONSE);
    assertThat(asked.shown().orElseThrow()).matches("[0-9]{8}");
    String right = response(PLAIN, 0, asked);
    assertThat(answer(asked, right)).isEqualTo(new Accepted(FakeDirectory.ALICE, "ocra"));
    assertThat(answer(asked, right)).as("again").isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(answer(ask(), right)).as("for another challenge").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
  }

  @Test
  void whoAsksAgainGetsTheSameChallengeUntilAResponseHasCountedOrItIsOver() throws Exception {
    give("ocra", PLAIN);
    idp.time.advance(Duration.ofSeconds(300 - idp.time.instant().getEpochSecond() % 300));
    Challenged first = ask();
    assertThat(ask().shown()).isEqualTo(first.shown());
    assertThat(answer(ask(), "000000")).isInstanceOf(Refused.class);
    assertThat(ask().shown()).as("after a wrong one").isEqualTo(first.shown());
    Challenged answered = ask();
    assertThat(answer(answered, response(PLAIN, 0, answered))).isInstanceOf(Accepted.class);
    Challenged second = ask();
    assertThat(second.shown()).as("after a right one").isNotEqualTo(first.shown());
    idp.time.advance(Duration.ofMinutes(5));
    assertThat(ask().shown()).as("after its time").isNotEqualTo(second.shown());
  }

  @Test
  void aChallengeBelongsToThePersonAndTheWayIn() throws Exception {
    give("ocra", PLAIN);
    Challenged asked = ask();
    String right = response(PLAIN, 0, asked);
    PasscodeAttempt elsewhere = new PasscodeAttempt("alice", right, "another", "");
    assertThat(check().answer(asked.reference(), elsewhere)).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    PasscodeAttempt bob = new PasscodeAttempt("bob", right, "vpn", "");
    assertThat(check().answer(asked.reference(), bob)).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(answer(asked, right)).as("still the owner's").isInstanceOf(Accepted.class);
  }

  @Test
  void ofParallelAnswersOneCounts() throws Exception {
    give("ocra", PLAIN);
    Challenged asked = ask();
    String right = response(PLAIN, 0, asked);
    assertThat(Race.of(16, i -> () -> answer(asked, right) instanceof Accepted)).containsOnlyOnce(true);
  }

  @Test
  void aCounterMovesOnAndNeverBack() throws Exception {
    give("ocra", COUNTING);
    Challenged first = ask();
    assertThat(answer(first, response(COUNTING, 3, first))).isInstanceOf(Accepted.class);
    Challenged second = ask();
    assertThat(answer(second, response(COUNTING, 3, second))).as("the same press").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    Challenged third = ask();
    assertThat(answer(third, response(COUNTING, 4, third))).isInstanceOf(Accepted.class);
    Challenged far = ask();
    assertThat(answer(far, response(COUNTING, 15, far))).as("too far ahead").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
  }

  @Test
  void aSuiteWithAPinTakesItBeforeTheResponse() throws Exception {
    give("ocra", WITH_PIN);
    Challenged asked = ask();
    assertThat(asked.shown().orElseThrow()).hasSize(10);
    assertThat(answer(asked, response(WITH_PIN, 0, asked))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    Challenged again = ask();
    assertThat(answer(again, "2468" + response(WITH_PIN, 0, again))).isInstanceOf(Accepted.class);
  }

  @Test
  void wrongResponsesCountAndThreeOfThemAskForTwoChallenges() throws Exception {
    give("ocra", PLAIN);
    for (int i = 0; i < 3; i++) {
      assertThat(answer(ask(), "000000")).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    }
    Challenged first = ask();
    PasscodeResult next = answer(first, response(PLAIN, 0, first));
    assertThat(next).isInstanceOf(Challenged.class);
    idp.time.advance(java.time.Duration.ofSeconds(1));
    Challenged second = (Challenged) next;
    assertThat(second.shown()).isNotEqualTo(first.shown());
    assertThat(answer(second, response(PLAIN, 0, second))).isInstanceOf(Accepted.class);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isZero();
  }

  @Test
  void aWrongPinBringsNoChallenge() throws Exception {
    give("ocra", PLAIN);
    assertThat(check().check(attempt("2469"))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    Idp.TOKENS.change("demo", "ocra", Token.State.DISABLED);
    assertThat(check().check(attempt("2468"))).as("a token that does not count").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
  }

  @Test
  void theLoginPageShowsTheChallenge() throws Exception {
    give("ocra", PLAIN);
    TestBrowser browser = idp.browser();
    EdgeReply form = browser.get("/realms/demo/login/token");
    EdgeReply asked =
        browser.post(
            "/realms/demo/login/token", Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "username", "alice", "passcode", "2468"));
    String challenge = asked.text().replaceAll("(?s).*<code class=\"code\">([0-9]{8})</code>.*", "$1");
    assertThat(challenge).matches("[0-9]{8}");
    String right =
        new OcraCodes(OcraSuite.parse(PLAIN), SEED).of(new OcraCodes.Input(0, challenge, "", new byte[0], 0));
    EdgeReply in =
        browser.post(
            "/realms/demo/login/token",
            Map.of(
                "csrf", TestBrowser.field(asked.text(), "csrf"), "username", "alice", "challenge",
                TestBrowser.field(asked.text(), "challenge"), "passcode", right));
    assertThat(in.headers().first("Location").orElse("")).contains("/realms/demo/account");
  }

  private static final String TOKENS = "/realms/demo/account/tokens";

  private TestBrowser loggedIn() {
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    return browser;
  }

  private static EdgeReply act(TestBrowser in, String action, String passcode, String challenge, String pin) {
    return in.post(
        TOKENS,
        Map.of(
            "csrf", TestBrowser.field(in.get(TOKENS).text(), "csrf"), "action", action, "passcode", passcode, "challenge", challenge,
            "pin", pin, "again", pin));
  }

  /** What a token answers to the challenge of a page. */
  private static String response(EdgeReply page) throws Exception {
    String challenge = page.text().replaceAll("(?s).*<code class=\"code\">([0-9]{8})</code>.*", "$1");
    assertThat(challenge).as(page.text()).matches("[0-9]{8}");
    return new OcraCodes(OcraSuite.parse(PLAIN), SEED).of(new OcraCodes.Input(0, challenge, "", new byte[0], 0));
  }

  private static String reference(EdgeReply page) {
    return TestBrowser.field(page.text(), "challenge");
  }

  @Test
  void aPinIsChangedByTheResponseToAChallengeThatFollowsIt() throws Exception {
    TestBrowser browser = loggedIn();
    give("ocra", PLAIN);
    assertThat(act(browser, "change-pin", "2469", "", "9173").status()).as("a wrong PIN").isEqualTo(403);
    EdgeReply asked = act(browser, "change-pin", "2468", "", "9173");
    assertThat(asked.status()).isEqualTo(200);
    EdgeReply sequence = act(browser, "change-pin", "000000", reference(asked), "1234");
    assertThat(sequence.status()).isEqualTo(400);
    assertThat(reference(sequence)).as("not looked at").isEqualTo(reference(asked));
    EdgeReply done = act(browser, "change-pin", response(asked), reference(asked), "9173");
    assertThat(done.headers().first("Location").orElse("")).endsWith("done=pin");
    assertThat(act(browser, "change-pin", response(asked), reference(asked), "6284").status()).as("again").isEqualTo(403);
    assertThat(check().check(attempt("2468"))).isInstanceOf(Refused.class);
    assertThat(check().check(attempt("9173"))).isInstanceOf(Challenged.class);
    assertThat(idp.audit.events(AuditEvent.PasscodeDecided.class))
        .extracting(AuditEvent.PasscodeDecided::by)
        .containsOnly("account", "vpn");
  }

  @Test
  void afterWrongOnesThePageAsksForASecondResponse() throws Exception {
    TestBrowser browser = loggedIn();
    give("ocra", PLAIN);
    for (int i = 0; i < 3; i++) {
      assertThat(act(browser, "change-pin", "000000", reference(act(browser, "change-pin", "2468", "", "9173")), "9173").status()).isEqualTo(403);
    }
    EdgeReply first = act(browser, "change-pin", "2468", "", "9173");
    EdgeReply second = act(browser, "change-pin", response(first), reference(first), "9173");
    assertThat(second.status()).isEqualTo(200);
    assertThat(reference(second)).isNotEqualTo(reference(first));
    idp.time.advance(Duration.ofSeconds(1));
    assertThat(act(browser, "change-pin", response(second), reference(second), "9173").headers().first("Location").orElse("")).endsWith("done=pin");
  }

  @Test
  void aFirstPinIsChosenByAResponseAndItsChallengeChangesNoPin() throws Exception {
    TestBrowser browser = loggedIn();
    give("ocra", PLAIN);
    Idp.TOKENS.keepPins("demo", ALICE, Optional.empty(), false);
    assertThat(browser.get(TOKENS).text()).contains("you are shown a challenge for it next");
    EdgeReply asked = act(browser, "first-pin", "", "", "9173");
    assertThat(act(browser, "first-pin", "000000", reference(asked), "9173").status()).isEqualTo(403);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).as("a guess counts").isEqualTo(1);
    EdgeReply late = act(browser, "first-pin", "", "", "9173");
    EdgeReply again = act(browser, "first-pin", "", "", "9173");
    assertThat(act(browser, "first-pin", response(again), reference(again), "9173").headers().first("Location").orElse("")).endsWith("done=pin");
    idp.time.advance(Duration.ofMinutes(5));
    for (String action : List.of("change-pin", "first-pin")) {
      assertThat(act(browser, action, response(late), reference(late), "6284").status()).as(action).isEqualTo(403);
    }
    assertThat(check().check(attempt("9173"))).isInstanceOf(Challenged.class);
  }

  @Test
  void aFirstPinIsChosenByAResponseBetweenPasswordAndToken() throws Exception {
    give("ocra", PLAIN);
    Idp.TOKENS.keepPins("demo", ALICE, Optional.empty(), false);
    TestBrowser browser = idp.browser();
    EdgeReply form = browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    while (form.status() == 303) {
      form = browser.follow(form);
    }
    String action = TestBrowser.attribute(form.text(), "action");
    String csrf = TestBrowser.field(form.text(), "csrf");
    EdgeReply asked = browser.post(action, Map.of("csrf", csrf, "pin", "9173", "again", "9173"));
    assertThat(asked.status()).isEqualTo(200);
    Map<String, String> answered =
        Map.of("csrf", csrf, "pin", "9173", "again", "9173", "challenge", reference(asked), "passcode", response(asked));
    assertThat(browser.post(action, answered).status()).isEqualTo(303);
    assertThat(browser.cookies).as("no login yet").doesNotContainKey("gh_idp.demo");
    assertThat(check().check(attempt("9173"))).isInstanceOf(Challenged.class);
  }

  @Test
  void aChallengeThatFollowedAFormerPinChangesNoLaterOne() throws Exception {
    TestBrowser browser = loggedIn();
    give("ocra", PLAIN);
    EdgeReply asked = act(browser, "change-pin", "2468", "", "9173");
    TokenDesk desk = idp.context.getBean(TokenDesk.class);
    String made = desk.resetPin("demo", ALICE.value()) instanceof Result.Accepted<String, TokenDesk.Refusal>(String pin) ? pin : "none";
    assertThat(act(browser, "change-pin", response(asked), reference(asked), "9173").status()).isEqualTo(403);
    assertThat(check().check(attempt(made))).isInstanceOf(Challenged.class);
    assertThat(idp.audit.events(AuditEvent.PasscodeDecided.class).reversed())
        .extracting(AuditEvent.PasscodeDecided::detail)
        .contains("CHALLENGE_UNKNOWN");
  }

  @Test
  void whoIsNotAdmittedUsesUpNothing() throws Exception {
    give("ocra", PLAIN);
    PasscodeAttempt pin = new PasscodeAttempt("alice", "2468", "vpn", "", person -> false);
    assertThat(check().check(pin)).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isZero();
    Idp.TOKENS.add("demo", List.of(idp.context.getBean(TokenSeeds.class).token("demo", "t", TokenType.USUAL, SEED, 0, Optional.empty())));
    Idp.TOKENS.assign("demo", "t", ALICE);
    String code = Authenticator.of(SEED).code(idp.time.instant());
    PasscodeAttempt right = new PasscodeAttempt("alice", "2468" + code, "vpn", "", person -> false);
    assertThat(check().check(right)).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    assertThat(check().check(attempt("2468" + code))).as("not used up before").isInstanceOf(Accepted.class);
  }

  /** The PIN that the server makes for somebody with this one, always by the same draws. */
  private String made(String pin) {
    Idp.TOKENS.keepPins("demo", ALICE, Idp.TOKENS.holder("demo", ALICE).sealedPins(), true);
    PasscodeChecks checks =
        new PasscodeChecks(
            Idp.TOKENS, idp.context.getBean(PinHashes.class), realm -> idp.directory, idp.context.getBean(SealingKey.class), idp.audit,
            new MemoryStores(idp.time), idp.time, new Random(5));
    String code = Authenticator.of(SEED).code(idp.time.instant());
    PasscodeResult result = checks.of(realm(ChosenBy.SERVER)).orElseThrow().check(attempt(pin + code));
    assertThat(result).isInstanceOf(Challenged.class);
    return ((Challenged) result).shown().orElseThrow();
  }

  @Test
  void aPinThatThePersonHasIsDrawnAgain() {
    idp = new Idp(realm(ChosenBy.SERVER));
    idp.time.advance(Duration.ofHours(1));
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    seeds.ensure("demo", "t", SEED, ALICE, "2468");
    String first = made("2468");
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(made("2468")).as("by the same draws").isEqualTo(first);
    Idp.TOKENS.erase("demo", ALICE);
    Idp.TOKENS.remove("demo", "t");
    idp.time.advance(Duration.ofSeconds(30));
    seeds.ensure("demo", "t", SEED, ALICE, first);
    assertThat(made(first)).matches("[0-9]{6}").isNotEqualTo(first);
  }

  @Test
  void theServersPinIsShownOnceTypedBackAndNoSequence() throws Exception {
    idp = new Idp(realm(ChosenBy.SERVER));
    give("ocra", PLAIN);
    temporary("2468");
    Challenged asked = ask();
    PasscodeResult next = answer(asked, response(PLAIN, 0, asked));
    Challenged made = (Challenged) next;
    assertThat(made.question()).isEqualTo(Question.SERVER_PIN);
    String pin = made.shown().orElseThrow();
    assertThat(pin).matches("[0-9]{6}");
    assertThat(made.toString()).doesNotContain(pin);
    assertThat(idp.audit.events().toString()).doesNotContain(pin);
    assertThat(answer(made, pin)).isInstanceOf(Accepted.class);
    idp.time.advance(java.time.Duration.ofSeconds(1));
    assertThat(check().check(attempt("2468"))).as("the temporary one").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(check().check(attempt(pin))).isInstanceOf(Challenged.class);
  }

  @Test
  void anotherPinThanTheServersIsRefused() throws Exception {
    idp = new Idp(realm(ChosenBy.SERVER));
    give("ocra", PLAIN);
    temporary("2468");
    Challenged asked = ask();
    Challenged made = (Challenged) answer(asked, response(PLAIN, 0, asked));
    assertThat(answer(made, "583914")).isEqualTo(new Refused(Reason.PIN_NOT_ALLOWED));
    assertThat(Idp.TOKENS.holder("demo", ALICE).newPin()).as("asked again at the next login").isTrue();
  }

  @Test
  void aProposedPinMayBeTakenOrNot() throws Exception {
    idp = new Idp(realm(ChosenBy.EITHER));
    give("ocra", PLAIN);
    temporary("2468");
    Challenged asked = ask();
    Challenged made = (Challenged) answer(asked, response(PLAIN, 0, asked));
    assertThat(made.question()).isEqualTo(Question.NEW_PIN);
    assertThat(made.shown()).isPresent();
    Challenged again = (Challenged) answer(made, "580314");
    assertThat(answer(again, "580314")).isInstanceOf(Accepted.class);
  }

  private void temporary(String pin) {
    assertThat(Idp.TOKENS.replacePins("demo", ALICE, Idp.TOKENS.holder("demo", ALICE).sealedPins(),
            Idp.TOKENS.holder("demo", ALICE).sealedPins().orElseThrow(), true)).as(pin).isTrue();
  }
}

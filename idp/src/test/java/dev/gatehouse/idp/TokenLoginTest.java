package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PersonAccess;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
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
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.otp.TokenSeeds;
import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passcodes of tokens: what counts, once, and what becomes of wrong ones (SECURITY-CASES 77, 81). */
final class TokenLoginTest {

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final String SERIAL = "t-1";

  private final Idp idp = new Idp(realm());
  private final PasscodeCheck check = idp.context.getBean(PasscodeChecks.class).of(realm()).orElseThrow();

  private static Realm realm() {
    return realm(TokenLogin.USUAL);
  }

  private static Realm realm(TokenLogin rules) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(rules));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  @BeforeEach
  void assign() {
    seeds().ensure("demo", SERIAL, SEED, FakeDirectory.ALICE.id(), "2468");
  }

  @AfterEach
  void erase() {
    Idp.TOKENS.erase("demo", FakeDirectory.ALICE.id());
    Idp.TOKENS.remove("demo", SERIAL);
  }

  private TokenSeeds seeds() {
    return idp.context.getBean(TokenSeeds.class);
  }

  private String code(int steps) throws Exception {
    return new TimeBasedOneTimePasswordGenerator()
        .generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant().plusSeconds(30L * steps));
  }

  private static PasscodeAttempt typed(String name, String passcode) {
    return new PasscodeAttempt(name, passcode, "vpn", "");
  }

  private PasscodeResult alice(String passcode) {
    return check.check(typed("alice", passcode));
  }

  private void next() {
    idp.time.advance(Duration.ofSeconds(30));
  }

  @Test
  void pinAndCodeLogInOnce() throws Exception {
    TestBrowser browser = idp.browser();
    EdgeReply form = browser.get("/realms/demo/login/token");
    String csrf = form.text().split("name=\"csrf\" value=\"")[1].split("\"")[0];
    Map<String, String> fields = Map.of("csrf", csrf, "username", "alice", "passcode", "2468" + code(0));
    EdgeReply in = browser.post("/realms/demo/login/token", fields);
    assertThat(in.headers().first("Location")).contains("/realms/demo/account");
    assertThat(idp.audit.events(AuditEvent.LoginSucceeded.class)).extracting(AuditEvent.LoginSucceeded::contract).containsExactly("token");
    EdgeReply again = idp.browser().get("/realms/demo/login");
    assertThat(again.text()).contains("Use a token");
    assertThat(alice("2468" + code(0))).isEqualTo(new Refused(Reason.CODE_USED));
    EdgeReply refused = browser.post("/realms/demo/login/token", fields);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("Not accepted").doesNotContain("CODE_USED");
  }

  @Test
  void whoseCodeMayHaveCountedIsNotToldThatItWasNot() throws Exception {
    for (int i = 0; i < TokenLogin.USUAL.nextCodeAfter(); i++) {
      Idp.TOKENS.countWrong("demo", FakeDirectory.ALICE.id(), TokenLogin.USUAL.lockAfter(), Optional.empty());
    }
    TestBrowser browser = idp.browser();
    EdgeReply form = browser.get("/realms/demo/login/token");
    Map<String, String> fields = new HashMap<>(Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "username", "alice"));
    fields.put("passcode", "2468" + code(0));
    EdgeReply asked = browser.post("/realms/demo/login/token", fields);
    assertThat(asked.text()).contains("Next code");
    idp.directory.down = true;
    assertThat(browser.post("/realms/demo/login/token", fields).text()).contains("was not counted");
    fields.put("challenge", TestBrowser.field(asked.text(), "challenge"));
    EdgeReply midway = browser.post("/realms/demo/login/token", fields);
    assertThat(midway.status()).isEqualTo(503);
    assertThat(midway.text()).contains("It is not known whether your passcode counted").doesNotContain("was not counted");
    idp.directory.down = false;
  }

  @Test
  void aPasswordAloneIsNotSufficientForWhoHasAToken() throws Exception {
    TestBrowser browser = idp.browser();
    EdgeReply step = browser.follow(browser.login(browser.get("/realms/demo/login"), "alice", "demo"));
    assertThat(browser.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(step.headers().first("Location").orElseThrow()).contains("/realms/demo/login/second/token?step=");
    EdgeReply form = browser.follow(step);
    String csrf = form.text().split("name=\"csrf\" value=\"")[1].split("\"")[0];
    EdgeReply in =
        browser.post(step.headers().first("Location").orElseThrow(), Map.of("csrf", csrf, "username", "bob", "passcode", "2468" + code(0)));
    assertThat(in.headers().first("Location")).contains("/realms/demo/account");
    assertThat(browser.cookies).containsKey("gh_idp.demo");
  }

  @Test
  void aThiefOfThePasswordAddsNoAppInPlaceOfTheToken() throws Exception {
    TestBrowser thief = idp.browser();
    String step = thief.login(thief.get("/realms/demo/login"), "alice", "demo").headers().first("Location").orElseThrow();
    String query = step.substring(step.indexOf('?'));
    String next = thief.follow(thief.get("/realms/demo/login/set-up" + query)).headers().first("Location").orElseThrow();
    assertThat(next).contains("/realms/demo/login/second/token?step=");
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
  }

  @Test
  void noAppIsSetUpWhereSecondFactorsAreOff() throws Exception {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    idp.realms.set(
        TestRealms.change(TestRealms.demo())
            .contracts(
                new ContractsConfig(
                    false, ContractsConfig.SecondFactor.OFF, plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
                    Optional.of(TokenLogin.USUAL)))
            .realm());
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    assertThat(browser.get("/realms/demo/login/set-up?pending=account").status()).isIn(303, 404);
    assertThat(browser.get("/realms/demo/login/set-up?pending=account").text()).doesNotContain("enrolment");
  }

  /** A session of a password, from before the token was assigned, changes no passkeys any more. */
  @Test
  void whoHasATokenNeedsItForPasskeys() throws Exception {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    Realm both =
        TestRealms.change(TestRealms.demo())
            .contracts(
                new ContractsConfig(
                    false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(),
                    Optional.of(new ContractsConfig.Passkeys("idp.localhost", false, List.of())), Optional.of(TokenLogin.USUAL)))
            .realm();
    idp.realms.set(both);
    erase();
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    String passkeys = "/realms/demo/account/passkeys";
    assertThat(browser.get(passkeys).text()).contains("data-passkey=\"create\"");
    assign();
    EdgeReply page = browser.get(passkeys);
    assertThat(page.text()).doesNotContain("data-passkey=\"create\"");
    EdgeReply login = browser.post(passkeys, Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "action", "begin"));
    String asked = login.headers().first("Location").orElseThrow();
    assertThat(asked).endsWith("/login?pending=passkeys-strong");
    EdgeReply form = browser.get(asked.replace("/login?", "/login/token?"));
    Map<String, String> fields =
        Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "username", "alice", "passcode", "2468" + code(0));
    assertThat(browser.post(asked.replace("/login?", "/login/token?"), fields).headers().first("Location")).contains(passkeys);
    assertThat(browser.get(passkeys).text()).contains("data-passkey=\"create\"");
  }

  @Test
  void case77OneOfSixtyFourUsesOfACodeWins() throws Exception {
    String passcode = "2468" + code(0);
    List<PasscodeCheck> checks = Stream.generate(() -> idp.context.getBean(PasscodeChecks.class).of(realm()).orElseThrow()).limit(4).toList();
    List<PasscodeResult> results = Race.of(64, i -> () -> patiently(checks.get(i % 4), passcode));
    assertThat(results.stream().filter(Accepted.class::isInstance)).hasSize(1);
    assertThat(results).filteredOn(Refused.class::isInstance).hasSize(63).containsOnly(new Refused(Reason.CODE_USED));
  }

  /** Tries again while the node is busy, as it tells people to: such an attempt was neither used up nor counted. */
  private static PasscodeResult patiently(PasscodeCheck check, String passcode) {
    while (true) {
      try {
        return check.check(typed("alice", passcode));
      } catch (PasscodeStoreUnavailable e) {
        assertThat(e.isBusy()).isTrue();
      }
    }
  }

  @Test
  void afterThreeWrongOnesTwoSuccessiveCodesAreAskedFor() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(alice("0000" + code(0))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    }
    Challenged asked = (Challenged) alice("2468" + code(0));
    assertThat(asked.question()).isEqualTo(Question.NEXT_CODE);
    assertThat(check.answer(asked.reference(), new PasscodeAttempt("alice", code(1), "another", "")))
        .as("case 81: a challenge of another client").isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    next();
    assertThat(check.answer(asked.reference(), typed("alice", code(0)))).isInstanceOf(Accepted.class);
    assertThat(check.answer(asked.reference(), typed("alice", code(1)))).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    next();
    assertThat(alice("2468" + code(0))).as("the count has ended").isInstanceOf(Accepted.class);
  }

  @Test
  void aLockEndsByTimeAndLeavesNextCodeMode() throws Exception {
    for (int i = 0; i < 10; i++) {
      alice("2468000000");
    }
    assertThat(alice("2468" + code(0))).isEqualTo(new Refused(Reason.LOCKED));
    idp.time.advance(Duration.ofMinutes(30));
    assertThat(alice("2468" + code(0))).isInstanceOf(Challenged.class);
  }

  @Test
  void aLockThatTimeDoesNotEndIsEndedByAnAdministrator() throws Exception {
    TokenLogin usual = TokenLogin.USUAL;
    TokenLogin locksForGood = new TokenLogin(usual.pin(), usual.nextCodeAfter(), usual.lockAfter(), Optional.empty());
    Idp other = new Idp(realm(locksForGood));
    PasscodeCheck forGood = other.context.getBean(PasscodeChecks.class).of(realm(locksForGood)).orElseThrow();
    PersonAccess access = other.context.getBean(PersonAccess.class);
    AdminResource.PersonReference person = new AdminResource.PersonReference(FakeDirectory.ALICE.id().value(), "alice");
    Idp.TOKENS.remove("demo", SERIAL);
    other.context.getBean(TokenSeeds.class).ensure("demo", SERIAL, SEED, FakeDirectory.ALICE.id(), "2468");
    for (int i = 0; i < usual.lockAfter(); i++) {
      forGood.check(typed("alice", "2468000000"));
    }
    other.time.advance(Duration.ofDays(365));
    idp.time.advance(Duration.ofDays(365));
    assertThat(forGood.check(typed("alice", "2468" + code(0)))).isEqualTo(new Refused(Reason.LOCKED));
    assertThat(access.wrongTries("demo", person).orElseThrow().locked()).isTrue();
    assertThat(access.unlock("demo", person)).isEqualTo(usual.lockAfter());
    assertThat(access.wrongTries("demo", person).orElseThrow().locked()).isFalse();
    assertThat(forGood.check(typed("alice", "2468" + code(0)))).isInstanceOf(Accepted.class);
  }

  @Test
  void guessesInParallelGainNothing() throws Exception {
    String right = "2468" + code(0);
    Race.of(40, i -> () -> patiently(check, "2468000" + (100 + i)));
    assertThat(Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).wrong()).isEqualTo(10);
    assertThat(alice(right)).isEqualTo(new Refused(Reason.LOCKED));
  }

  @Test
  void aCodeAloneIsNoLoginAndNoWayToAFirstPin() throws Exception {
    Idp.TOKENS.keepPins("demo", FakeDirectory.ALICE.id(), Optional.empty(), true);
    assertThat(alice(code(0))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(alice("2468" + code(0))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
  }

  @Test
  void aNewPinIsChosenWithTheFormerOneAndTypedTwice() throws Exception {
    Optional<byte[]> former = Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).sealedPins();
    Idp.TOKENS.keepPins("demo", FakeDirectory.ALICE.id(), former, true);
    Challenged asked = (Challenged) alice("2468" + code(0));
    assertThat(asked.question()).isEqualTo(Question.NEW_PIN);
    assertThat(check.answer(asked.reference(), typed("alice", "1234"))).isEqualTo(new Refused(Reason.PIN_NOT_ALLOWED));
    next();
    Challenged again = (Challenged) check.answer(((Challenged) alice("2468" + code(0))).reference(), typed("alice", "9173"));
    assertThat(check.answer(again.reference(), typed("alice", "9173"))).isInstanceOf(Accepted.class);
    next();
    assertThat(alice("9173" + code(0))).isInstanceOf(Accepted.class);
    next();
    assertThat(alice(code(0))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
  }

  @Test
  void driftIsLearntAndTheWindowFollows() throws Exception {
    for (int ahead = 1; ahead <= 5; ahead++) {
      next();
      assertThat(alice("2468" + code(ahead))).as("%s steps ahead", ahead).isInstanceOf(Accepted.class);
    }
    next();
    assertThat(alice("2468" + code(9))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
  }

  @Test
  void whatDoesNotCountIsRefusedWithItsReason() throws Exception {
    assertThat(check.check(typed("nobody", "2468" + code(0)))).isEqualTo(new Refused(Reason.UNKNOWN_PERSON));
    assertThat(check.check(typed("bob", "2468" + code(0)))).isEqualTo(new Refused(Reason.NO_TOKEN));
    assertThat(check.check(typed("alice", "1".repeat(2000)))).isEqualTo(new Refused(Reason.UNKNOWN_PERSON));
    Idp.TOKENS.change("demo", SERIAL, Token.State.LOST);
    assertThat(alice("2468" + code(0))).isEqualTo(new Refused(Reason.TOKEN_DISABLED));
    Instant past = idp.time.instant();
    Idp.TOKENS.remove("demo", SERIAL);
    Idp.TOKENS.add("demo", List.of(seeds().token("demo", SERIAL, TokenType.USUAL, SEED, 0, Optional.of(past))));
    Idp.TOKENS.assign("demo", SERIAL, FakeDirectory.ALICE.id());
    seeds().givePin("demo", FakeDirectory.ALICE.id(), "2468");
    assertThat(alice("2468" + code(0))).isEqualTo(new Refused(Reason.TOKEN_EXPIRED));
    assertThat(idp.audit.events(AuditEvent.PasscodeDecided.class)).extracting(AuditEvent.PasscodeDecided::detail)
        .containsExactly("UNKNOWN_PERSON", "NO_TOKEN", "UNKNOWN_PERSON", "TOKEN_DISABLED", "TOKEN_EXPIRED");
  }
}

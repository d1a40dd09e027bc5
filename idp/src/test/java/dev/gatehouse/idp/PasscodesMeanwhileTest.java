package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.store.MemoryStores;
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
import dev.gatehouse.idp.otp.TokenHelpDesk;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passcodes, PINs and challenges where something else has happened meanwhile: a lock, a new PIN, an account that was disabled. */
final class PasscodesMeanwhileTest {

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final PersonId ALICE = FakeDirectory.ALICE.id();
  private static final String ACCOUNT = "/realms/demo/account/tokens";
  private static final int LOCK = TokenLogin.USUAL.lockAfter();

  private final Idp idp = new Idp(realm());
  private final TestBrowser browser = idp.browser();
  private final PasscodeCheck check = idp.context.getBean(PasscodeChecks.class).of(realm()).orElseThrow();

  private static Realm realm() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(TokenLogin.USUAL));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  @BeforeEach
  void assign() {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-1", SEED, ALICE, "2468");
  }

  @AfterEach
  void erase() {
    Idp.TOKENS.erase("demo", ALICE);
    Idp.TOKENS.remove("demo", "t-1");
  }

  private String code(int steps) throws Exception {
    return new TimeBasedOneTimePasswordGenerator()
        .generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant().plusSeconds(30L * steps));
  }

  private void next() {
    idp.time.advance(Duration.ofSeconds(30));
  }

  private static PasscodeAttempt typed(String passcode) {
    return new PasscodeAttempt("alice", passcode, "vpn", "");
  }

  private PasscodeResult alice(String passcode) {
    return check.check(typed(passcode));
  }

  private PasscodeResult answer(PasscodeResult asked, String typed) {
    return check.answer(((Challenged) asked).reference(), typed(typed));
  }

  private static Optional<byte[]> pins() {
    return Idp.TOKENS.holder("demo", ALICE).sealedPins();
  }

  private void countWrong(int times) {
    for (int i = 0; i < times; i++) {
      Idp.TOKENS.countWrong("demo", ALICE, LOCK, TokenLogin.USUAL.lockFor().map(idp.time.instant()::plus));
    }
  }

  private String standIn(boolean fixed) {
    String code = "abcdefgh2345";
    String digest = idp.context.getBean(SealingKey.class).digest(code, "otp-emergency", "demo", ALICE.value());
    Idp.TOKENS.keepEmergency("demo", ALICE, Set.of(digest), fixed, idp.time.instant().plusSeconds(3600));
    return code;
  }

  @Test
  void aTemporaryPinOpensNothingButTheChoiceOfAnotherWithWhatStandsInToo() throws Exception {
    for (boolean fixed : new boolean[] {true, false}) {
      Idp.TOKENS.keepPins("demo", ALICE, pins(), true);
      String standIn = standIn(fixed);
      PasscodeResult asked = alice((fixed ? "2468" : "9173") + standIn);
      assertThat(asked).isInstanceOfSatisfying(Challenged.class, c -> assertThat(c.question()).isEqualTo(Question.NEW_PIN));
      PasscodeResult again = answer(asked, fixed ? "9173" : "4826");
      assertThat(answer(again, fixed ? "9173" : "4826")).isEqualTo(new Accepted(FakeDirectory.ALICE, "emergency"));
      assertThat(Idp.TOKENS.holder("demo", ALICE).newPin()).isFalse();
    }
    assertThat(alice("4826" + code(0))).isInstanceOf(Accepted.class);
    Idp.TOKENS.keepPins("demo", ALICE, pins(), true);
    PasscodeResult asked = alice("4826" + standIn(true));
    Idp.TOKENS.unassign("demo", "t-1", ALICE);
    assertThat(answer(asked, "7391")).as("no token any more").isEqualTo(new Refused(Reason.TOKEN_DISABLED));
  }

  @Test
  void wrongOnesThatWereCountedMeanwhileAskForTheNextCode() throws Exception {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    Tokens hooked =
        (Tokens)
            Proxy.newProxyInstance(
                Tokens.class.getClassLoader(),
                new Class<?>[] {Tokens.class},
                (proxy, method, arguments) -> {
                  Object result = method.invoke(Idp.TOKENS, arguments);
                  if (method.getName().equals("owned")) {
                    meanwhile.getAndSet(() -> {}).run();
                  }
                  return result;
                });
    PasscodeChecks checks =
        new PasscodeChecks(
            hooked, idp.context.getBean(PinHashes.class), realm -> idp.directory, idp.context.getBean(SealingKey.class), idp.audit,
            new MemoryStores(idp.time), idp.time, new SecureRandom());
    meanwhile.set(() -> countWrong(TokenLogin.USUAL.nextCodeAfter()));
    PasscodeResult asked = checks.of(realm()).orElseThrow().check(typed("2468" + code(0)));
    assertThat(asked).isInstanceOfSatisfying(Challenged.class, c -> assertThat(c.question()).isEqualTo(Question.NEXT_CODE));
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).as("not forgiven").isEqualTo(TokenLogin.USUAL.nextCodeAfter());
  }

  @Test
  void whoWasDisabledAfterTheQuestionGetsNothing() throws Exception {
    countWrong(TokenLogin.USUAL.nextCodeAfter());
    PasscodeResult asked = alice("2468" + code(0));
    next();
    idp.directory.disable(FakeDirectory.ALICE);
    assertThat(answer(asked, code(0))).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
  }

  @Test
  void anOldChallengeChangesNoNewerPin() throws Exception {
    Idp.TOKENS.keepPins("demo", ALICE, pins(), true);
    PasscodeResult first = alice("2468" + code(0));
    next();
    PasscodeResult second = alice("2468" + code(0));
    next();
    PasscodeResult again = answer(alice("2468" + code(0)), "5937");
    assertThat(answer(answer(second, "9173"), "9173")).isInstanceOf(Accepted.class);
    byte[] chosen = pins().orElseThrow();
    assertThat(answer(first, "4826")).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(answer(again, "5937")).isInstanceOf(Refused.class);
    assertThat(pins().orElseThrow()).isEqualTo(chosen);
    Idp.TOKENS.keepPins("demo", ALICE, pins(), true);
    next();
    PasscodeResult beforeReset = alice("9173" + code(0));
    idp.context.getBean(TokenHelpDesk.class).resetPin("demo", ALICE.value());
    assertThat(answer(beforeReset, "4826")).as("a PIN that the help desk made stays").isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(Idp.TOKENS.holder("demo", ALICE).newPin()).isTrue();
  }

  private EdgeReply firstPin(String code) {
    Map<String, String> fields = new HashMap<>(Map.of("action", "first-pin", "pin", "9173", "again", "9173", "passcode", code));
    fields.put("csrf", TestBrowser.field(browser.get(ACCOUNT).text(), "csrf"));
    return browser.post(ACCOUNT, fields);
  }

  private void logInWithoutPin() {
    erase();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    assign();
    Idp.TOKENS.keepPins("demo", ALICE, Optional.empty(), false);
  }

  @Test
  void aFirstPinTakesTwoSuccessiveCodesAfterSeveralWrongOnes() throws Exception {
    logInWithoutPin();
    countWrong(TokenLogin.USUAL.nextCodeAfter());
    assertThat(firstPin(code(0)).text()).contains("two successive codes");
    assertThat(firstPin(code(0) + " " + code(2)).status()).as("not successive").isEqualTo(403);
    assertThat(pins()).isEmpty();
    assertThat(firstPin(code(0) + " " + code(1)).headers().first("Location").orElse("")).endsWith("done=pin");
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isZero();
    idp.time.advance(Duration.ofSeconds(60));
    assertThat(alice("9173" + code(0))).isInstanceOf(Accepted.class);
  }

  @Test
  void aLockIsOneForAFirstPinAndEndsByTime() throws Exception {
    logInWithoutPin();
    countWrong(LOCK);
    assertThat(firstPin(code(0) + code(1)).status()).isEqualTo(403);
    assertThat(idp.audit.events(AuditEvent.PasscodeDecided.class))
        .last()
        .extracting(AuditEvent.PasscodeDecided::detail).isEqualTo("LOCKED");
    Idp.TOKENS.forgive("demo", ALICE);
    for (int i = 0; i < LOCK; i++) {
      Idp.TOKENS.countWrong("demo", ALICE, LOCK, Optional.of(idp.time.instant().plusSeconds(60)));
    }
    idp.time.advance(Duration.ofSeconds(60));
    assertThat(firstPin(code(0) + code(1)).headers().first("Location").orElse("")).endsWith("done=pin");
  }
}

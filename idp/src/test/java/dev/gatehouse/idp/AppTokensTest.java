package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.PersonAccess;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.AppTokens;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.totp.AppCodes.Result;
import dev.gatehouse.idp.totp.SecondFactor;
import dev.gatehouse.idp.totp.TotpSecret;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An authenticator app is a token: one mark and one count, after a password as after a PIN. */
final class AppTokensTest {

  private static final PersonId ALICE = FakeDirectory.ALICE.id();
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final String WRONG_PAIR = "000000000000";
  private static final int NEXT_CODE_AFTER = TokenLogin.USUAL.nextCodeAfter();
  private static final int LOCK_AFTER = TokenLogin.USUAL.lockAfter();

  private final Realm realm = realm(Optional.of(TokenLogin.USUAL));
  private final Idp idp = new Idp(realm);
  private final AppTokens apps = idp.context.getBean(AppTokens.class);

  private static Realm realm(Optional<TokenLogin> tokens) {
    ContractsConfig contracts =
        new ContractsConfig(
            false, ContractsConfig.SecondFactor.OPTIONAL, ContractsConfig.FORM_ALONE.totp(), Optional.empty(), Optional.empty(), Optional.empty(), tokens);
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  @BeforeEach
  void enrol() {
    byte[] sealed = idp.context.getBean(SealingKey.class).seal(SEED, TotpSecret.context("demo", ALICE, "app-1"));
    Factor factor = new Factor("app-1", "Phone", 6, sealed, idp.time.instant(), Optional.empty());
    assertThat(idp.secondFactors.add("demo", ALICE, factor, 5)).isTrue();
  }

  private String code() throws Exception {
    return code(0);
  }

  private String code(int steps) throws Exception {
    return new TimeBasedOneTimePasswordGenerator()
        .generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant().plusSeconds(30L * steps));
  }

  /** The code before this one, and this one. */
  private String pair() throws Exception {
    return code(-1) + code(0);
  }

  private void next() {
    idp.time.advance(Duration.ofSeconds(30));
  }

  /** A code as pages hand it on. */
  private SecondFactor.Outcome typed(Realm of, String code) {
    EdgeRequest http =
        new EdgeRequest(
            "POST", Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/login/second", "", Headers.empty(), new byte[0],
            InetAddress.ofLiteral("192.0.2.7"));
    return idp.context.getBean(SecondFactor.class).check(new RealmRequest(of, of.idp().orElseThrow(), http), FakeDirectory.ALICE, code);
  }

  private List<String> refusals() {
    return idp.audit.events(AuditEvent.LoginRefused.class).stream().map(AuditEvent.LoginRefused::reason).toList();
  }

  private PasscodeResult passcode(String typed) {
    return idp.context.getBean(PasscodeChecks.class).of(realm).orElseThrow().check(new PasscodeAttempt("alice", typed, "vpn", ""));
  }

  @Test
  void aCodeCountsOnceWhicheverWayItCame() throws Exception {
    idp.context.getBean(TokenSeeds.class).givePin("demo", ALICE, "2468");
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.ACCEPTED);
    assertThat(passcode("2468" + code())).isEqualTo(new Refused(Reason.CODE_USED));
    next();
    assertThat(passcode("2468" + code())).isInstanceOf(Accepted.class);
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.USED);
  }

  @Test
  void ofParallelUsesAfterAPasswordAndAfterAPinOneWins() throws Exception {
    idp.context.getBean(TokenSeeds.class).givePin("demo", ALICE, "2468");
    String code = code();
    List<Boolean> won =
        Race.of(
            8,
            i ->
                i % 2 == 0
                    ? () -> apps.check(realm, ALICE, code) == Result.ACCEPTED
                    : () -> passcode("2468" + code) instanceof Accepted);
    assertThat(won).containsOnlyOnce(true);
  }

  @Test
  void wrongCodesAndPasscodesAreOneCount() throws Exception {
    idp.context.getBean(TokenSeeds.class).givePin("demo", ALICE, "2468");
    for (int i = 0; i < LOCK_AFTER - 1; i++) {
      assertThat(apps.check(realm, ALICE, WRONG_PAIR)).isEqualTo(Result.WRONG);
    }
    assertThat(passcode("2468000000")).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.LOCKED);
    assertThat(passcode("2468" + code())).isEqualTo(new Refused(Reason.LOCKED));
    idp.time.advance(TokenLogin.USUAL.lockFor().orElseThrow());
    assertThat(apps.check(realm, ALICE, code())).as("the next code, too").isEqualTo(Result.TWO_CODES_NEEDED);
    assertThat(apps.check(realm, ALICE, pair())).as("ended by time, as for every token").isEqualTo(Result.ACCEPTED);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isZero();
  }

  @Test
  void whereTokensAreTakenCodesHaveThePersonsCountAndRecoveryCodesTheThrottle() throws Exception {
    int most = TestRealms.demo().idp().orElseThrow().throttle().perAccount();
    List<SecondFactor.Outcome> codes = Race.of(most + 5, i -> () -> typed(realm, "%06d".formatted(i)));
    assertThat(codes).doesNotHaveAnyElementsOfTypes(SecondFactor.Outcome.Accepted.class, SecondFactor.Outcome.Throttled.class);
    assertThat(typed(realm, code())).as("a right one").isNotInstanceOf(SecondFactor.Outcome.Accepted.class);
    for (int i = 0; i < LOCK_AFTER; i++) {
      typed(realm, "000000 00000%d".formatted(i));
    }
    assertThat(refusals()).doesNotContain("THROTTLED_ACCOUNT", "THROTTLED_ADDRESS").contains("WRONG_CODE");
    assertThat(typed(realm, pair())).as("what ends guesses").isInstanceOf(SecondFactor.Outcome.Locked.class);
    for (int i = 0; i < most; i++) {
      assertThat(typed(realm, "abcd-efgh-jkmn")).isInstanceOf(SecondFactor.Outcome.Refused.class);
    }
    assertThat(typed(realm, "abcd-efgh-jkmn")).isInstanceOf(SecondFactor.Outcome.Throttled.class);
  }

  @Test
  void afterSeveralWrongOnesTwoSuccessiveCodesAreNeededAndASingleOneIsNotLookedAt() throws Exception {
    for (int i = 0; i < NEXT_CODE_AFTER; i++) {
      assertThat(apps.check(realm, ALICE, "000000")).isEqualTo(Result.WRONG);
    }
    for (int i = 0; i < LOCK_AFTER; i++) {
      assertThat(apps.check(realm, ALICE, i % 2 == 0 ? code() : "000000")).isEqualTo(Result.TWO_CODES_NEEDED);
    }
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).as("nothing to count").isEqualTo(NEXT_CODE_AFTER);
    assertThat(apps.check(realm, ALICE, code(0) + code(0))).as("twice the same").isEqualTo(Result.WRONG);
    assertThat(apps.check(realm, ALICE, code(0) + code(-1))).as("backwards").isEqualTo(Result.WRONG);
    assertThat(apps.check(realm, ALICE, code(-4) + code(-3))).as("old ones").isEqualTo(Result.WRONG);
    assertThat(typed(realm, code(-1) + " " + code(0))).isEqualTo(new SecondFactor.Outcome.Accepted(SecondFactor.Proof.APP));
    assertThat(apps.check(realm, ALICE, code())).as("used up").isEqualTo(Result.USED);
    next();
    assertThat(apps.check(realm, ALICE, code())).as("forgiven").isEqualTo(Result.ACCEPTED);
  }

  @Test
  void aBurstOfGuessesIsOneAfterTheOtherAndEndsWhereTwoCodesAreNeeded() throws Exception {
    List<Result> results = Race.of(64, i -> () -> apps.check(realm, ALICE, "00000" + i % 10));
    assertThat(results).filteredOn(Result.WRONG::equals).hasSize(NEXT_CODE_AFTER);
    assertThat(results).filteredOn(Result.TWO_CODES_NEEDED::equals).hasSize(64 - NEXT_CODE_AFTER);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isEqualTo(NEXT_CODE_AFTER);
    assertThat(idp.secondFactors.wrongCodes("demo", ALICE)).isEqualTo(NEXT_CODE_AFTER);
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.TWO_CODES_NEEDED);
    List<Result> pairs = Race.of(64, i -> () -> apps.check(realm, ALICE, "0000000000" + (10 + i)));
    assertThat(pairs).filteredOn(Result.WRONG::equals).hasSize(LOCK_AFTER - NEXT_CODE_AFTER);
    assertThat(pairs).filteredOn(Result.LOCKED::equals).hasSize(64 - LOCK_AFTER + NEXT_CODE_AFTER);
  }

  @Test
  void aUsedCodeIsNotTheFirstOfTwo() throws Exception {
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.ACCEPTED);
    for (int i = 0; i < NEXT_CODE_AFTER; i++) {
      apps.check(realm, ALICE, "000000");
    }
    next();
    assertThat(typed(realm, pair())).isEqualTo(new SecondFactor.Outcome.Refused());
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).as("a guess at the second").isEqualTo(NEXT_CODE_AFTER + 1);
    next();
    assertThat(apps.check(realm, ALICE, pair())).isEqualTo(Result.ACCEPTED);
    assertThat(apps.check(realm, ALICE, pair())).as("sent twice").isEqualTo(Result.USED);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isZero();
  }

  @Test
  void aTelephoneThatIsAStepBehindGetsInWithTwoCodesAsWithOne() throws Exception {
    for (int i = 0; i < NEXT_CODE_AFTER; i++) {
      apps.check(realm, ALICE, "000000");
    }
    assertThat(apps.check(realm, ALICE, code(-2) + code(-1))).isEqualTo(Result.ACCEPTED);
  }

  @Test
  void wherePeopleAreAskedForTwoCodesARecoveryCodeStillHelps() throws Exception {
    SealingKey sealing = idp.context.getBean(SealingKey.class);
    Set<String> digests =
        Stream.of("123456789012", "abcdefghjkmn")
            .map(code -> sealing.digest(code, "recovery", "demo", ALICE.value()))
            .collect(Collectors.toSet());
    idp.secondFactors.keepRecoveryCodes("demo", ALICE, digests);
    for (int i = 0; i < NEXT_CODE_AFTER; i++) {
      apps.check(realm, ALICE, "000000");
    }
    SecondFactor.Outcome recovered = new SecondFactor.Outcome.Accepted(SecondFactor.Proof.RECOVERY_CODE);
    assertThat(typed(realm, "1234-5678-9012")).isEqualTo(recovered);
    assertThat(typed(realm, "ABCD EFGH JKMN")).isEqualTo(recovered);
    assertThat(typed(realm, code())).as("forgiven").isEqualTo(new SecondFactor.Outcome.Accepted(SecondFactor.Proof.APP));
  }

  @Test
  void withoutTokensInTheRealmCodesAreThrottled() {
    Realm plain = realm(Optional.empty());
    int most = plain.idp().orElseThrow().throttle().perAccount();
    for (int i = 0; i < most; i++) {
      assertThat(typed(plain, "000000")).isInstanceOf(SecondFactor.Outcome.Refused.class);
    }
    assertThat(typed(plain, "000000")).isInstanceOf(SecondFactor.Outcome.Throttled.class);
  }

  @Test
  void ofParallelWrongCodesNoneIsForgotten() throws Exception {
    Race.of(LOCK_AFTER, i -> () -> apps.check(realm, ALICE, "00000000000" + i % 10));
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isEqualTo(LOCK_AFTER);
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.LOCKED);
  }

  @Test
  void whatTheHelpDeskDoesToTheTokenHoldsAfterAPassword() throws Exception {
    Idp.TOKENS.change("demo", "app-1", Token.State.DISABLED);
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.DISABLED);
    Idp.TOKENS.change("demo", "app-1", Token.State.ENABLED);
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.ACCEPTED);
    assertThat(Idp.TOKENS.unassign("demo", "app-1", ALICE)).isTrue();
    assertThat(idp.secondFactors.of("demo", ALICE)).isEmpty();
    next();
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.WRONG);
  }

  @Test
  void withoutTokensInTheRealmAHundredWrongOnesLockForGood() throws Exception {
    Realm plain = realm(Optional.empty());
    for (int i = 0; i < 100; i++) {
      assertThat(apps.check(plain, ALICE, "000000")).isEqualTo(Result.WRONG);
    }
    idp.time.advance(Duration.ofDays(30));
    assertThat(apps.check(plain, ALICE, code())).isEqualTo(Result.LOCKED);
  }

  @Test
  void guessesAfterAPasswordEndAtAHundredWhateverEndsALock() throws Exception {
    int wrong = 0;
    Result last = Result.WRONG;
    for (int day = 0; day < 500 && last != Result.LOCKED; day++) {
      last = apps.check(realm, ALICE, WRONG_PAIR);
      wrong += last == Result.WRONG ? 1 : 0;
      if (last == Result.LOCKED) {
        // Of the two locks, one ends.
        idp.time.advance(TokenLogin.USUAL.lockFor().orElseThrow());
        last = apps.check(realm, ALICE, WRONG_PAIR);
        wrong += last == Result.WRONG ? 1 : 0;
      }
    }
    assertThat(wrong).isEqualTo(100);
    idp.time.advance(Duration.ofDays(30));
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.LOCKED);
    Idp.TOKENS.forgive("demo", ALICE);
    assertThat(apps.check(realm, ALICE, pair())).as("a login by another token helps no guesser").isEqualTo(Result.LOCKED);
    apps.forgive(realm, ALICE);
    assertThat(apps.check(realm, ALICE, code())).as("after a recovery code").isEqualTo(Result.ACCEPTED);
  }

  @Test
  void aRightCodeForgetsWrongOnes() throws Exception {
    apps.check(realm, ALICE, "000000");
    assertThat(idp.secondFactors.wrongCodes("demo", ALICE)).isEqualTo(1);
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.ACCEPTED);
    assertThat(idp.secondFactors.wrongCodes("demo", ALICE)).isZero();
  }

  @Test
  void anAdministratorHelps() throws Exception {
    for (int i = 0; i < 100; i++) {
      idp.secondFactors.countWrong("demo", ALICE);
    }
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.LOCKED);
    PersonAccess access = idp.context.getBean(PersonAccess.class);
    PersonReference alice = new PersonReference(ALICE.value(), "alice");
    assertThat(access.wrongTries("demo", alice).orElseThrow().locked()).isTrue();
    assertThat(access.unlock("demo", alice)).isEqualTo(100);
    assertThat(access.wrongTries("demo", alice).orElseThrow().locked()).isFalse();
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.ACCEPTED);
    for (int i = 0; i < 100; i++) {
      idp.secondFactors.countWrong("demo", ALICE);
    }
    idp.context.getBean(TokenDesk.class).unlock("demo", ALICE.value());
    next();
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.ACCEPTED);
  }

  @Test
  void strangersDoNotLockTheSecondStepOfSomebodyWithoutAPin() throws Exception {
    for (int i = 0; i < LOCK_AFTER + 5; i++) {
      assertThat(passcode("2468000000")).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    }
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isZero();
    assertThat(passcode(code())).as("without a PIN").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.ACCEPTED);
  }

  @Test
  void aCodeThatCameAfterAPinCountsAtNoOldNode() throws Exception {
    idp.context.getBean(TokenSeeds.class).givePin("demo", ALICE, "2468");
    long step = idp.time.instant().getEpochSecond() / 30;
    assertThat(passcode("2468" + code())).isInstanceOf(Accepted.class);
    assertThat(idp.secondFactors.accept("demo", ALICE, "app-1", step, idp.time.instant())).isFalse();
    next();
    assertThat(idp.secondFactors.accept("demo", ALICE, "app-1", step + 1, idp.time.instant())).isTrue();
    assertThat(passcode("2468" + code())).as("an old node took it").isEqualTo(new Refused(Reason.CODE_USED));
  }

  @Test
  void aCodeThatAnOldNodeTookCountsNoMore() throws Exception {
    long step = idp.time.instant().getEpochSecond() / 30;
    assertThat(idp.secondFactors.accept("demo", ALICE, "app-1", step, idp.time.instant())).isTrue();
    assertThat(apps.check(realm, ALICE, code())).isEqualTo(Result.USED);
  }

  @Test
  void anAppAloneIsNoTokenThatIsAskedForWithAPin() {
    assertThat(idp.context.getBean(PasscodeChecks.class).hasToken(realm, ALICE)).isFalse();
  }
}

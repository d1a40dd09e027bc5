package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.HmacOneTimePasswordGenerator;
import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenDesk.Change;
import dev.gatehouse.common.admin.TokenDesk.Refusal;
import dev.gatehouse.common.admin.TokenDesk.StandIn;
import dev.gatehouse.common.admin.TokenDesk.TokenFilter;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
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
import dev.gatehouse.idp.otp.TokenSeeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What help desks do with tokens, and what people can do with them afterwards. */
final class TokenHelpDeskTest {

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OTHER_SEED = "abcdefghijabcdefghij".getBytes(StandardCharsets.US_ASCII);
  private static final String ALICE = FakeDirectory.ALICE.id().value();
  private static final String BOB = FakeDirectory.BOB.id().value();
  private static final List<String> SERIALS = List.of("d-1", "d-2", "d-3", "d-4", "d-5", "d-6", "h-1");
  private static final TokenFilter ALL =
      new TokenFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private final Idp idp = new Idp(realm());
  private final PasscodeCheck check = idp.context.getBean(PasscodeChecks.class).of(realm()).orElseThrow();
  private final TokenDesk desk = idp.context.getBean(TokenDesk.class);

  private static Realm realm() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    ContractsConfig contracts =
        new ContractsConfig(
            false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(TokenLogin.USUAL));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  @BeforeEach
  void add() {
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    for (String serial : SERIALS) {
      TokenType type = serial.startsWith("h") ? new TokenType(TokenType.Kind.HOTP, TokenType.Hash.SHA1, 6, 0) : TokenType.USUAL;
      byte[] seed = serial.equals("d-1") ? SEED : OTHER_SEED;
      Idp.TOKENS.add("demo", List.of(seeds.token("demo", serial, type, seed, 0, Optional.empty())));
    }
  }

  @AfterEach
  void remove() {
    Idp.TOKENS.erase("demo", FakeDirectory.ALICE.id());
    Idp.TOKENS.erase("demo", FakeDirectory.BOB.id());
    SERIALS.forEach(serial -> Idp.TOKENS.remove("demo", serial));
  }

  private TokenView token(String serial) {
    return desk.find("demo", serial).orElseThrow();
  }

  private TokenView done(String serial, Change change) {
    return ((Result.Accepted<TokenView, Refusal>) desk.change("demo", token(serial), change)).value();
  }

  private Refusal refused(String serial, Change change) {
    return ((Result.Refused<TokenView, Refusal>) desk.change("demo", token(serial), change)).refusal();
  }

  /** Alice with a token and a PIN of her own. */
  private void aliceHas(String serial, String pin) {
    done(serial, new Change.Assign(ALICE));
    idp.context.getBean(TokenSeeds.class).givePin("demo", FakeDirectory.ALICE.id(), pin);
  }

  private String code(byte[] seed, int steps) throws Exception {
    return new TimeBasedOneTimePasswordGenerator()
        .generateOneTimePasswordString(new SecretKeySpec(seed, "RAW"), idp.time.instant().plusSeconds(30L * steps));
  }

  private PasscodeResult alice(String passcode) {
    return check.check(new PasscodeAttempt("alice", passcode, "vpn", ""));
  }

  private StandIn standIn(int codes) {
    Instant until = idp.time.instant().plus(Duration.ofHours(4));
    return ((Result.Accepted<StandIn, Refusal>) desk.standIn("demo", ALICE, codes, until)).value();
  }

  @Test
  void aTemporaryPinOpensNothingButTheChoiceOfAnother() throws Exception {
    done("d-1", new Change.Assign(ALICE));
    assertThat(alice(code(SEED, 0))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    String pin = ((Result.Accepted<String, Refusal>) desk.resetPin("demo", ALICE)).value();
    assertThat(pin).matches("[0-9]{6}");
    Challenged asked = (Challenged) alice(pin + code(SEED, 0));
    assertThat(asked.question()).isEqualTo(Question.NEW_PIN);
    assertThat(check.answer(asked.reference(), new PasscodeAttempt("alice", pin, "vpn", "")))
        .isEqualTo(new Refused(Reason.PIN_NOT_ALLOWED));
    assertThat(desk.resetPin("demo", BOB)).isEqualTo(Result.refused(Refusal.NO_TOKEN));
    assertThat(desk.holder("demo", ALICE).newPin()).isTrue();
  }

  @Test
  void ofTwoPeopleOneGetsAToken() throws Exception {
    TokenView seen = token("d-1");
    List<Result<TokenView, Refusal>> results =
        Race.of(16, i -> () -> desk.change("demo", seen, new Change.Assign(i % 2 == 0 ? ALICE : BOB)));
    assertThat(results).filteredOn(Result.Accepted.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(Result.Refused.class::isInstance)
        .allMatch(one -> List.of(Result.refused(Refusal.CHANGED), Result.refused(Refusal.HAS_OWNER)).contains(one));
  }

  @Test
  void fiveTokensAreTheMostAlsoAtTheSameTime() throws Exception {
    Race.of(6, i -> () -> desk.change("demo", token("d-" + (i + 1)), new Change.Assign(ALICE)));
    assertThat(desk.holder("demo", ALICE).tokens()).hasSize(5);
    assertThat(refused("h-1", new Change.Assign(ALICE))).isEqualTo(Refusal.TOO_MANY);
    assertThat(refused("h-1", new Change.Assign("nobody"))).isEqualTo(Refusal.PERSON_UNKNOWN);
  }

  /** Rights were checked for the person whom the administrator saw. */
  @Test
  void aTokenThatHasAnotherOwnerByNowIsLeftAlone() {
    TokenView free = token("d-1");
    done("d-1", new Change.Assign(ALICE));
    TokenView hers = token("d-1");
    done("d-1", new Change.Unassign());
    done("d-1", new Change.Assign(BOB));
    for (Change change : List.of(new Change.Disable(), new Change.Lose(), new Change.Unassign(), new Change.Expire(Optional.empty()))) {
      assertThat(desk.change("demo", free, change)).isEqualTo(Result.refused(Refusal.CHANGED));
      assertThat(desk.change("demo", hers, change)).isEqualTo(Result.refused(Refusal.CHANGED));
    }
    assertThat(token("d-1").person()).contains(BOB);
  }

  @Test
  void aLostTokenCountsNoMoreAndAPasswordStandsInUntilItIsFound() throws Exception {
    aliceHas("d-1", "2468");
    done("d-1", new Change.Lose());
    assertThat(alice("2468" + code(SEED, 0))).isEqualTo(new Refused(Reason.TOKEN_DISABLED));
    assertThat(refused("d-1", new Change.Enable())).isEqualTo(Refusal.IS_LOST);
    String password = standIn(0).values().getFirst();
    assertThat(alice(password)).as("without the PIN").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(alice("2468" + password)).isInstanceOf(Accepted.class);
    assertThat(alice("2468" + password)).as("it counts until its end").isInstanceOf(Accepted.class);
    assertThat(desk.holder("demo", ALICE).emergency().orElseThrow().kind()).isEqualTo("password");
    done("d-1", new Change.Find());
    assertThat(alice("2468" + password)).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    idp.time.advance(Duration.ofSeconds(60));
    assertThat(alice("2468" + code(SEED, 0))).isInstanceOf(Accepted.class);
    assertThat(refused("d-1", new Change.Find())).isEqualTo(Refusal.NOT_LOST);
  }

  @Test
  void aPasswordThatStandsInEnds() throws Exception {
    aliceHas("d-1", "2468");
    String password = standIn(0).values().getFirst();
    idp.time.advance(Duration.ofHours(4));
    assertThat(alice("2468" + password)).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(desk.holder("demo", ALICE).emergency()).isEmpty();
  }

  /** At the store, since a passcode costs the hash of a PIN, and of these only one is made at a time on a small machine. */
  @Test
  void oneOfSixtyFourUsesOfACodeOfTheSheetWins() throws Exception {
    PersonId alice = FakeDirectory.ALICE.id();
    Instant now = idp.time.instant();
    Idp.TOKENS.keepEmergency("demo", alice, Set.of("one", "two"), false, now.plusSeconds(60));
    List<Boolean> results = Race.of(64, i -> () -> Idp.TOKENS.useEmergency("demo", alice, "one", now, 10));
    assertThat(results).filteredOn(used -> used).hasSize(1);
    assertThat(desk.holder("demo", ALICE).emergency().orElseThrow().left()).isEqualTo(1);
  }

  @Test
  void aSheetOfCodesReplacesTheOneBefore() throws Exception {
    aliceHas("d-1", "2468");
    StandIn sheet = standIn(3);
    assertThat(sheet.values()).doesNotHaveDuplicates().hasSize(3);
    assertThat(alice("2468" + sheet.values().get(1))).isInstanceOf(Accepted.class);
    assertThat(alice("2468" + sheet.values().get(1))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    standIn(1);
    assertThat(alice("2468" + sheet.values().get(2))).as("of the sheet before").isEqualTo(new Refused(Reason.WRONG_PASSCODE));
  }

  @Test
  void bothCountUntilTheReplacementDoes() throws Exception {
    aliceHas("d-1", "2468");
    standIn(0);
    done("d-1", new Change.Replace("d-2"));
    assertThat(token("d-2").replaces()).contains("d-1");
    assertThat(refused("d-1", new Change.Replace("d-3"))).isEqualTo(Refusal.REPLACEMENT_NOT_FREE);
    assertThat(alice("2468" + code(SEED, 0))).isInstanceOf(Accepted.class);
    assertThat(alice("2468" + code(OTHER_SEED, 0))).isInstanceOf(Accepted.class);
    assertThat(token("d-1").person()).isEmpty();
    assertThat(token("d-1").state()).isEqualTo("disabled");
    assertThat(token("d-2").replaces()).isEmpty();
    assertThat(desk.holder("demo", ALICE).emergency()).as("it stood in for the old one").isEmpty();
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(alice("2468" + code(SEED, 0))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(alice("2468" + code(OTHER_SEED, 0))).as("the PIN stays").isInstanceOf(Accepted.class);
  }

  @Test
  void aLostTokenThatIsTakenBackStaysLost() {
    done("d-1", new Change.Assign(ALICE));
    done("d-1", new Change.Lose());
    done("d-1", new Change.Unassign());
    assertThat(token("d-1").state()).isEqualTo("lost");
    assertThat(refused("d-1", new Change.Assign(BOB))).isEqualTo(Refusal.IS_LOST);
    done("d-1", new Change.Find());
    assertThat(token("d-1").state()).isEqualTo("disabled");
  }

  @Test
  void twoSuccessiveCodesSetTheClockAndTheCounterAndCountForNothingElse() throws Exception {
    aliceHas("d-1", "2468");
    assertThat(alice("2468" + code(SEED, 9))).isEqualTo(new Refused(Reason.WRONG_PASSCODE));
    assertThat(refused("d-1", new Change.Resynchronise(code(SEED, 9), code(SEED, 11)))).isEqualTo(Refusal.CODES_WRONG);
    done("d-1", new Change.Resynchronise(code(SEED, 9), code(SEED, 10)));
    assertThat(alice("2468" + code(SEED, 10))).isEqualTo(new Refused(Reason.CODE_USED));
    assertThat(refused("d-1", new Change.Resynchronise(code(SEED, 9), code(SEED, 10)))).isEqualTo(Refusal.CODES_USED);
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(alice("2468" + code(SEED, 10))).isInstanceOf(Accepted.class);
    var counting = new HmacOneTimePasswordGenerator();
    SecretKeySpec key = new SecretKeySpec(OTHER_SEED, "RAW");
    done("h-1", new Change.Assign(ALICE));
    done(
        "h-1",
        new Change.Resynchronise(counting.generateOneTimePasswordString(key, 700), counting.generateOneTimePasswordString(key, 701)));
    assertThat(alice("2468" + counting.generateOneTimePasswordString(key, 702))).isInstanceOf(Accepted.class);
  }

  @Test
  void theHelpDeskEndsALock() throws Exception {
    aliceHas("d-1", "2468");
    for (int i = 0; i < 10; i++) {
      alice("0000000000");
    }
    assertThat(desk.holder("demo", ALICE).locked()).isTrue();
    assertThat(desk.report("demo").lockedPeople()).isEqualTo(1);
    assertThat(desk.unlock("demo", ALICE)).isEqualTo(10);
    assertThat(alice("2468" + code(SEED, 0))).isInstanceOf(Accepted.class);
  }

  @Test
  void tokensAreFoundByWhatTheyAre() throws Exception {
    aliceHas("d-1", "2468");
    done("d-2", new Change.Assign(ALICE));
    done("d-2", new Change.Disable());
    done("d-3", new Change.Expire(Optional.of(idp.time.instant())));
    done("d-4", new Change.Expire(Optional.of(idp.time.instant().plus(Duration.ofDays(3)))));
    alice("2468" + code(SEED, 0));
    assertThat(desk.page("demo", ALL, "", 3)).extracting(TokenView::serial).containsExactly("d-1", "d-2", "d-3");
    assertThat(desk.page("demo", ALL, "d-5", 3)).extracting(TokenView::serial).containsExactly("d-6", "h-1");
    Optional<Instant> soon = Optional.of(idp.time.instant().plus(Duration.ofDays(30)));
    assertThat(found(Optional.of(ALICE), Optional.empty(), Optional.empty(), Optional.empty())).containsExactly("d-1", "d-2");
    assertThat(found(Optional.empty(), Optional.of("disabled"), Optional.empty(), Optional.empty())).containsExactly("d-2");
    assertThat(found(Optional.empty(), Optional.of("expired"), Optional.empty(), Optional.empty())).containsExactly("d-3");
    assertThat(found(Optional.empty(), Optional.of("enabled"), Optional.empty(), Optional.empty()))
        .containsExactly("d-1", "d-4", "d-5", "d-6", "h-1");
    assertThat(found(Optional.empty(), Optional.of("enabled"), Optional.empty(), soon)).containsExactly("d-4");
    assertThat(found(Optional.of(ALICE), Optional.empty(), Optional.of(false), Optional.empty())).containsExactly("d-2");
    TokenDesk.TokenReport report = desk.report("demo");
    assertThat(report.states()).containsEntry("enabled", 6L).containsEntry("disabled", 1L).containsEntry("lost", 0L);
    assertThat(report.assigned()).isEqualTo(2);
    assertThat(report.expired()).isEqualTo(1);
    assertThat(report.expiring()).isEqualTo(1);
    assertThat(report.neverUsed()).isEqualTo(1);
  }

  private List<String> found(Optional<String> person, Optional<String> state, Optional<Boolean> used, Optional<Instant> before) {
    return desk.page("demo", new TokenFilter(person, state, Optional.empty(), used, before), "", 10).stream()
        .map(TokenView::serial)
        .toList();
  }

  @Test
  void aTokenOfSomebodyIsNotRemoved() {
    done("d-1", new Change.Assign(ALICE));
    assertThat(refused("d-1", new Change.Remove())).isEqualTo(Refusal.HAS_OWNER);
    done("d-1", new Change.Unassign());
    done("d-1", new Change.Remove());
    assertThat(desk.find("demo", "d-1")).isEmpty();
  }
}

package dev.gatehouse.common.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.store.Race;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of {@link Tokens}, with every database. Each test has a realm of its own, because they may share one. */
public abstract class TokensContract {

  private static final Instant NOW = Instant.parse("2026-11-27T06:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final PersonId CAROL = new PersonId("carol-1");
  private static final PersonId DAVE = new PersonId("dave-1");
  private static final int MOST_WRONG = 10;

  private final String realm = "r-" + UUID.randomUUID();

  protected abstract Tokens tokens();

  private static Token token(String serial) {
    return Token.created(serial, TokenType.USUAL, new byte[] {1, 2}, -1, Optional.of(LATER));
  }

  private void give(String serial, PersonId person) {
    assertThat(tokens().add(realm, List.of(token(serial)))).isEmpty();
    assertThat(tokens().assign(realm, serial, person)).isTrue();
  }

  private boolean use(String serial, PersonId person, long used) {
    Token now = tokens().find(realm, serial).orElse(token(serial));
    return tokens().use(realm, new Tokens.Used(now, new Tokens.Use(serial, person, used, 1, NOW)), MOST_WRONG);
  }

  private int wrong(Optional<Instant> until) {
    return tokens().countWrong(realm, CAROL, MOST_WRONG, until);
  }

  @Test
  void keepsWhatWasAdded() {
    assertThat(tokens().find(realm, "a")).isEmpty();
    give("a", CAROL);
    assertThat(tokens().find(realm, "a").orElseThrow())
        .usingRecursiveComparison()
        .ignoringFields("person")
        .isEqualTo(token("a"));
    assertThat(tokens().find(realm, "a").orElseThrow().person()).contains(CAROL);
    assertThat(tokens().of(realm, CAROL)).extracting(Token::serial).containsExactly("a");
    assertThat(tokens().of("another " + realm, CAROL)).isEmpty();
    assertThat(tokens().of(realm, DAVE)).isEmpty();
  }

  @Test
  void usesThatWereMarkedFollowWhereNoLaterOneWasAndTheSeedIsTheSame() {
    give("a", CAROL);
    give("b", CAROL);
    Token a = tokens().find(realm, "a").orElseThrow();
    Token b = tokens().find(realm, "b").orElseThrow();
    Tokens.Use five = new Tokens.Use("a", CAROL, 5, 1, NOW);
    tokens().keepUses(realm, List.of(new Tokens.Used(a, five), new Tokens.Used(b, new Tokens.Use("b", CAROL, 7, 2, NOW))));
    assertThat(tokens().of(realm, CAROL)).extracting(Token::lastUsed).containsExactly(5L, 7L);
    assertThat(tokens().find(realm, "b").orElseThrow().drift()).isEqualTo(2);
    tokens().keepUses(realm, List.of(new Tokens.Used(b, new Tokens.Use("b", CAROL, 6, 0, NOW))));
    Token other = Token.created("a", TokenType.USUAL, new byte[] {3, 4}, -1, Optional.empty());
    tokens().keepUses(realm, List.of(new Tokens.Used(other, new Tokens.Use("a", CAROL, 9, 0, NOW))));
    assertThat(tokens().of(realm, CAROL)).extracting(Token::lastUsed).containsExactly(5L, 7L);
    assertThat(use("a", CAROL, 5)).as("by the row").isFalse();
  }

  @Test
  void tellsWhetherACodeCountsByTheRowAsItIsNow() {
    give("a", CAROL);
    Token a = tokens().find(realm, "a").orElseThrow();
    Tokens.Used five = new Tokens.Used(a, new Tokens.Use("a", CAROL, 5, 1, NOW));
    assertThat(tokens().counts(realm, five, NOW, MOST_WRONG)).isPresent();
    assertThat(tokens().counts(realm, five, LATER, MOST_WRONG)).as("at its end").isEmpty();
    assertThat(tokens().counts(realm, new Tokens.Used(a, new Tokens.Use("a", DAVE, 5, 1, NOW)), NOW, MOST_WRONG)).isEmpty();
    Token other = Token.created("a", TokenType.USUAL, new byte[] {3, 4}, -1, Optional.empty());
    assertThat(tokens().counts(realm, new Tokens.Used(other, five.use()), NOW, MOST_WRONG)).as("another seed").isEmpty();
    wrong(Optional.empty());
    assertThat(tokens().counts(realm, five, NOW, 1)).as("wrong ones").isEmpty();
    assertThat(tokens().counts(realm, five, NOW, 2)).isPresent();
    tokens().change(realm, "a", Token.State.LOST);
    assertThat(tokens().counts(realm, five, NOW, MOST_WRONG)).isEmpty();
    tokens().change(realm, "a", Token.State.ENABLED);
    assertThat(use("a", CAROL, 5)).isTrue();
    assertThat(tokens().counts(realm, five, NOW, MOST_WRONG)).as("used").isEmpty();
  }

  @Test
  void aCodeOfAnotherSeedIsNotUsedUpInTheRow() {
    give("a", CAROL);
    Token other = Token.created("a", TokenType.USUAL, new byte[] {3, 4}, -1, Optional.empty());
    assertThat(tokens().use(realm, new Tokens.Used(other, new Tokens.Use("a", CAROL, 5, 1, NOW)), MOST_WRONG)).isFalse();
    assertThat(use("a", CAROL, 5)).isTrue();
  }

  @Test
  void holderAndTokensComeInOneRead() {
    assertThat(tokens().owned(realm, CAROL)).isEqualTo(new Tokens.Owned(TokenHolder.NEW, List.of()));
    give("a", CAROL);
    give("b", CAROL);
    wrong(Optional.of(LATER));
    Tokens.Owned owned = tokens().owned(realm, CAROL);
    assertThat(owned.holder()).isEqualTo(tokens().holder(realm, CAROL));
    assertThat(owned.tokens()).usingRecursiveComparison().isEqualTo(tokens().of(realm, CAROL));
    assertThat(tokens().owned(realm, DAVE).tokens()).isEmpty();
  }

  @Test
  void aTokenKeepsItsSuite() {
    TokenType type = new TokenType(TokenType.Kind.OCRA, TokenType.Hash.SHA1, 6, 0, Optional.of("OCRA-1:HOTP-SHA1-6:QN08"));
    tokens().add(realm, List.of(Token.created("o", type, new byte[] {1}, -1, Optional.empty())));
    assertThat(tokens().find(realm, "o").orElseThrow().type()).isEqualTo(type);
  }

  @Test
  void addsAllOrNoneAndListsInPages() {
    assertThat(tokens().add(realm, List.of(token("b"), token("a"), token("c")))).isEmpty();
    assertThat(tokens().add(realm, List.of(token("d"), token("b"), token("a")))).containsExactly("a", "b");
    assertThat(tokens().find(realm, "d")).isEmpty();
    assertThat(tokens().list(realm, "", 2)).extracting(Token::serial).containsExactly("a", "b");
    assertThat(tokens().list(realm, "b", 2)).extracting(Token::serial).containsExactly("c");
  }

  @Test
  void ofParallelAdditionsOfASerialNumberOneAdds() throws Exception {
    List<Set<String>> there = Race.of(8, i -> () -> tokens().add(realm, List.of(token("same"), token("own-" + i))));
    assertThat(there).filteredOn(Set::isEmpty).hasSize(1);
    assertThat(there).filteredOn(found -> !found.isEmpty()).hasSize(7).containsOnly(Set.of("same"));
    assertThat(tokens().list(realm, "", 100)).hasSize(2);
  }

  @Test
  void aTokenBelongsToOneAndAPersonHasFewOfThem() throws Exception {
    for (int i = 0; i < Tokens.MOST + 3; i++) {
      tokens().add(realm, List.of(token("t" + i)));
    }
    assertThat(Race.of(Tokens.MOST + 3, i -> () -> tokens().assign(realm, "t" + i, CAROL))).filteredOn(taken -> taken).hasSize(Tokens.MOST);
    String taken = tokens().of(realm, CAROL).getFirst().serial();
    assertThat(tokens().assign(realm, taken, DAVE)).isFalse();
    assertThat(tokens().assign(realm, "unknown", DAVE)).isFalse();
    assertThat(tokens().unassign(realm, taken, CAROL)).isTrue();
    assertThat(tokens().unassign(realm, taken, CAROL)).isFalse();
    assertThat(tokens().find(realm, taken).orElseThrow().state()).isEqualTo(Token.State.DISABLED);
    assertThat(tokens().assign(realm, taken, DAVE)).isTrue();
  }

  @Test
  void withTheLastTokenGoesWhatIsStoredAboutThePerson() {
    give("a", CAROL);
    give("b", CAROL);
    tokens().keepPins(realm, CAROL, Optional.of(new byte[] {7}), true);
    tokens().keepEmergency(realm, CAROL, Set.of("x"), true, LATER);
    assertThat(tokens().remove(realm, "a")).isTrue();
    assertThat(tokens().holder(realm, CAROL).sealedPins()).isPresent();
    assertThat(tokens().remove(realm, "b")).isTrue();
    assertThat(tokens().remove(realm, "b")).isFalse();
    assertThat(tokens().holder(realm, CAROL)).isEqualTo(TokenHolder.NEW);
    assertThat(tokens().emergencyLeft(realm, CAROL, NOW)).isZero();
  }

  @Test
  void aCodeCountsOnceAndNoneBeforeItOfWhomItBelongsTo() {
    give("a", CAROL);
    assertThat(use("a", DAVE, 100)).isFalse();
    assertThat(use("a", CAROL, 100)).isTrue();
    assertThat(use("a", CAROL, 100)).isFalse();
    assertThat(use("a", CAROL, 99)).isFalse();
    Token used = tokens().find(realm, "a").orElseThrow();
    assertThat(used.lastUsed()).isEqualTo(100);
    assertThat(used.drift()).isEqualTo(1);
    assertThat(used.usedAt()).contains(NOW);
    assertThat(tokens().change(realm, "a", Token.State.LOST)).isTrue();
    assertThat(tokens().change(realm, "unknown", Token.State.LOST)).isFalse();
    assertThat(use("a", CAROL, 101)).isFalse();
  }

  @Test
  void ofParallelUsesOfACodeOneWins() throws Exception {
    give("a", CAROL);
    assertThat(Race.of(64, i -> () -> use("a", CAROL, 100))).containsOnlyOnce(true);
  }

  @Test
  void resynchronisationOnlyGoesForward() {
    give("a", CAROL);
    assertThat(tokens().resynchronise(realm, "a", 50, -3)).isTrue();
    assertThat(tokens().resynchronise(realm, "a", 50, 4)).isFalse();
    assertThat(tokens().find(realm, "a").orElseThrow().drift()).isEqualTo(-3);
    assertThat(use("a", CAROL, 50)).isFalse();
    assertThat(use("a", CAROL, 51)).isTrue();
  }

  @Test
  void atMostSoManyWrongOnesAreCountedAndNoneIsLost() throws Exception {
    assertThat(Race.of(7, i -> () -> wrong(Optional.empty()))).contains(7);
    Race.of(20, i -> () -> wrong(Optional.of(LATER)));
    assertThat(tokens().holder(realm, CAROL).wrong()).isEqualTo(MOST_WRONG);
    assertThat(tokens().holder(realm, CAROL).lockedUntil()).contains(LATER);
    assertThat(tokens().holder(realm, DAVE)).isEqualTo(TokenHolder.NEW);
  }

  @Test
  void aLockRefusesCodesAndEmergencyMeans() {
    give("a", CAROL);
    tokens().keepEmergency(realm, CAROL, Set.of("x"), true, LATER);
    while (wrong(Optional.of(LATER)) < MOST_WRONG) {}
    assertThat(use("a", CAROL, 1)).isFalse();
    assertThat(tokens().useEmergency(realm, CAROL, "x", NOW, MOST_WRONG)).isFalse();
    tokens().endLock(realm, CAROL, 3, LATER.minusSeconds(1));
    assertThat(tokens().holder(realm, CAROL).wrong()).as("a lock that lasts").isEqualTo(MOST_WRONG);
    tokens().endLock(realm, CAROL, 3, LATER);
    assertThat(tokens().holder(realm, CAROL).wrong()).isEqualTo(3);
    assertThat(tokens().holder(realm, CAROL).lockedUntil()).isEmpty();
    assertThat(use("a", CAROL, 1)).isTrue();
  }

  @Test
  void aLockWithoutEndIsEndedByForgiving() {
    give("a", CAROL);
    while (wrong(Optional.empty()) < MOST_WRONG) {}
    tokens().endLock(realm, CAROL, 3, LATER);
    assertThat(use("a", CAROL, 1)).isFalse();
    tokens().forgive(realm, CAROL);
    assertThat(tokens().holder(realm, CAROL).wrong()).isZero();
    assertThat(use("a", CAROL, 1)).isTrue();
  }

  @Test
  void pinsAreKeptAndTaken() {
    tokens().keepPins(realm, CAROL, Optional.of(new byte[] {7, 8}), true);
    assertThat(tokens().holder(realm, CAROL).sealedPins().orElseThrow()).containsExactly(7, 8);
    assertThat(tokens().holder(realm, CAROL).newPin()).isTrue();
    tokens().keepPins(realm, CAROL, Optional.empty(), false);
    assertThat(tokens().holder(realm, CAROL).sealedPins()).isEmpty();
    assertThat(tokens().holder(realm, CAROL).newPin()).isFalse();
  }

  @Test
  void pinsAreReplacedWhereTheyAreAsTheyWereSeen() throws Exception {
    assertThat(tokens().replacePins(realm, CAROL, Optional.of(new byte[] {1}), new byte[] {2}, false)).as("there is none").isFalse();
    assertThat(Race.of(16, i -> () -> tokens().replacePins(realm, CAROL, Optional.empty(), new byte[] {5, (byte) i}, false)))
        .containsOnlyOnce(true);
    tokens().keepPins(realm, CAROL, Optional.of(new byte[] {7}), true);
    assertThat(tokens().replacePins(realm, CAROL, Optional.empty(), new byte[] {8}, false)).isFalse();
    assertThat(tokens().replacePins(realm, CAROL, Optional.of(new byte[] {6}), new byte[] {8}, false)).isFalse();
    assertThat(tokens().holder(realm, CAROL).newPin()).isTrue();
    assertThat(tokens().replacePins(realm, CAROL, Optional.of(new byte[] {7}), new byte[] {8}, false)).isTrue();
    assertThat(tokens().holder(realm, CAROL).sealedPins().orElseThrow()).containsExactly(8);
    assertThat(tokens().holder(realm, CAROL).newPin()).isFalse();
  }

  @Test
  void emergencyCodesCountOnceAndPasswordsUntilTheirEnd() throws Exception {
    tokens().keepEmergency(realm, CAROL, Set.of("x", "y"), false, LATER);
    assertThat(tokens().emergencyLeft(realm, CAROL, NOW)).isEqualTo(2);
    assertThat(Race.of(16, i -> () -> tokens().useEmergency(realm, CAROL, "x", NOW, MOST_WRONG))).containsOnlyOnce(true);
    assertThat(tokens().useEmergency(realm, CAROL, "y", LATER, MOST_WRONG)).isFalse();
    tokens().keepEmergency(realm, CAROL, Set.of("z"), true, LATER);
    assertThat(tokens().useEmergency(realm, CAROL, "y", NOW, MOST_WRONG)).as("replaced").isFalse();
    assertThat(tokens().useEmergency(realm, CAROL, "z", NOW, MOST_WRONG)).isTrue();
    assertThat(tokens().useEmergency(realm, CAROL, "z", NOW, MOST_WRONG)).isTrue();
    assertThat(tokens().useEmergency(realm, DAVE, "z", NOW, MOST_WRONG)).isFalse();
    assertThat(tokens().emergencyLeft(realm, CAROL, LATER)).isZero();
  }

  @Test
  void erasureLeavesTheTokensToNobody() {
    give("a", CAROL);
    give("b", DAVE);
    tokens().keepPins(realm, CAROL, Optional.of(new byte[] {7}), false);
    tokens().keepEmergency(realm, CAROL, Set.of("x"), true, LATER);
    tokens().erase(realm, CAROL);
    assertThat(tokens().of(realm, CAROL)).isEmpty();
    assertThat(tokens().find(realm, "a").orElseThrow().state()).isEqualTo(Token.State.DISABLED);
    assertThat(tokens().holder(realm, CAROL)).isEqualTo(TokenHolder.NEW);
    assertThat(tokens().emergencyLeft(realm, CAROL, NOW)).isZero();
    assertThat(tokens().of(realm, DAVE)).hasSize(1);
  }
}

package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.store.Race;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link SecondFactors}. */
public abstract class SecondFactorsContract {

  protected static final PersonId ALICE = new PersonId("alice-uuid");
  private static final PersonId BOB = new PersonId("bob-uuid");
  private static final Instant AT = Instant.parse("2026-11-21T05:00:00Z");

  protected abstract SecondFactors factors();

  protected static Factor factor(String id) {
    return new Factor(id, "Phone " + id, 6, new byte[] {1, 2, 3}, AT, Optional.empty());
  }

  @Test
  void keepsWhatWasAddedByRealmAndPerson() {
    assertThat(factors().of("demo", ALICE)).isEmpty();
    assertThat(factors().add("demo", ALICE, factor("a"), 5)).isTrue();
    assertThat(factors().of("demo", ALICE)).hasSize(1);
    Factor kept = factors().of("demo", ALICE).getFirst();
    assertThat(kept).usingRecursiveComparison().isEqualTo(factor("a"));
    assertThat(factors().of("other", ALICE)).isEmpty();
    assertThat(factors().of("demo", BOB)).isEmpty();
  }

  @Test
  void aStepIsAcceptedOnceAndNoneBeforeIt() {
    factors().add("demo", ALICE, factor("a"), 5);
    factors().add("demo", ALICE, factor("b"), 5);
    assertThat(factors().accept("demo", ALICE, "a", 100, AT)).isTrue();
    assertThat(factors().accept("demo", ALICE, "a", 100, AT)).isFalse();
    assertThat(factors().accept("demo", ALICE, "b", 100, AT)).isFalse();
    assertThat(factors().accept("demo", ALICE, "a", 99, AT)).isFalse();
    assertThat(factors().accept("demo", ALICE, "b", 101, AT.plusSeconds(30))).isTrue();
    assertThat(factors().accept("demo", BOB, "a", 100, AT)).isTrue();
    assertThat(factors().of("demo", ALICE).getLast().usedAt()).contains(AT.plusSeconds(30));
  }

  @Test
  void ofParallelUsesOfAStepOneWins() throws Exception {
    factors().add("demo", ALICE, factor("a"), 5);
    List<Boolean> answers = Race.of(24, i -> () -> factors().accept("demo", ALICE, "a", 7, AT));
    assertThat(answers).containsOnlyOnce(true);
  }

  @Test
  void ofParallelUsesOfARecoveryCodeOneWins() throws Exception {
    factors().keepRecoveryCodes("demo", ALICE, Set.of("x", "y"));
    List<Boolean> answers = Race.of(24, i -> () -> factors().takeRecoveryCode("demo", ALICE, "x"));
    assertThat(answers).containsOnlyOnce(true);
    assertThat(factors().recoveryCodesLeft("demo", ALICE)).isEqualTo(1);
  }

  @Test
  void recoveryCodesAreThePersonsAndReplacedWhole() {
    factors().keepRecoveryCodes("demo", ALICE, Set.of("x", "y"));
    assertThat(factors().takeRecoveryCode("demo", BOB, "x")).isFalse();
    assertThat(factors().takeRecoveryCode("other", ALICE, "x")).isFalse();
    factors().keepRecoveryCodes("demo", ALICE, Set.of("z"));
    assertThat(factors().takeRecoveryCode("demo", ALICE, "x")).isFalse();
    assertThat(factors().takeRecoveryCode("demo", ALICE, "z")).isTrue();
    assertThat(factors().takeRecoveryCode("demo", ALICE, "z")).isFalse();
  }

  @Test
  void fiveAppsAndNoMoreAlsoInParallel() throws Exception {
    List<Boolean> answers = Race.of(12, i -> () -> factors().add("demo", ALICE, factor("f" + i), 5));
    assertThat(answers.stream().filter(added -> added)).hasSize(SecondFactors.MAX_FACTORS);
    assertThat(factors().of("demo", ALICE)).hasSize(SecondFactors.MAX_FACTORS);
  }

  @Test
  void aFirstOneIsOneOnlyAlsoInParallel() throws Exception {
    List<Boolean> answers = Race.of(12, i -> () -> factors().add("demo", ALICE, factor("f" + i), 1));
    assertThat(answers).containsOnlyOnce(true);
  }

  @Test
  void withTheLastOneGoesAllThatBelongedToIt() {
    factors().add("demo", ALICE, factor("a"), 5);
    factors().add("demo", ALICE, factor("b"), 5);
    factors().keepRecoveryCodes("demo", ALICE, Set.of("x"));
    assertThat(factors().remove("demo", ALICE, "none")).isFalse();
    assertThat(factors().remove("demo", ALICE, "a")).isTrue();
    assertThat(factors().recoveryCodesLeft("demo", ALICE)).isEqualTo(1);
    assertThat(factors().remove("demo", ALICE, "b")).isTrue();
    assertThat(factors().of("demo", ALICE)).isEmpty();
    assertThat(factors().takeRecoveryCode("demo", ALICE, "x")).isFalse();
  }

  @Test
  void anAdministratorRemovesAll() {
    assertThat(factors().removeAll("demo", ALICE)).isFalse();
    factors().add("demo", ALICE, factor("a"), 5);
    factors().add("demo", BOB, factor("b"), 5);
    factors().keepRecoveryCodes("demo", ALICE, Set.of("x"));
    assertThat(factors().removeAll("demo", ALICE)).isTrue();
    assertThat(factors().of("demo", ALICE)).isEmpty();
    assertThat(factors().recoveryCodesLeft("demo", ALICE)).isZero();
    assertThat(factors().of("demo", BOB)).hasSize(1);
  }
}

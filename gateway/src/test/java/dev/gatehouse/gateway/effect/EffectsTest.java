package dev.gatehouse.gateway.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.effect.Effect.Change;
import dev.gatehouse.gateway.effect.FileDecisionRecorder.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who would gain or lose what, by real rules and real files. */
@Timeout(60)
class EffectsTest {

  private static final Realm IN_USE = TestRealms.demo();
  private static final List<String> MANAGER = List.of("manager");
  private static final List<String> EMPLOYEE = List.of("employee");

  @TempDir private Path data;
  private final TestTime time = new TestTime();

  private static Realm proposed(Access manager) {
    return TestRealms.change(IN_USE)
        .routes(TestRealms.route("manager", "/manager/", manager), TestRealms.route("app", "/", new Access.Protected()))
        .realm();
  }

  private Effect effect(TestRecorder recorder, Realm... proposed) {
    recorder.close();
    return recorder.effects().of(List.of(IN_USE), List.of(proposed));
  }

  @Test
  void whoLosesTheRoleLosesWhatWasAskedForAndNothingElse() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/7", true);
      recorder.asks("bob", MANAGER, "/other", true);
      recorder.asks("al", EMPLOYEE, "/manager/7", false);
      Effect effect = effect(recorder, proposed(new Access.RequiresRole(Set.of("director"))));
      assertThat(effect.losses())
          .containsExactly(
              new Change("demo", "bob", "GET", TestRealms.APP + "/manager/7", "ROLE_MISSING, route manager: role director"));
      assertThat(effect.gains()).isEmpty();
      assertThat(effect.recorded()).isEqualTo(3);
      assertThat(effect.asked()).isEqualTo(3);
      assertThat(effect.coverage()).isEqualTo(1);
    }
  }

  @Test
  void whoIsPermittedAnewGains() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/7", true);
      recorder.asks("al", EMPLOYEE, "/manager/7", false);
      Effect effect = effect(recorder, proposed(new Access.RequiresRole(Set.of("manager", "employee"))));
      assertThat(effect.gains())
          .extracting(Change::person, Change::reason)
          .containsExactly(tuple("al", "route manager: role employee, manager"));
      assertThat(effect.losses()).isEmpty();
    }
  }

  @Test
  void theRecordedAnswerDoesNotMatter() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/7", false);
      assertThat(effect(recorder, IN_USE).losses()).isEmpty();
      assertThat(effect(recorder, proposed(new Access.RequiresRole(Set.of("director")))).losses()).hasSize(1);
    }
  }

  @Test
  void thePersonsNewestRolesCount() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", List.of("manager", "director"), "/manager/7", true);
      recorder.asks("bob", MANAGER, "/manager/7", true);
      assertThat(effect(recorder, proposed(new Access.RequiresRole(Set.of("director")))).losses()).hasSize(1);
      assertThat(effect(recorder, proposed(new Access.RequiresRole(Set.of("manager")))).losses()).isEmpty();
    }
  }

  @Test
  void aRealmThatIsRemovedIsLostAsAWhole() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/7", true);
      assertThat(effect(recorder).losses()).extracting(Change::reason).containsExactly("HOST_UNKNOWN");
      assertThat(effect(recorder, TestRealms.change(IN_USE).name("other").realm()).losses())
          .extracting(Change::reason)
          .containsExactly("the realm other has the host");
    }
  }

  @Test
  void aHundredAreListedAndTheOthersCounted() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      for (int i = 0; i < 150; i++) {
        recorder.asks("bob", MANAGER, "/manager/" + (1000 + i), true);
      }
      Effect effect = effect(recorder, proposed(new Access.RequiresRole(Set.of("director"))));
      assertThat(effect.losses()).hasSize(100);
      assertThat(effect.losses().getFirst().url()).endsWith("/1000");
      assertThat(effect.losses().getLast().url()).endsWith("/1099");
      assertThat(effect.moreLosses()).isEqualTo(50);
    }
  }

  @Test
  void attributesThatWereNotRecordedAreNamed() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", MANAGER, Map.of("office", List.of("Bonn")), "/manager/7", true);
      Rule rule = new Rule("r", PolicyConfig.Effect.PERMIT, List.of(new Condition.Present("office")));
      Realm policy =
          TestRealms.change(IN_USE)
              .routes(TestRealms.route("manager", "/manager/", new Access.Protected()).withPolicies(List.of(new PolicyConfig("p", List.of(rule)))))
              .realm();
      Effect effect = effect(recorder, policy);
      assertThat(effect.unknownAttributes()).containsExactly("office");
      assertThat(effect.losses()).extracting(Change::reason).containsExactly("NO_RULE_PERMITS, route manager: no rule permits");
    }
  }

  @Test
  void onlyTheLastDayCounts() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/7", true);
      recorder.close();
      time.advance(Duration.ofHours(23));
      assertThat(effect(recorder, IN_USE).recorded()).isEqualTo(1);
      time.advance(Duration.ofHours(2));
      assertThat(effect(recorder, IN_USE).recorded()).isZero();
    }
  }

  @Test
  void theCoverageTellsWhatTheTimeDidNotSufficeFor() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      for (int i = 0; i < 640; i++) {
        recorder.asks("bob", MANAGER, "/manager/" + i, true);
      }
      recorder.close();
      AtomicInteger calls = new AtomicInteger();
      // The first call is the begin; the third look at the clock finds the time over.
      InstantSource impatient = () -> time.instant().plusSeconds(calls.getAndIncrement() < 3 ? 0 : 6);
      Effect effect = new Effects(recorder.files, () -> 0, impatient).of(List.of(IN_USE), List.of(IN_USE));
      assertThat(effect.recorded()).isEqualTo(640);
      assertThat(effect.asked()).isEqualTo(192);
      assertThat(effect.coverage()).isEqualTo(0.3);
    }
  }

  @Test
  void theCoverageTellsWhatWasLost() {
    try (TestRecorder recorder = new TestRecorder(data, time, Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/7", true);
      recorder.close();
      Effect effect = new Effects(recorder.files, () -> 3, time).of(List.of(IN_USE), List.of(IN_USE));
      assertThat(effect.coverage()).isEqualTo(0.25);
    }
  }
}

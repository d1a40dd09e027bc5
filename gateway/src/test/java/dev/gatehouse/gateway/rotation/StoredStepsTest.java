package dev.gatehouse.gateway.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
import dev.gatehouse.common.realm.TestRealms;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rotation of keys of a stopped node: each step is audited before it is taken. */
class StoredStepsTest {

  private static final KeyUse USE = KeyUse.IDP_TOKENS_P256;

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private final RecordingAuditLog audit = new RecordingAuditLog();

  private KeySteps steps(AuditLog log) {
    FileKeyRings rings = new FileKeyRings(data, time, new SecureRandom());
    return new StoredSteps("demo", USE, rings.folder(TestRealms.demo(), USE).orElseThrow(), log);
  }

  private static List<String> states(List<ListedKey> keys) {
    return keys.stream().map(ListedKey::state).toList();
  }

  @Test
  void eachStepIsAuditedAsOneOfTheCommandLineWithBeforeAndAfter() {
    List<ListedKey> prepared = steps(audit).take(RotationStep.PREPARE);
    assertThat(states(prepared)).containsExactly("current", "next");
    String first = prepared.getFirst().id();
    String second = prepared.getLast().id();
    assertThat(states(steps(audit).take(RotationStep.PROMOTE))).containsExactly("current", "previous");
    assertThat(states(steps(audit).take(RotationStep.RETIRE))).containsExactly("current");
    List<Administered> events = audit.events(Administered.class);
    assertThat(events).extracting(Administered::action).containsExactly("key.prepare", "key.promote", "key.retire");
    assertThat(events).extracting(Administered::administrator).containsOnly("command line");
    assertThat(events).extracting(event -> event.context().realm()).containsOnly("demo");
    assertThat(events.get(1).details())
        .containsEntry("use", "IDP_TOKENS_P256")
        .containsEntry("before", "current=" + first + " next=" + second)
        .containsEntry("after", "current=" + second + " previous=" + first)
        .containsEntry("now", "true");
  }

  @Test
  void aStepThatTheOrderForbidsIsNoEvent() {
    assertThatThrownBy(() -> steps(audit).take(RotationStep.PROMOTE))
        .isInstanceOf(KeySteps.Refused.class)
        .hasMessageContaining("there is no next key");
    assertThat(audit.events(Administered.class)).isEmpty();
  }

  @Test
  void whatCannotBeAuditedDoesNotHappen() {
    AuditLog broken =
        new AuditLog() {
          @Override
          public void record(AuditEvent event) {
            throw new AuditUnavailable("the test's", new IOException());
          }
        };
    assertThatThrownBy(() -> steps(broken).take(RotationStep.PREPARE)).isInstanceOf(AuditUnavailable.class);
    assertThatThrownBy(() -> steps(audit).take(RotationStep.PROMOTE)).isInstanceOf(KeySteps.Refused.class);
  }
}

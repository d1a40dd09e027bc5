package dev.gatehouse.gateway.admin.key;

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
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.admin.key.KeyEndpoint.KeyList;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rotation of keys by REST: its order is safe, and each step is audited before it is taken. */
class KeyEndpointTest {

  private static final String USE = KeyUse.IDP_TOKENS_P256.name();

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private final RecordingAuditLog audit = new RecordingAuditLog();

  private KeyEndpoint endpoint(AuditLog log) {
    return new KeyEndpoint(
        new FixedRealms(TestRealms.demo()), new FileKeyRings(data, time, new SecureRandom()), time, new AdminAudit(log));
  }

  private KeyEndpoint endpoint() {
    return endpoint(audit);
  }

  private static List<String> states(KeyList list) {
    return list.keys().stream().map(KeyView::state).toList();
  }

  @Test
  void aReadMakesNoKey() {
    assertThat(endpoint().list("demo").keys()).isEmpty();
    assertThat(data.resolve("keys")).doesNotExist();
    assertThatThrownBy(() -> endpoint().list("nowhere")).isInstanceOf(NotFound.class);
  }

  @Test
  void theNextKeyIsPublishedBeforeItSignsAndTheOldOneVerifiesUntilNothingItSignedIsValid() {
    KeyList prepared = endpoint().prepare("demo", USE, "ops");
    assertThat(states(prepared)).containsExactly("current", "next");
    KeyView next = prepared.keys().get(1);
    assertThat(next.safeFrom()).contains(TestTime.START.plus(Duration.ofMinutes(15)));
    assertThat(next.certificate()).startsWith("-----BEGIN CERTIFICATE-----").doesNotContain("PRIVATE");
    assertThatThrownBy(() -> endpoint().promote("demo", USE, false, "ops")).isInstanceOf(Conflict.class).hasMessageContaining("may not know the next one");
    assertThat(states(endpoint().list("demo"))).containsExactly("current", "next");
    time.advance(Duration.ofMinutes(15));
    KeyList promoted = endpoint().promote("demo", USE, false, "ops");
    assertThat(states(promoted)).containsExactly("current", "previous");
    assertThat(promoted.keys().getFirst().id()).isEqualTo(next.id());
    assertThatThrownBy(() -> endpoint().retire("demo", USE, false, "ops")).isInstanceOf(Conflict.class).hasMessageContaining("may be valid until");
    time.advance(Duration.ofHours(25));
    assertThat(states(endpoint().retire("demo", USE, false, "ops"))).containsExactly("current");
  }

  @Test
  void aStolenKeyIsReplacedAtOnce() {
    endpoint().prepare("demo", USE, "ops");
    assertThat(states(endpoint().promote("demo", USE, true, "ops"))).containsExactly("current", "previous");
    assertThat(states(endpoint().retire("demo", USE, true, "ops"))).containsExactly("current");
  }

  @Test
  void metadataIsGivenTwoWeeksAndEncryptionNeedsNoTime() {
    KeyView next = endpoint().prepare("demo", KeyUse.IDP_SIGNING.name(), "ops").keys().get(1);
    assertThat(next.safeFrom()).contains(TestTime.START.plus(Duration.ofDays(14)));
    String encryption = KeyUse.SP_ENCRYPTION.name();
    assertThat(endpoint().prepare("demo", encryption, "ops").keys().get(1).safeFrom()).isEmpty();
    endpoint().promote("demo", encryption, false, "ops");
    KeyList retired = endpoint().retire("demo", encryption, false, "ops");
    assertThat(states(retired)).containsExactly("current", "retired");
    assertThat(retired.keys().get(1).until()).contains(TestTime.START.plus(Duration.ofDays(15)));
  }

  @Test
  void aStepThatTheOrderForbidsIsAConflict() {
    assertThatThrownBy(() -> endpoint().promote("demo", USE, true, "ops")).isInstanceOf(Conflict.class).hasMessageContaining("there is no next key");
    assertThatThrownBy(() -> endpoint().retire("demo", USE, true, "ops")).isInstanceOf(Conflict.class).hasMessageContaining("there is no previous key");
    endpoint().prepare("demo", USE, "ops");
    assertThatThrownBy(() -> endpoint().prepare("demo", USE, "ops")).isInstanceOf(Conflict.class).hasMessageContaining("there is a next key already");
    for (String unknown : List.of("idp_tokens_p256", "IDP", "../IDP_SIGNING", "")) {
      assertThatThrownBy(() -> endpoint().prepare("demo", unknown, "ops")).as(unknown).isInstanceOf(NotFound.class).hasMessageContaining("IDP_SIGNING");
    }
  }

  @Test
  void eachStepIsAuditedWithBeforeAndAfter() {
    String first = endpoint().prepare("demo", USE, "ops").keys().getFirst().id();
    Administered event = audit.events(Administered.class).getLast();
    assertThat(event.action()).isEqualTo("key.prepare");
    assertThat(event.administrator()).isEqualTo("ops");
    assertThat(event.details()).containsEntry("use", USE).containsEntry("before", "current=" + first);
    assertThat(event.details().get("after")).startsWith("current=" + first + " next=");
    assertThatThrownBy(() -> endpoint().promote("demo", USE, false, "ops")).isInstanceOf(Conflict.class);
    assertThat(audit.events(Administered.class)).hasSize(1);
  }

  @Test
  void whatCannotBeAuditedDoesNotHappenAndLeavesNoKey() throws IOException {
    endpoint().prepare("demo", USE, "ops");
    List<String> before = files();
    AuditLog broken =
        new AuditLog() {
          @Override
          public void record(AuditEvent event) {
            throw new AuditUnavailable("the test's", new IOException());
          }
        };
    assertThatThrownBy(() -> endpoint(broken).promote("demo", USE, true, "ops")).isInstanceOf(AuditUnavailable.class);
    assertThatThrownBy(() -> endpoint(broken).prepare("demo", KeyUse.IDP_TOKENS_ED25519.name(), "ops")).isInstanceOf(AuditUnavailable.class);
    assertThat(states(endpoint().list("demo"))).containsExactly("current", "next", "current");
    assertThat(files()).containsAll(before).hasSize(before.size() + 2);
  }

  private List<String> files() throws IOException {
    try (var all = Files.walk(data.resolve("keys"))) {
      return all.filter(Files::isRegularFile).map(Path::toString).filter(name -> name.endsWith(".pem") || name.endsWith("ring")).toList();
    }
  }

  /** A ring of the former version says no times: those of its file count. */
  @Test
  void aRingOfTheFormerVersionIsRead() throws IOException {
    endpoint().prepare("demo", USE, "ops");
    Path ring = data.resolve("keys/demo/idp-tokens-p256/ring");
    Files.writeString(ring, Files.readString(ring).replaceAll("(?m)^since.*\n", ""));
    FileKeyRings rings = new FileKeyRings(data, time, new SecureRandom());
    var read = rings.folder(TestRealms.demo(), KeyUse.IDP_TOKENS_P256).orElseThrow().find().orElseThrow();
    assertThat(RotationStep.PROMOTE.safeFrom(KeyUse.IDP_TOKENS_P256, read))
        .isEqualTo(Optional.of(Files.getLastModifiedTime(ring).toInstant().plus(Duration.ofMinutes(15))));
  }
}

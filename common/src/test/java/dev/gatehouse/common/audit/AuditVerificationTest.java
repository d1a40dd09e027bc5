package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.key.AuditSigningKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints, and what a verification of the whole log finds. */
class AuditVerificationTest {

  private static final int LINES = 20;

  @TempDir Path root;
  private final TestTime time = new TestTime();
  private final SecureRandom random = new SecureRandom();
  private SigningKey key;
  private JsonLinesAuditLog log;
  private AuditCheckpoints checkpoints;
  private Path file;
  private Path signed;

  @BeforeEach
  void fill() throws IOException {
    file = root.resolve("audit/audit.jsonl");
    signed = root.resolve("audit/checkpoints/2026-01.jws");
    key = new AuditSigningKey(root).readOrCreate(time, random);
    open(1 << 20);
    write(LINES);
    minute();
  }

  private void open(long maxBytes) {
    log =
        new JsonLinesAuditLog(
            root.resolve("audit"), Optional.of(root.resolve("keys/audit-head")), maxBytes, Duration.ofDays(30), time);
    checkpoints = new AuditCheckpoints(log, root.resolve("audit"), key, "test/0", Duration.ofDays(30), time);
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      log.record(new AuditEvent.Administered(Context.node(), "root", "test", Map.of("what", "event " + i)));
    }
  }

  private void minute() throws IOException {
    time.advance(Duration.ofMinutes(1));
    checkpoints.writeIfDue();
  }

  @AfterEach
  void close() {
    log.close();
  }

  private PublicKeys keys() {
    return PublicKeys.of(List.of(new AuditSigningKey(root).published().orElseThrow()));
  }

  private AuditReport report(Path... against) throws IOException {
    return AuditVerification.verify(
        new AuditVerification.Sources(
            root.resolve("audit"), root.resolve("keys/audit-head"), Optional.of(root.resolve("archive")), keys(), List.of(against)),
        (bytes, all) -> assertThat(bytes).isBetween(0L, all));
  }

  private List<String> problems(Path... against) throws IOException {
    return report(against).problems().stream()
        .map(problem -> root.resolve("audit").relativize(problem.file()) + ":" + problem.line() + " " + problem.what())
        .toList();
  }

  private List<String> lines() throws IOException {
    return new ArrayList<>(Files.readAllLines(file));
  }

  private void replace(List<String> lines) throws IOException {
    Files.write(file, lines);
  }

  @Test
  void aClockThatIsSetBackDelaysNoCheckpoint() throws IOException {
    time.advance(Duration.ofHours(5));
    write(1);
    checkpoints.writeIfDue();
    time.advance(Duration.ofHours(-5));
    write(1);
    checkpoints.writeIfDue();
    assertThat(lines()).last().asString().contains("\"event\":\"CheckpointSigned\"");
  }

  @Test
  void eachMinuteWithEventsHasACheckpointInTheLogAndBesideIt() throws IOException {
    assertThat(Files.readAllLines(signed)).hasSize(1);
    assertThat(lines()).last().asString().contains("\"event\":\"CheckpointSigned\"", "\"upTo\":20", Files.readAllLines(signed).getFirst());
    minute();
    assertThat(lines()).as("nothing happened since").hasSize(LINES + 1);
    write(1);
    checkpoints.writeIfDue();
    assertThat(lines()).as("no minute has passed").hasSize(LINES + 2);
    minute();
    assertThat(lines()).hasSize(LINES + 3);
    write(1);
    log.close();
    assertThat(lines()).as("the end is signed").hasSize(LINES + 5).last().asString().contains("CheckpointSigned");
    AuditReport report = report();
    assertThat(report.problems()).isEmpty();
    assertThat(report.events()).isEqualTo(LINES + 5);
    assertThat(report.checkpoints()).as("each beside the log and in it").isEqualTo(6);
    assertThat(report.newest().orElseThrow().seq()).isEqualTo(LINES + 4);
    assertThat(report.bytesPerEvent()).isEqualTo((double) Files.size(file) / (LINES + 5));
  }

  @Test
  void aCheckpointThatCouldNotBeWrittenIsWrittenOnceLater() throws IOException {
    write(1);
    Files.move(signed, root.resolve("kept"));
    Files.createDirectories(signed.resolve("in the way"));
    time.advance(Duration.ofMinutes(1));
    for (int i = 0; i < 3; i++) {
      assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> checkpoints.writeIfDue())).isInstanceOf(IOException.class);
    }
    Files.delete(signed.resolve("in the way"));
    Files.delete(signed);
    Files.move(root.resolve("kept"), signed);
    Files.writeString(signed, "eyJ", StandardOpenOption.APPEND);
    checkpoints.writeIfDue();
    minute();
    assertThat(Files.readAllLines(signed)).as("a part of a line is replaced").hasSize(2);
    assertThat(lines()).hasSize(LINES + 3);
    assertThat(problems()).isEmpty();
  }

  @Test
  void checkpointsOfMonthsBeforeTheKeptEventsAreRemoved() throws IOException {
    time.advance(Duration.ofDays(70));
    write(1);
    minute();
    assertThat(root.resolve("audit/checkpoints")).isDirectoryContaining("glob:**2026-03.jws").isDirectoryNotContaining("glob:**2026-01.jws");
    assertThat(problems()).isEmpty();
  }

  @Test
  void aRemovedEventIsNamedAndTheRestIsVerified() throws IOException {
    List<String> lines = lines();
    lines.remove(12);
    lines.subList(3, 5).clear();
    replace(lines);
    assertThat(problems())
        .containsExactly(
            "audit.jsonl:4 events 4 to 5 were removed before this line", "audit.jsonl:11 event 13 was removed before this line");
  }

  @Test
  void aChangedEventIsNamed() throws IOException {
    List<String> lines = lines();
    lines.set(6, lines.get(6).replace("event 6", "event x"));
    replace(lines);
    assertThat(problems())
        .containsExactly("audit.jsonl:7 event 7 was changed, or the event before it was and its chain was calculated anew");
  }

  @Test
  void anAddedEventIsNamed() throws IOException {
    List<String> lines = lines();
    lines.add(8, lines.get(2));
    lines.add(15, "{\"event\":\"LoginSucceeded\"}");
    replace(lines);
    assertThat(problems())
        .containsExactly(
            "audit.jsonl:9 event 3 was added after event 8: it is there already",
            "audit.jsonl:16 a line after event 14 is damaged or was added: it has no number and chain",
            "audit.jsonl:17 before event 15, 1 line(s) were added that are no events");
  }

  @Test
  void eventsInAnotherOrderAreNamed() throws IOException {
    List<String> lines = lines();
    lines.add(10, lines.remove(5));
    replace(lines);
    assertThat(problems()).containsExactly("audit.jsonl:11 event 6 was moved: it stands after event 11");
  }

  @Test
  void anyFlippedBitIsNoticed() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Random flips = new Random(1);
    for (int i = 0; i < 200; i++) {
      byte[] damaged = whole.clone();
      int at = flips.nextInt(damaged.length);
      int bit = 1 << flips.nextInt(8);
      damaged[at] ^= (byte) bit;
      Files.write(file, damaged);
      assertThat(report().problems()).as("bit %d at %d", bit, at).isNotEmpty();
    }
  }

  @Test
  void aForgedLogWithItsHeadContradictsTheCheckpoints() throws IOException {
    log.close();
    Path forged = root.resolve("forged");
    try (JsonLinesAuditLog other =
        new JsonLinesAuditLog(forged, Optional.of(root.resolve("forged-head")), 1 << 20, Duration.ofDays(30), time)) {
      for (int i = 0; i <= LINES; i++) {
        other.record(new AuditEvent.Administered(Context.node(), "nobody", "nothing", Map.of()));
      }
    }
    Files.copy(forged.resolve("audit.jsonl"), file, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(root.resolve("forged-head"), root.resolve("keys/audit-head"), StandardCopyOption.REPLACE_EXISTING);
    assertThat(problems()).singleElement().asString().contains("audit.jsonl:20 event 20, or one before it, was changed: it contradicts the checkpoint");
    Path elsewhere = Files.move(signed, root.resolve("elsewhere.jws"));
    assertThat(problems()).isEmpty();
    assertThat(problems(elsewhere)).singleElement().asString().contains("contradicts the checkpoint", "elsewhere.jws:1");
  }

  @Test
  void aCutTailIsNoticedByTheKeyFolderAndByCheckpointsKeptElsewhere() throws IOException {
    log.close();
    Path elsewhere = Files.copy(file, root.resolve("shipped.jsonl"));
    replace(lines().subList(0, 10));
    assertThat(problems())
        .hasSize(2)
        .anySatisfy(problem -> assertThat(problem).contains("audit-head names event 21"))
        .anySatisfy(problem -> assertThat(problem).contains("2026-01.jws:1 covers event 20"));
    Files.delete(root.resolve("keys/audit-head"));
    Files.delete(signed);
    assertThat(problems()).isEmpty();
    assertThat(problems(elsewhere))
        .singleElement()
        .asString()
        .contains("audit.jsonl:0 the log was cut off: it ends with event 10", "shipped.jsonl:21 covers event 20");
  }

  @Test
  void aCheckpointOfAnotherKeyCountsNothing() throws IOException {
    Path stranger = root.resolve("stranger");
    SigningKey other = new AuditSigningKey(stranger).readOrCreate(time, random);
    String forged = Checkpoint.sign(other, log.end(), "test/0", time.instant());
    Files.writeString(signed, forged + "\nnonsense\n", StandardOpenOption.APPEND);
    assertThat(problems())
        .hasSize(2)
        .anySatisfy(problem -> assertThat(problem).contains("2026-01.jws:2 this checkpoint is not signed by the node's key", other.id()))
        .anySatisfy(problem -> assertThat(problem).contains("2026-01.jws:3 this is no checkpoint"));
  }

  @Test
  void rotatedAndArchivedFilesAreOneLog() throws IOException {
    log.close();
    open(2_000);
    write(60);
    log.close();
    List<Path> rotated = new AuditFolder(root.resolve("audit")).rotated();
    Files.createDirectories(root.resolve("archive"));
    for (Path old : rotated.subList(0, 3)) {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(root.resolve("archive/" + old.getFileName() + ".gz")))) {
        out.write(Files.readAllBytes(old));
      }
      Files.delete(old);
    }
    AuditReport report = report();
    assertThat(report.problems()).isEmpty();
    assertThat(report.events()).isEqualTo(LINES + 1 + 61);
    assertThat(report.files()).isEqualTo(rotated.size() + 1);
    Path middle = root.resolve("archive/" + rotated.get(1).getFileName() + ".gz");
    byte[] whole = Files.readAllBytes(middle);
    Files.write(middle, Arrays.copyOf(whole, whole.length - 20));
    assertThat(problems()).anySatisfy(problem -> assertThat(problem).contains(middle.getFileName().toString(), "cannot be read from here on"));
    Files.delete(middle);
    assertThat(problems()).singleElement().asString().contains("were removed before this line");
  }

  @Test
  void aLogThatIsWrittenAndRotatedMeanwhileIsIntact() throws Exception {
    log.close();
    open(3_000);
    AtomicBoolean isEnough = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!isEnough.get()) {
                    write(1);
                  }
                });
    try {
      for (int i = 0; i < 30; i++) {
        assertThat(problems()).isEmpty();
      }
    } finally {
      isEnough.set(true);
      writer.join();
    }
    assertThat(report().events()).isGreaterThan(LINES);
  }
}

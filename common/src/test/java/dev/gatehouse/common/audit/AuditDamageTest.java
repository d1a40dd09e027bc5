package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.installation.BootId;
import dev.gatehouse.common.installation.StoreDamaged.Defect;
import dev.gatehouse.common.store.Race;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lines of the audit log that were cut off, removed, changed, added or moved are detected; the traces of a kill are tolerated. */
class AuditDamageTest {

  private static final int LINES = 20;

  @TempDir Path root;
  private final TestTime time = new TestTime();
  private final List<JsonLinesAuditLog> opened = new ArrayList<>();
  private Path file;
  private AuditFiles files;

  @BeforeEach
  void fill() {
    file = root.resolve("audit/audit.jsonl");
    files = new AuditFiles(root.resolve("audit"), root.resolve("keys"));
    write(open(1 << 20), LINES);
  }

  private JsonLinesAuditLog open(long maxBytes) {
    JsonLinesAuditLog log =
        new JsonLinesAuditLog(
            root.resolve("audit"), Optional.of(root.resolve("keys/audit-head")), maxBytes, Duration.ofDays(30), time);
    opened.add(log);
    return log;
  }

  private static void write(AuditLog log, int count) {
    for (int i = 0; i < count; i++) {
      log.record(event("event " + i));
    }
  }

  private static AuditEvent event(String detail) {
    return new AuditEvent.Administered(Context.node(), "root", "test", Map.of("what", detail));
  }

  @AfterEach
  void close() {
    opened.forEach(JsonLinesAuditLog::close);
  }

  private String defect() {
    return files.defect().map(Defect::what).orElse("");
  }

  private List<String> lines() throws IOException {
    return new ArrayList<>(Files.readAllLines(file));
  }

  private void replace(List<String> lines) throws IOException {
    Files.write(file, lines);
  }

  @Test
  void aWholeLogIsWholeBeforeAndAfterItIsClosedAndGoesOn() throws IOException {
    assertThat(defect()).isEmpty();
    close();
    assertThat(defect()).isEmpty();
    write(open(1 << 20), 3);
    assertThat(defect()).isEmpty();
    assertThat(lines()).hasSize(LINES + 3).last().asString().contains("\"seq\":" + (LINES + 3));
  }

  @Test
  void removedLastLinesAreNoticed() throws IOException {
    replace(lines().subList(0, LINES - 1));
    assertThat(defect()).isEqualTo("was cut off or is missing: the log ends with event 19 of 20");
    replace(List.of());
    assertThat(defect()).contains("ends with event 0 of 20");
    Files.delete(file);
    assertThat(defect()).contains("ends with event 0 of 20");
  }

  @Test
  void aLastLineThatWasCutOffInTheMiddleIsNoticed() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 30));
    assertThat(defect()).contains("ends with event 19 of 20");
  }

  @Test
  void nothingIsWrittenBehindALogThatWasCutOff() throws IOException {
    close();
    replace(lines().subList(0, LINES - 1));
    JsonLinesAuditLog log = open(1 << 20);
    assertThatExceptionOfType(AuditUnavailable.class)
        .isThrownBy(() -> log.record(event("over it")))
        .withMessageContaining("ends with event 19 of 20");
    assertThat(defect()).contains("ends with event 19 of 20");
  }

  @Test
  void aRemovedLineIsNoticed() throws IOException {
    List<String> lines = lines();
    lines.remove(10);
    replace(lines);
    assertThat(defect()).isEqualTo("has event 12 after event 10: events were removed, added or moved");
    lines.subList(0, 3).clear();
    replace(lines);
    assertThat(defect()).contains("has event 4 after event 0");
  }

  @Test
  void linesThatChangedPlacesOrAreThereTwiceAreNoticed() throws IOException {
    List<String> lines = lines();
    lines.add(5, lines.get(4));
    replace(lines);
    assertThat(defect()).contains("has event 5 after event 5");
    lines.remove(5);
    lines.add(7, lines.remove(5));
    replace(lines);
    assertThat(defect()).contains("has event 7 after event 5");
  }

  @Test
  void anyFlippedBitIsNoticed() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(damaged.length);
      int bit = 1 << random.nextInt(8);
      damaged[at] ^= (byte) bit;
      Files.write(file, damaged);
      assertThat(defect()).as("bit %d at %d", bit, at).isNotEmpty();
    }
  }

  @Test
  void aChangedLineWithANewChainIsNoticedByTheKeyFolder() throws IOException {
    Path forged = root.resolve("forged");
    JsonLinesAuditLog other = new JsonLinesAuditLog(forged, 1 << 20, Duration.ofDays(30), time);
    write(other, LINES - 1);
    other.record(event("what did not happen"));
    other.close();
    Files.copy(forged.resolve("audit.jsonl"), file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(defect()).isEqualTo("was changed: event 20 differs from the written content");
  }

  @Test
  void anUnfinishedLastLineIsForgivenAndCut() throws IOException {
    close();
    Files.writeString(file, "{\"time\":\"2026-01-01T12:0", StandardOpenOption.APPEND);
    assertThat(defect()).isEmpty();
    write(open(1 << 20), 1);
    assertThat(defect()).isEmpty();
    assertThat(lines()).hasSize(LINES + 1).allSatisfy(line -> assertThat(line).startsWith("{").endsWith("}"));
  }

  @Test
  void wholeLinesThatWereWrittenBeforeTheKeyFolderKnewAreForgiven() throws IOException {
    byte[] head = Files.readAllBytes(root.resolve("keys/audit-head"));
    write(opened.getFirst(), 1);
    close();
    Files.write(root.resolve("keys/audit-head"), head);
    assertThat(defect()).isEmpty();
    write(open(1 << 20), 1);
    assertThat(defect()).isEmpty();
  }

  @Test
  void rotatedFilesAreOneLog() throws IOException {
    close();
    JsonLinesAuditLog log = open(2_000);
    write(log, 100);
    assertThat(defect()).isEmpty();
    log.force();
    List<Path> rotated = new AuditFolder(root.resolve("audit")).rotated();
    assertThat(rotated).hasSizeGreaterThan(5);
    byte[] whole = Files.readAllBytes(rotated.get(2));
    Files.delete(rotated.get(2));
    assertThat(defect()).contains("events were removed");
    Files.write(rotated.get(2), Arrays.copyOf(whole, whole.length - 1));
    assertThat(defect()).contains("has a damaged line");
    Files.write(rotated.get(2), whole);
    Files.move(rotated.getFirst(), root.resolve("elsewhere"));
    assertThat(defect()).contains("after event 0");
  }

  /** Files are read in the order of their names: a later one with an earlier name would look as if events had been moved. */
  @Test
  void aClockThatIsSetBackChangesNoOrder() throws IOException {
    close();
    JsonLinesAuditLog log = open(2_000);
    write(log, 50);
    time.advance(Duration.ofHours(-2));
    write(log, 50);
    assertThat(new AuditFolder(root.resolve("audit")).rotated()).hasSizeGreaterThan(5);
    assertThat(defect()).isEmpty();
    close();
    write(open(2_000), 50);
    assertThat(defect()).isEmpty();
  }

  @Test
  void whatIsRemovedByItsAgeIsNoLoss() throws IOException {
    close();
    write(open(2_000), 100);
    time.advance(Duration.ofDays(31));
    close();
    JsonLinesAuditLog log = open(2_000);
    write(log, 1);
    assertThat(new AuditFolder(root.resolve("audit")).rotated()).hasSizeLessThan(2);
    assertThat(defect()).isEmpty();
    write(log, 30);
    assertThat(defect()).isEmpty();
    Path oldest = new AuditFolder(root.resolve("audit")).rotated().getFirst();
    Files.delete(oldest);
    assertThat(defect()).isNotEmpty();
  }

  @Test
  void linesOfTheFormerVersionStayReadable() throws IOException {
    close();
    Files.delete(root.resolve("keys/audit-head"));
    Files.writeString(file, "{\"time\":\"2025-01-01T12:00:00.000Z\",\"event\":\"LoginRefused\"}\n".repeat(5));
    assertThat(defect()).isEmpty();
    write(open(1 << 20), 5);
    assertThat(defect()).isEmpty();
    replace(lines().subList(0, 9));
    assertThat(defect()).contains("ends with event 4 of 5");
  }

  @Test
  void whatIsLeftOfADamagedLogIsSetAsideAndTheNumbersGoOn() throws IOException {
    close();
    replace(lines().subList(0, 3));
    Path aside = files.setAside(time.instant()).orElseThrow();
    assertThat(Files.readAllLines(aside.resolve("audit.jsonl"))).hasSize(3);
    assertThat(defect()).isEmpty();
    write(open(1 << 20), 2);
    assertThat(lines()).hasSize(2).first().asString().contains("\"seq\":21");
    assertThat(defect()).isEmpty();
    replace(lines().subList(1, 2));
    assertThat(defect()).contains("has event 22 after event 20");
  }

  @Test
  void afterTheMachineWentDownWhatWasNotForcedToDiskMayBeMissing() throws IOException {
    opened.getFirst().force();
    write(opened.getFirst(), 5);
    close();
    try (AuditHead head = new AuditHead(root.resolve("keys/audit-head"))) {
      AuditHead.State now = head.read().orElseThrow();
      head.write(new AuditHead.State(now.last(), LINES, now.before(), new BootId(new UUID(1, 2))));
    }
    List<String> all = lines();
    replace(all.subList(0, LINES + 2));
    assertThat(defect()).isEmpty();
    replace(all.subList(0, LINES - 1));
    assertThat(defect()).contains("ends with event 19 of 20");
    replace(all.subList(0, LINES + 2));
    write(open(1 << 20), 2);
    assertThat(defect()).isEmpty();
    assertThat(lines()).hasSize(LINES + 4);
  }

  @Test
  void forcingAndRotatingWhileManyWriteLosesNothing() throws Exception {
    close();
    JsonLinesAuditLog log = open(20_000);
    Race.of(
        1000,
        i -> () -> {
          log.record(event("number " + i));
          if (i % 50 == 0) {
            log.force();
          }
          return i;
        });
    assertThat(defect()).isEmpty();
    close();
    assertThat(defect()).isEmpty();
    try (AuditHead head = new AuditHead(root.resolve("keys/audit-head"))) {
      assertThat(head.read().orElseThrow().forced()).isEqualTo(LINES + 1000);
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void whatKillNineLeavesIsNoDamage() throws Exception {
    close();
    for (int kill = 0; kill < 3; kill++) {
      Process process = JavaProcess.of(Writer.class, root.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      try {
        long before = size();
        while (size() < before + 20_000L * (kill + 1)) {
          assertThat(process.isAlive()).isTrue();
          Thread.sleep(1);
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(defect()).isEmpty();
    }
  }

  private long size() throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** The program that is killed. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) {
      Path root = Path.of(args[0]);
      JsonLinesAuditLog log =
          new JsonLinesAuditLog(
              root.resolve("audit"),
              Optional.of(root.resolve("keys/audit-head")),
              1 << 30,
              Duration.ofDays(30),
              InstantSource.system());
      for (int i = 0; i < 3; i++) {
        Thread.ofPlatform().start(() -> write(log, Integer.MAX_VALUE));
      }
    }
  }
}

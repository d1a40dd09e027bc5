package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.store.Race;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of the audit log move to the archive whole, or not at all. */
@Timeout(120)
class AuditArchiveTest {

  private static final int LINES = 100;

  @TempDir Path root;
  private final TestTime time = new TestTime();
  private Path directory;
  private Path to;
  private JsonLinesAuditLog log;
  private AuditArchive archive;

  @BeforeEach
  void fill() {
    directory = root.resolve("audit");
    to = root.resolve("archive/below");
    log = open(root, time);
    archive = new AuditArchive(log, directory, to, Duration.ofDays(10), time);
    write(LINES);
  }

  private static JsonLinesAuditLog open(Path root, java.time.InstantSource time) {
    return new JsonLinesAuditLog(root.resolve("audit"), Optional.of(root.resolve("keys/audit-head")), 2_000, Duration.ofDays(300), time);
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      log.record(new AuditEvent.Administered(Context.node(), "root", "test", Map.of("what", "event " + i)));
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  private AuditReport report() throws IOException {
    return AuditVerification.verify(
        new AuditVerification.Sources(directory, root.resolve("keys/audit-head"), Optional.of(to), new PublicKeys(List.of()), List.of()),
        (bytes, all) -> {});
  }

  private void requireWhole(long events) throws IOException {
    AuditReport report = report();
    assertThat(report.problems()).isEmpty();
    assertThat(report.events()).isEqualTo(events);
    assertThat(new AuditFiles(directory, root.resolve("keys")).defect()).isEmpty();
  }

  private List<Path> rotated() throws IOException {
    return new AuditFolder(directory).rotated();
  }

  /** Names go on from those of the clock that was ahead, and would count as new for months. */
  @Test
  void filesThatFollowAClockThatWasFarAheadAreArchivedInTime() throws IOException {
    time.advance(Duration.ofDays(200));
    write(LINES);
    archive.runIfDue();
    time.advance(Duration.ofDays(-200));
    write(LINES);
    List<Path> left = rotated();
    for (Path file : left) {
      Files.setLastModifiedTime(file, FileTime.from(time.instant()));
    }
    archive.runIfDue();
    assertThat(rotated()).as("nothing of it is old").isEqualTo(left);
    time.advance(Duration.ofDays(11));
    archive.runIfDue();
    assertThat(rotated()).isEmpty();
    requireWhole(3 * LINES);
  }

  @Test
  void oldFilesAreCompressedElsewhereAndTheLogStaysWhole() throws IOException {
    List<Path> old = rotated();
    assertThat(old).hasSizeGreaterThan(5);
    archive.runIfDue();
    assertThat(to).as("nothing is old").doesNotExist();
    time.advance(Duration.ofDays(11));
    write(LINES);
    archive.runIfDue();
    assertThat(old).noneMatch(Files::exists);
    assertThat(rotated()).as("the new ones stay").hasSizeGreaterThan(5);
    assertThat(new AuditFolder(to).archived()).hasSizeBetween(old.size(), old.size() + 1);
    requireWhole(2 * LINES);
    log.close();
    log = open(root, time);
    write(1);
    requireWhole(2 * LINES + 1);
    Files.delete(new AuditFolder(to).archived().get(2));
    assertThat(report().problems()).singleElement().asString().contains("were removed");
  }

  @Test
  void filesAreArchivedAndRemovedWhilePasscodesAreDecided() throws Exception {
    time.advance(Duration.ofDays(11));
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger decided = new AtomicInteger();
    CountDownLatch half = new CountDownLatch(50);
    Thread people =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!over.get()) {
                    log.record(new AuditEvent.PasscodeDecided(Context.node(), "alice", "vpn", "accepted", "t-1"));
                    decided.incrementAndGet();
                    half.countDown();
                  }
                });
    half.await();
    archive.runIfDue();
    int during = decided.get();
    Eventually.holds(() -> decided.get() > during + 50);
    over.set(true);
    people.join();
    assertThat(new AuditFolder(to).archived()).hasSizeGreaterThan(5);
    requireWhole(LINES + decided.get());
    // Past `keep`, rotation removes; what is decided meanwhile is there.
    time.advance(Duration.ofDays(301));
    List<Path> old = rotated();
    Race.of(
        4,
        i ->
            () -> {
              write(LINES);
              return true;
            });
    assertThat(old).noneMatch(Files::exists);
    assertThat(new AuditFiles(directory, root.resolve("keys")).defect()).isEmpty();
  }

  @Test
  void theOldestEventThatTheArchiveLacksIsKnown() throws IOException {
    AuditSegments segments = new AuditSegments(directory, Optional.of(to));
    assertThat(archive.unarchivedSince(segments)).as("nothing is due").isEmpty();
    time.advance(Duration.ofDays(11));
    write(LINES);
    assertThat(archive.unarchivedSince(segments)).contains(TestTime.START);
    archive.runIfDue();
    assertThat(archive.unarchivedSince(segments)).isEmpty();
  }

  @Test
  void aRunIsRepeatedAfterAMinuteAndAfterAFailureLater() throws IOException {
    time.advance(Duration.ofDays(11));
    Files.createDirectories(root.resolve("archive"));
    Files.writeString(to, "a file where the folder should be");
    assertThatThrownBy(archive::runIfDue).isInstanceOf(IOException.class);
    Files.delete(to);
    time.advance(Duration.ofMinutes(9));
    archive.runIfDue();
    assertThat(to).doesNotExist();
    time.advance(Duration.ofMinutes(2));
    archive.runIfDue();
    assertThat(new AuditFolder(to).archived()).isNotEmpty();
    requireWhole(LINES);
  }

  @Test
  void aCopyWithAnotherContentIsNeverReplacedAndItsFileStays() throws IOException {
    time.advance(Duration.ofDays(11));
    Files.createDirectories(to);
    Path oldest = rotated().getFirst();
    Path other = to.resolve(oldest.getFileName() + ".gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(other))) {
      out.write("something else".getBytes(StandardCharsets.US_ASCII));
    }
    byte[] before = Files.readAllBytes(other);
    int files = rotated().size();
    assertThatThrownBy(archive::runIfDue).hasMessageContaining(other.toString()).hasMessageContaining("with another content");
    assertThat(other).hasBinaryContent(before);
    assertThat(rotated()).hasSize(files);
  }

  @Test
  void aFileThatIsInBothPlacesAfterAnInterruptionIsRemovedFromTheLogOnly() throws IOException {
    time.advance(Duration.ofDays(11));
    List<Path> files = rotated();
    byte[] oldest = Files.readAllBytes(files.getFirst());
    archive.runIfDue();
    Files.write(files.getFirst(), oldest);
    Files.writeString(to.resolve("." + files.get(1).getFileName() + ".gz.new"), "what a kill left");
    requireWhole(LINES);
    time.advance(Duration.ofMinutes(2));
    archive.runIfDue();
    assertThat(files.getFirst()).doesNotExist();
    requireWhole(LINES);
  }

  private static Map<Long, AuditSegments.Place> places(AuditSegments segments) throws IOException {
    Map<Long, AuditSegments.Place> places = new TreeMap<>();
    try (AuditTail tail = new AuditTail(segments, 0)) {
      for (List<AuditTail.Line> lines = tail.next(LINES, LINES / 2); !lines.isEmpty(); lines = tail.next(LINES, LINES / 2)) {
        lines.forEach(line -> places.put(line.seq(), line.place()));
      }
    }
    return places;
  }

  private static List<String> read(AuditSegments segments) throws IOException {
    return segments.read(places(segments)).values().stream().map(line -> new String(line, StandardCharsets.UTF_8)).toList();
  }

  @Test
  void anArchiveOfAFormerVersionIsReadAndVerified() throws IOException {
    AuditSegments segments = new AuditSegments(directory, Optional.of(to));
    List<String> before = read(segments);
    assertThat(before).hasSize(LINES / 2);
    time.advance(Duration.ofDays(11));
    archive.runIfDue();
    assertThat(read(segments)).isEqualTo(before);
    for (Path file : new AuditFolder(to).archived()) {
      byte[] content;
      try (InputStream in = MemberInput.open(file)) {
        content = in.readAllBytes();
      }
      try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write(content);
      }
    }
    assertThat(read(segments)).isEqualTo(before);
    requireWhole(LINES);
  }

  @Test
  void aFlippedByteInTheArchiveIsNamedToReadersAndByTheVerification() throws IOException {
    time.advance(Duration.ofDays(11));
    archive.runIfDue();
    AuditSegments segments = new AuditSegments(directory, Optional.of(to));
    Map<Long, AuditSegments.Place> places = places(segments);
    Path damaged = new AuditFolder(to).archived().get(1);
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length / 2] ^= 8;
    Files.write(damaged, bytes);
    assertThatThrownBy(() -> segments.read(places)).hasMessageContaining(damaged.getFileName() + " is damaged");
    assertThat(report().problems())
        .anySatisfy(problem -> assertThat(problem).asString().contains(damaged.toString(), "cannot be read from here on"));
  }

  @Test
  void aRunAtOnceSaysHowFarItIsAndStopsWithoutAHalfFile() throws IOException {
    int files = rotated().size();
    List<Long> seen = new ArrayList<>();
    assertThatThrownBy(
            () ->
                archive.archiveNow(
                    Optional.of(time.instant().plusSeconds(1)),
                    (done, all) -> {
                      assertThat(done).isPositive().isLessThanOrEqualTo(all);
                      if (seen.size() == 7) {
                        throw new CancellationException();
                      }
                      seen.add(done);
                    }))
        .isInstanceOf(CancellationException.class);
    assertThat(seen).isSorted().hasSize(7);
    assertThat(rotated()).hasSizeBetween(1, files - 1);
    try (Stream<Path> left = Files.list(to)) {
      assertThat(left).noneMatch(file -> file.getFileName().toString().endsWith(".new"));
    }
    requireWhole(LINES);
    int rest = rotated().size();
    AuditArchive.Archived archived = archive.archiveNow(Optional.of(time.instant().plusSeconds(1)), (done, all) -> {}).orElseThrow();
    assertThat(archived.files()).isEqualTo(rest);
    assertThat(archived.bytes()).isPositive();
    assertThat(rotated()).isEmpty();
    requireWhole(LINES);
    assertThat(archive.archiveNow(Optional.empty(), (done, all) -> {})).contains(new AuditArchive.Archived(0, 0));
  }

  /** Not a measurement: only that the time does not grow with what stays. */
  @Test
  void aTenthOfManyEventsIsArchivedWithoutReadingTheRest() throws IOException {
    time.advance(Duration.ofDays(1));
    write(600);
    Instant old = time.instant();
    time.advance(Duration.ofDays(1));
    write(5_400);
    long all = rotated().stream().mapToLong(file -> file.toFile().length()).sum();
    List<Long> read = new ArrayList<>();
    AuditArchive.Archived archived =
        archive.archiveNow(Optional.of(old.plusSeconds(1)), (done, total) -> read.add(total)).orElseThrow();
    assertThat(archived.bytes()).isLessThan(all / 5);
    assertThat(read).isNotEmpty().allMatch(total -> total == 3 * archived.bytes());
  }

  @Test
  void killNineAtAnyPointLosesNothing() throws Exception {
    write(3000);
    log.close();
    int left = rotated().size();
    for (int kill = 0; kill < 4; kill++) {
      Process process =
          JavaProcess.of(Archiver.class, root.toString(), to.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      int wanted = Math.max(0, left - 20);
      try {
        while (process.isAlive() && rotated().size() > wanted) {
          Thread.sleep(1);
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(rotated().size()).as("the process archived something").isLessThan(left);
      left = rotated().size();
      requireWhole(LINES + 3000);
    }
    try (Stream<Path> files = Files.list(to)) {
      assertThat(files.filter(file -> file.toString().endsWith(".gz"))).hasSizeGreaterThan(60);
    }
  }

  /** The program that is killed. */
  static final class Archiver {
    private Archiver() {}

    public static void main(String[] args) throws IOException {
      TestTime later = new TestTime();
      later.advance(Duration.ofDays(11));
      Path root = Path.of(args[0]);
      new AuditArchive(open(root, later), root.resolve("audit"), Path.of(args[1]), Duration.ofDays(10), later).runIfDue();
    }
  }
}

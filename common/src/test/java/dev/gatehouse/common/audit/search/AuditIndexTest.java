package dev.gatehouse.common.audit.search;

import static dev.gatehouse.common.audit.search.FoundEvents.down;
import static dev.gatehouse.common.audit.search.FoundEvents.seqs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditArchive;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Searches over a real log, with its index lost, damaged and interrupted. */
class AuditIndexTest {

  @TempDir Path root;
  private final TestTime time = new TestTime();
  private final AtomicBoolean isPaused = new AtomicBoolean();
  private JsonLinesAuditLog log;
  private AuditIndex index;

  @BeforeEach
  void open() {
    log = new JsonLinesAuditLog(root, Optional.of(root.resolve("head")), 20_000, Duration.ofDays(365), time);
    openIndex();
  }

  private void openIndex() {
    index = new AuditIndex(root, new AuditSegments(root, Optional.empty()), log, Duration.ofDays(30), time, isPaused::get);
  }

  @AfterEach
  void close() {
    index.close();
    log.close();
  }

  private void login(String person, String address) {
    log.record(new AuditEvent.LoginSucceeded(new Context("demo", address, Optional.of("ref-" + person)), person, "name-" + person, "password", "s"));
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      login("person" + i % 10, "192.0.2." + i % 4);
      time.advance(Duration.ofSeconds(1));
    }
  }

  private AuditQuery query(Map<AuditTerm, String> terms, int limit) {
    return new AuditQuery(terms, Instant.EPOCH, Instant.parse("2030-01-01T00:00:00Z"), Optional.empty(), limit);
  }

  private List<Long> found(AuditTerm term, String value) throws IOException {
    return seqs(index.search(query(Map.of(term, value), 1000)));
  }

  private List<Long> all() throws IOException {
    return FoundEvents.all(index, query(Map.of(), 7));
  }

  private List<Path> parts(String day) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("index"))) {
      return files.filter(file -> file.getFileName().toString().matches(day + "_\\d+-\\d+\\.part")).sorted().toList();
    }
  }

  @Test
  void eventsAreFoundByEachTerm() throws Exception {
    fill(20);
    Context context = new Context("demo", "192.0.2.9", Optional.of("k7qf2m8cwb"));
    log.record(new AuditEvent.LoginRefused(context, "somebody", "password", "WRONG_PASSWORD"));
    log.record(new AuditEvent.TokensIssued(context, "shop", "code", "person3", "t", "openid"));
    log.record(new AuditEvent.AssertionIssued(context, "person3", "https://sp.example.org", "a", "s"));
    log.record(new AuditEvent.ClientChanged(context, "shop", "changed", "client"));
    index.follow();
    assertThat(found(AuditTerm.PERSON, "person3")).containsExactly(23L, 22L, 14L, 4L);
    assertThat(found(AuditTerm.PERSON, "name-person3")).as("the name, too").containsExactly(14L, 4L);
    assertThat(found(AuditTerm.PERSON, "somebody")).containsExactly(21L);
    assertThat(found(AuditTerm.PARTNER, "https://sp.example.org")).containsExactly(23L);
    assertThat(found(AuditTerm.CLIENT, "shop")).containsExactly(24L, 22L);
    assertThat(found(AuditTerm.REQUEST_ID, "k7qf2m8cwb")).containsExactly(24L, 23L, 22L, 21L);
    assertThat(found(AuditTerm.REASON, "WRONG_PASSWORD")).containsExactly(21L);
    assertThat(found(AuditTerm.ADDRESS, "192.0.2.9")).hasSize(4);
    assertThat(found(AuditTerm.EVENT, "LoginSucceeded")).isEqualTo(down(20, 1));
    assertThat(found(AuditTerm.REALM, "demo")).hasSize(24);
    assertThat(found(AuditTerm.REALM, "other")).isEmpty();
    assertThat(found(AuditTerm.PERSON, "' or 1=1 --")).isEmpty();
    assertThat(seqs(index.search(query(Map.of(AuditTerm.PERSON, "person3", AuditTerm.ADDRESS, "192.0.2.9"), 10)))).containsExactly(23L, 22L);
    assertThat(index.isComplete()).isTrue();
  }

  @Test
  void pagesGoThroughAllEventsOfManyDaysAndFilesTheNewestFirst() throws Exception {
    for (int day = 0; day < 5; day++) {
      fill(100);
      time.advance(Duration.ofDays(1));
    }
    index.follow();
    assertThat(all()).isEqualTo(down(500, 1));
    Instant from = TestTime.START.plus(Duration.ofDays(1));
    AuditQuery between = new AuditQuery(Map.of(), from, from.plus(Duration.ofDays(2)), Optional.empty(), 1000);
    assertThat(seqs(index.search(between))).isEqualTo(down(300, 101));
    assertThat(new String(index.search(between).events().getFirst(), StandardCharsets.US_ASCII)).isEqualTo(line(300));
  }

  private String line(long seq) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .filter(file -> file.toString().endsWith(".jsonl"))
          .flatMap(
              file -> {
                try {
                  return Files.readAllLines(file).stream();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              })
          .filter(line -> line.contains("\"seq\":" + seq + ","))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void eventsOfOneMomentAreOnDifferentPagesOnce() throws Exception {
    for (int i = 0; i < 50; i++) {
      login("alice", "192.0.2.1");
    }
    index.follow();
    assertThat(all()).isEqualTo(down(50, 1));
  }

  @Test
  void aFollowerGoesOnWhereItStopped() throws Exception {
    fill(150);
    index.follow();
    index.close();
    fill(150);
    time.advance(Duration.ofDays(1));
    openIndex();
    index.follow();
    fill(150);
    index.follow();
    assertThat(all()).isEqualTo(down(450, 1));
    assertThat(parts("2026-01-01")).isNotEmpty();
    index.close();
    assertThat(parts("2026-01-02")).isNotEmpty();
  }

  @Test
  void anIndexThatWasDamagedIsMadeAgainFromTheLog() throws Exception {
    for (int day = 0; day < 3; day++) {
      fill(100);
      time.advance(Duration.ofDays(1));
    }
    index.follow();
    for (String day : List.of("2026-01-01", "2026-01-02", "2026-01-03")) {
      index.close();
      Path file = parts(day).getFirst();
      byte[] bytes = Files.readAllBytes(file);
      java.util.Arrays.fill(bytes, 0, bytes.length, (byte) 'x');
      Files.write(file, bytes);
      openIndex();
      if (!day.equals("2026-01-03")) {
        assertThat(found(AuditTerm.EVENT, "LoginSucceeded")).hasSizeLessThan(300);
        assertThat(index.isComplete()).isFalse();
      }
      index.follow();
      assertThat(all()).as("after damage of %s", day).isEqualTo(down(300, 1));
      assertThat(index.isComplete()).isTrue();
      assertThat(root.resolve("index/" + day + ".damaged")).exists();
    }
  }

  @Test
  void anIndexThatWasRemovedIsMadeAgain() throws Exception {
    for (int day = 0; day < 3; day++) {
      fill(100);
      time.advance(Duration.ofDays(1));
    }
    index.follow();
    index.close();
    Files.delete(parts("2026-01-02").getFirst());
    Path left = Files.writeString(root.resolve("index/.new123"), "what a kill left");
    Path former = Files.writeString(root.resolve("index/2026-01-02.mv"), "of the former version");
    openIndex();
    index.follow();
    assertThat(all()).isEqualTo(down(300, 1));
    assertThat(left).doesNotExist();
    assertThat(former).doesNotExist();
    index.close();
    try (Stream<Path> files = Files.list(root.resolve("index"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    openIndex();
    index.follow();
    assertThat(all()).isEqualTo(down(300, 1));
  }

  @Test
  @Timeout(120)
  void killNineOfAFollowerLosesAndDoublesNothing() throws Exception {
    fill(100);
    time.advance(Duration.ofDays(1));
    for (int kill = 0; kill < 3; kill++) {
      fill(3000);
      Process process = JavaProcess.of(Follower.class, root.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      try (var lines = process.inputReader()) {
        assertThat(lines.readLine()).isEqualTo("following");
        Thread.sleep(30L * kill);
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
    openIndex();
    index.follow();
    assertThat(all()).isEqualTo(down(9100, 1));
  }

  /** The program that is killed. */
  static final class Follower {
    private Follower() {}

    public static void main(String[] args) throws Exception {
      Path root = Path.of(args[0]);
      TestTime time = new TestTime();
      time.advance(Duration.ofDays(3));
      JsonLinesAuditLog log = new JsonLinesAuditLog(root, Optional.of(root.resolve("head")), 20_000, Duration.ofDays(365), time);
      AuditIndex index = new AuditIndex(root, new AuditSegments(root, Optional.empty()), log, Duration.ofDays(30), time, () -> false);
      System.out.println("following");
      index.follow();
      Thread.sleep(60_000);
    }
  }

  @Test
  void oldDaysAreDropped() throws Exception {
    fill(10);
    index.follow();
    time.advance(Duration.ofDays(1));
    fill(1);
    index.follow();
    assertThat(parts("2026-01-01")).hasSize(1);
    time.advance(Duration.ofDays(39));
    fill(10);
    index.follow();
    assertThat(all()).isEqualTo(down(21, 12));
    assertThat(parts("2026-01-01")).isEmpty();
  }

  @Test
  void nothingIsAddedWhileSpaceIsLow() throws Exception {
    fill(10);
    isPaused.set(true);
    index.follow();
    assertThat(all()).isEmpty();
    isPaused.set(false);
    index.follow();
    assertThat(all()).hasSize(10);
  }

  @Test
  void archivedEventsAreReadFromTheArchive() throws Exception {
    fill(300);
    index.follow();
    index.close();
    time.advance(Duration.ofDays(2));
    Path archive = root.resolve("archive");
    new AuditArchive(log, root, archive, Duration.ofDays(1), time).archiveIfDue();
    assertThat(archive).isDirectoryContaining("glob:**.jsonl.gz");
    index = new AuditIndex(root, new AuditSegments(root, Optional.of(archive)), log, Duration.ofDays(30), time, isPaused::get);
    assertThat(index.search(query(Map.of(), 300)).events())
        .hasSize(300)
        .allSatisfy(event -> assertThat(new String(event, StandardCharsets.US_ASCII)).contains("\"person\":"));
    index.close();
    Files.delete(parts("2026-01-01").getFirst());
    index = new AuditIndex(root, new AuditSegments(root, Optional.of(archive)), log, Duration.ofDays(30), time, isPaused::get);
    index.follow();
    assertThat(all()).as("made again from the archive").isEqualTo(down(300, 1));
  }

  @Test
  void anEventWhoseFileIsGoneIsShownAsFarAsTheIndexKnows() throws Exception {
    fill(5);
    index.follow();
    Files.delete(root.resolve("audit.jsonl"));
    assertThat(new String(index.search(query(Map.of(), 1)).events().getFirst(), StandardCharsets.US_ASCII))
        .isEqualTo("{\"time\":\"2026-01-01T12:00:04.000Z\",\"seq\":5}");
  }

  @Test
  void aLogThatIsWrittenAndRotatedMeanwhileIsFollowedWithoutAGap() throws Exception {
    Thread writer = Thread.ofPlatform().start(() -> fill(3000));
    while (writer.isAlive()) {
      index.follow();
    }
    Files.writeString(root.resolve("audit.jsonl"), "{\"time\":\"2026-01-01T12:00:00.000Z\",\"event\":\"unfinished", StandardOpenOption.APPEND);
    index.follow();
    assertThat(all()).isEqualTo(down(3000, 1));
  }

  @Test
  void restartsLeaveFewPartsAndFindEverything() throws Exception {
    for (int i = 0; i < 7; i++) {
      fill(40);
      index.follow();
      index.close();
      openIndex();
    }
    assertThat(parts("2026-01-01")).hasSizeLessThan(5);
    assertThat(found(AuditTerm.PERSON, "person3")).isEqualTo(LongStream.range(0, 28).mapToObj(i -> 274 - 10 * i).toList());
    time.advance(Duration.ofDays(1));
    fill(1);
    index.follow();
    Map<AuditTerm, String> both = Map.of(AuditTerm.PERSON, "person3", AuditTerm.ADDRESS, "192.0.2.3");
    assertThat(seqs(index.search(query(both, 100)))).isEqualTo(seqsOf(line -> line.contains("person3\"") && line.contains("192.0.2.3\"")));
    assertThat(all()).isEqualTo(down(281, 1));
  }

  private List<Long> seqsOf(java.util.function.Predicate<String> condition) throws IOException {
    List<Long> seqs = new ArrayList<>();
    for (long seq = 280; seq > 0; seq--) {
      if (condition.test(line(seq))) {
        seqs.add(seq);
      }
    }
    return seqs;
  }

  @Test
  void aPartThatWasMergedBeforeAKillIsNotFoundTwice() throws Exception {
    fill(40);
    index.follow();
    index.close();
    Path small = parts("2026-01-01").getFirst();
    byte[] content = Files.readAllBytes(small);
    openIndex();
    fill(40);
    index.follow();
    time.advance(Duration.ofDays(1));
    fill(1);
    index.follow();
    index.close();
    assertThat(parts("2026-01-01")).hasSize(1);
    Files.write(small, content);
    openIndex();
    assertThat(all()).isEqualTo(down(81, 1));
    assertThat(small).doesNotExist();
  }

  @Test
  void aRebuildThatWasInterruptedBeginsAgain() throws Exception {
    for (int day = 0; day < 2; day++) {
      fill(50);
      time.advance(Duration.ofDays(1));
    }
    index.follow();
    index.close();
    Files.writeString(root.resolve("index/2026-01-01.rebuild"), "");
    openIndex();
    index.follow();
    assertThat(all()).isEqualTo(down(100, 1));
    assertThat(root.resolve("index/2026-01-01.rebuild")).doesNotExist();
  }

  @Test
  void partsThatAreCutOffOrChangedAreMadeAgain() throws Exception {
    fill(200);
    time.advance(Duration.ofDays(1));
    fill(1);
    index.follow();
    index.close();
    Path part = parts("2026-01-01").getFirst();
    byte[] whole = Files.readAllBytes(part);
    for (int length : List.of(0, 63, 64, whole.length / 2, whole.length - 1)) {
      Files.write(part, java.util.Arrays.copyOf(whole, length));
      openIndex();
      index.follow();
      found(AuditTerm.PERSON, "person3");
      index.follow();
      assertThat(all()).as("cut off at %s", length).isEqualTo(down(201, 1));
      index.close();
    }
    java.util.Random random = new java.util.Random(7);
    for (int i = 0; i < 50; i++) {
      byte[] changed = whole.clone();
      random.ints(8, 64, whole.length).forEach(at -> changed[at] = (byte) random.nextInt());
      Files.write(part, changed);
      openIndex();
      // Whatever it finds, it ends; and a part that is noticed to be damaged is made again.
      index.search(query(Map.of(AuditTerm.PERSON, "person3", AuditTerm.ADDRESS, "192.0.2.3"), 1000));
      index.search(query(Map.of(AuditTerm.EVENT, "LoginSucceeded"), 1000));
      index.close();
    }
  }

  @Test
  void aSearchThatTakesLongSaysHowFarItLookedBackAndGoesOn() throws Exception {
    for (int day = 0; day < 3; day++) {
      for (int i = 0; i < 3000; i++) {
        login("person" + i % 2, "192.0.2." + (i + 1) % 2);
      }
      login("person0", "192.0.2.0");
      time.advance(Duration.ofDays(1));
    }
    index.follow();
    index.close();
    openIndex();
    AuditQuery asked = query(Map.of(AuditTerm.PERSON, "person0", AuditTerm.ADDRESS, "192.0.2.0"), 100);
    assertThat(seqs(index.search(asked))).containsExactly(9003L, 6002L, 3001L);
    List<Long> found = new ArrayList<>();
    int pages = 0;
    Optional<Instant> back = Optional.of(Instant.MAX);
    for (Optional<AuditQuery.Cursor> next = Optional.of(new AuditQuery.Cursor(Long.MAX_VALUE / 2, 0)); next.isPresent() && pages < 50; pages++) {
      AuditPage page = index.search(asked.after(next.get()), Duration.ZERO);
      found.addAll(seqs(page));
      next = page.next();
      assertThat(page.lookedBackTo().isPresent()).isEqualTo(next.isPresent());
      assertThat(page.lookedBackTo().orElse(Instant.MIN)).isBeforeOrEqualTo(back.orElseThrow());
      back = page.lookedBackTo();
    }
    assertThat(found).containsExactly(9003L, 6002L, 3001L);
    assertThat(pages).isBetween(4, 12);
  }

  @Test
  void eventsThatAreLeftOutAreNotFoundAndTheOthersAre() throws Exception {
    index.close();
    index =
        new AuditIndex(
            root, new AuditSegments(root, Optional.empty()), log, Duration.ofDays(30), time, isPaused::get, Set.of("TokensIssued"));
    fill(3);
    for (int i = 0; i < 10; i++) {
      log.record(new AuditEvent.TokensIssued(new Context("demo", "192.0.2.9", Optional.empty()), "shop", "code", "person3", "t", "openid"));
    }
    index.follow();
    assertThat(all()).isEqualTo(down(3, 1));
    assertThat(index.isComplete()).isTrue();
  }
}

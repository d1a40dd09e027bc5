package dev.gatehouse.common.audit.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.common.audit.search.Coverage;
import dev.gatehouse.common.audit.shared.EventFollower.FollowedLog;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The logs of several nodes in one real PostgreSQL, with everything that may end between two steps. */
@Timeout(180)
class SharedAuditTest {

  private static final Duration KEEP = Duration.ofDays(30);

  @TempDir Path root;
  private final TestTime time = new TestTime(Instant.now().truncatedTo(ChronoUnit.MILLIS));
  private Postgres server;
  private PostgresDatabase database;
  private final List<Node> nodes = new ArrayList<>();

  /** A node with its log. */
  private final class Node {
    private final int number;
    private final Path folder;
    private final TestTime clock;
    private final JsonLinesAuditLog log;
    private Optional<Instant> unarchived = Optional.empty();
    private Set<String> leftOut = Set.of();
    private EventFollower follower;

    Node(int number, Path folder, TestTime clock) {
      this.number = number;
      this.folder = folder;
      this.clock = clock;
      this.log = new JsonLinesAuditLog(folder, Optional.of(folder.resolve("head")), 100_000, Duration.ofDays(3650), clock);
      this.follower = follower();
      nodes.add(this);
    }

    /** As after a kill: nothing is known but what the files and the database have. */
    EventFollower follower() {
      NodeTable.Self self = new NodeTable.Self("instance" + number, number, "host" + number, "test", true);
      FollowedLog followed = new FollowedLog(log, new AuditSegments(folder, Optional.empty()), leftOut, () -> unarchived);
      return new EventFollower(database, () -> self, followed, KEEP, clock);
    }

    void login(String person) {
      log.record(new AuditEvent.LoginSucceeded(new Context("demo", "192.0.2." + number, Optional.empty()), person, person, "password", "s"));
    }

    void notice(String person) {
      log.record(new AuditEvent.LogoutPropagated(new Context("demo", "192.0.2." + number, Optional.empty()), "https://app.example.org", person, "done"));
    }

    void logins(int count) {
      for (int i = 0; i < count; i++) {
        login("person" + i);
      }
    }

    void follow() throws Exception {
      follower.follow();
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = Postgres.withTables();
    database = PostgresDatabase.open(server.config());
  }

  @AfterEach
  void stop() {
    nodes.forEach(node -> node.log.close());
    database.close();
    server.close();
  }

  private Node node(int number) {
    return new Node(number, root.resolve("node" + number), time);
  }

  private List<String> found(Map<AuditTerm, String> terms, int limit) {
    SharedEvents events = new SharedEvents(database);
    List<String> all = new ArrayList<>();
    AuditQuery next = new AuditQuery(terms, Instant.EPOCH, Instant.parse("9999-01-01T00:00:00Z"), Optional.empty(), limit);
    for (AuditPage page = events.search(next); ; page = events.search(next)) {
      page.events().forEach(line -> all.add(new String(line, StandardCharsets.US_ASCII)));
      if (page.next().isEmpty()) {
        return all;
      }
      next = next.after(AuditQuery.Cursor.parse(page.next().get().toString()).orElseThrow());
    }
  }

  private Set<String> lines(Node... of) throws IOException {
    Set<String> lines = new HashSet<>();
    for (Node node : of) {
      try (Stream<Path> files = Files.list(node.folder)) {
        for (Path file : files.filter(file -> file.toString().endsWith(".jsonl")).toList()) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    return lines;
  }

  private long count() {
    return JdbcClient.create(database.dataSource()).sql("select count(*) from audit_event").query(Long.class).single();
  }

  private void hasAll(Node... of) throws IOException {
    Set<String> lines = lines(of);
    assertThat(count()).isEqualTo(lines.size());
    assertThat(found(Map.of(), 1000)).hasSameSizeAs(lines).containsExactlyInAnyOrderElementsOf(lines);
  }

  @Test
  void eventsOfTwoNodesAreFoundTogetherInTheOrderOfTheirTimes() throws Exception {
    Node one = node(1);
    Node two = node(2);
    for (int i = 0; i < 50; i++) {
      one.login("alice");
      two.login("alice");
      if (i % 3 == 0) {
        time.advance(Duration.ofMillis(1));
      }
    }
    one.follow();
    two.follow();
    hasAll(one, two);
    List<String> alice = found(Map.of(AuditTerm.PERSON, "alice"), 7);
    assertThat(alice).hasSize(100).doesNotHaveDuplicates();
    assertThat(alice.stream().map(line -> line.substring(9, 33)).toList()).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(alice).as("pages of another size have the same order").isEqualTo(found(Map.of(AuditTerm.PERSON, "alice"), 99));
    assertThat(found(Map.of(AuditTerm.PERSON, "alice", AuditTerm.ADDRESS, "192.0.2.2"), 100)).hasSize(50);
  }

  @Test
  void aPageGoesOnAlsoIfAnotherNodeAddsEventsMeanwhile() throws Exception {
    Node one = node(1);
    Node two = node(2);
    one.logins(20);
    one.follow();
    SharedEvents events = new SharedEvents(database);
    AuditQuery query = new AuditQuery(Map.of(), Instant.EPOCH, Instant.parse("9999-01-01T00:00:00Z"), Optional.empty(), 10);
    AuditPage first = events.search(query);
    two.logins(20);
    two.follow();
    AuditPage second = events.search(query.after(first.next().orElseThrow()));
    Set<String> all = new HashSet<>();
    first.events().forEach(line -> all.add(new String(line, StandardCharsets.US_ASCII)));
    second.events().forEach(line -> all.add(new String(line, StandardCharsets.US_ASCII)));
    assertThat(all).as("those of the first node, which all come after the cursor").isEqualTo(lines(one));
  }

  @Test
  void aFollowerThatIsKilledGoesOnWithoutLossAndWithoutDoublets() throws Exception {
    Node one = node(1);
    one.logins(12_000);
    Thread killed = Thread.ofPlatform().start(() -> loadUntilItFails(one));
    Eventually.holds(() -> count() >= 5_000);
    server.kill();
    killed.join();
    server.startAgain();
    Eventually.holds(() -> database.problem().isEmpty() && isAnswering());
    assertThat(JdbcClient.create(database.dataSource()).sql("select seq from audit_source").query(Long.class).single())
        .as("what the database says it has").isEqualTo(count()).isLessThan(12_000);
    one.logins(100);
    one.follower = one.follower();
    one.follow();
    hasAll(one);
  }

  private static void loadUntilItFails(Node node) {
    try {
      node.follow();
    } catch (Exception e) {
      // As expected; another follower goes on.
    }
  }

  private boolean isAnswering() {
    try {
      return count() >= 0;
    } catch (DataAccessException e) {
      return false;
    }
  }

  @Test
  void theSameFollowerGoesOnAfterTheDatabaseWasAwayAndNobodyWaited() throws Exception {
    Node one = node(1);
    one.logins(100);
    one.follow();
    server.kill();
    long begun = System.nanoTime();
    one.logins(200);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("requests do not wait").isLessThan(Duration.ofSeconds(5));
    loadUntilItFails(one);
    assertThat(one.follower.behind()).isEqualTo(200);
    server.startAgain();
    Eventually.holds(() -> database.problem().isEmpty() && isAnswering());
    Eventually.holds(
        () -> {
          loadUntilItFails(one);
          return one.follower.behind() == 0;
        });
    hasAll(one);
    assertThat(one.follower.lag()).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void aSearchWhileTheDatabaseIsAwayFails() throws Exception {
    server.kill();
    assertThatThrownBy(() -> found(Map.of(), 10)).isInstanceOf(DataAccessException.class);
  }

  @Test
  void aClockThatIsYearsOffHasAPartitionOfItsOwn() throws Exception {
    TestTime wrong = new TestTime(time.instant().plus(Duration.ofDays(3660)));
    Node one = node(1);
    Node two = new Node(2, root.resolve("node2"), wrong);
    one.logins(10);
    two.logins(10);
    one.follow();
    two.follow();
    hasAll(one, two);
    wrong.advance(Duration.ofDays(-3660));
    two.logins(10);
    two.follow();
    hasAll(one, two);
    new EventRetention(database, KEEP).run();
    hasAll(one, two);
  }

  @Test
  void eventsThatAreOverTheirTimeAreNotLoadedAndTheOthersAre() throws Exception {
    TestTime past = new TestTime(time.instant().minus(Duration.ofDays(3660)));
    Node one = new Node(1, root.resolve("node1"), past);
    one.logins(10);
    past.advance(Duration.ofDays(3660));
    one.logins(10);
    one.follow();
    assertThat(count()).isEqualTo(10);
    assertThat(one.follower.behind()).isZero();
  }

  @Test
  void daysThatAreOverTheirTimeAreDroppedAndNothingIsLoadedAgain() throws Exception {
    TestTime past = new TestTime(time.instant().minus(Duration.ofDays(29)));
    Node one = new Node(1, root.resolve("node1"), past);
    for (int i = 0; i < 29; i++) {
      one.logins(10);
      past.advance(Duration.ofDays(1));
    }
    one.logins(10);
    one.follow();
    assertThat(count()).isEqualTo(300);
    new EventRetention(database, Duration.ofDays(9)).run();
    assertThat(count()).isEqualTo(100);
    one.follower = one.follower();
    one.follow();
    one.login("alice");
    one.follow();
    assertThat(count()).isEqualTo(101);
    assertThat(found(Map.of(AuditTerm.PERSON, "person1"), 3)).hasSize(10);
    assertThat(new EventPartitions(database.dataSource()).days())
        .contains(LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC).plusDays(7));
  }

  @Test
  void nothingIsDroppedBeforeTheArchiveHasIt() throws Exception {
    TestTime past = new TestTime(time.instant().minus(Duration.ofDays(20)));
    Node one = new Node(1, root.resolve("node1"), past);
    Node two = node(2);
    for (int i = 0; i < 20; i++) {
      one.logins(1);
      past.advance(Duration.ofDays(1));
    }
    one.unarchived = Optional.of(time.instant().minus(Duration.ofDays(15)));
    one.follow();
    two.follow();
    new EventRetention(database, Duration.ofDays(5)).run();
    assertThat(count()).as("days before the one that waits").isEqualTo(15);
    one.unarchived = Optional.empty();
    one.login("alice");
    one.follow();
    new EventRetention(database, Duration.ofDays(5)).run();
    assertThat(count()).isEqualTo(6);
  }

  /** A node that was silent for longer than events are kept, with days that its archive still lacks: its row keeps these days. */
  @Test
  void aSilentNodeWhoseArchiveLacksDaysIsNotForgotten() throws Exception {
    TestTime past = new TestTime(time.instant().minus(Duration.ofDays(20)));
    Node one = new Node(1, root.resolve("node1"), past);
    Node two = new Node(2, root.resolve("node2"), past);
    one.logins(3);
    two.logins(4);
    one.unarchived = Optional.of(past.instant());
    one.follow();
    two.follow();
    server.execute("update audit_source set told_at = now() - interval '19 days'");
    for (int i = 0; i < 2; i++) {
      new EventRetention(database, Duration.ofDays(5)).run();
    }
    assertThat(count()).as("the days of the one keep those of the other, which share partitions").isEqualTo(7);
    assertThat(coverage().nodes()).extracting(Coverage.NodeEvents::node).as("the other is forgotten").containsExactly(1);

    one.unarchived = Optional.empty();
    one.follower = one.follower();
    one.login("alice");
    one.follow();
    new EventRetention(database, Duration.ofDays(5)).run();
    assertThat(count()).as("archived at last").isZero();
  }

  @Test
  void aPartitionThatWasDroppedIsMadeAgainForLateEvents() throws Exception {
    TestTime past = new TestTime(time.instant().minus(Duration.ofDays(3)));
    Node one = new Node(1, root.resolve("node1"), past);
    one.logins(3);
    one.follow();
    new EventRetention(database, Duration.ofDays(1)).run();
    assertThat(count()).isZero();
    one.logins(2);
    loadUntilItFails(one);
    one.follow();
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void aDataFolderThatWasSetBackIsLoadedFromThereOn() throws Exception {
    Node one = node(1);
    one.logins(30);
    copy(one.folder, root.resolve("copy"));
    one.logins(20);
    one.follow();
    Set<String> before = lines(one);
    one.log.close();
    Node restored = new Node(1, root.resolve("copy"), time);
    time.advance(Duration.ofSeconds(1));
    restored.logins(25);
    restored.follow();
    before.addAll(lines(restored));
    assertThat(before).hasSize(75);
    assertThat(count()).isEqualTo(75);
    assertThat(found(Map.of(), 10)).containsExactlyInAnyOrderElementsOf(before);
    restored.follower = restored.follower();
    restored.logins(1);
    restored.follow();
    assertThat(count()).as("after another start").isEqualTo(76);
  }

  /** What was left out of the database at first is loaded from the log of the former state, and nothing else of it again. */
  @Test
  void aDataFolderThatWasSetBackMayLeaveOutLessThanBefore() throws Exception {
    Node one = node(1);
    one.leftOut = Set.of("LogoutPropagated");
    one.follower = one.follower();
    for (int i = 0; i < EventFollower.AT_ONCE; i++) {
      one.login("person" + i);
      one.notice("person" + i);
    }
    copy(one.folder, root.resolve("copy"));
    one.logins(20);
    one.follow();
    assertThat(count()).isEqualTo(EventFollower.AT_ONCE + 20);
    one.log.close();
    Node restored = new Node(1, root.resolve("copy"), time);
    time.advance(Duration.ofSeconds(1));
    restored.logins(10);
    restored.notice("alice");
    restored.follow();
    assertThat(count()).isEqualTo(2 * EventFollower.AT_ONCE + 20 + 11);
    assertThat(found(Map.of(AuditTerm.EVENT, "LogoutPropagated"), 1000)).hasSize(EventFollower.AT_ONCE + 1).doesNotHaveDuplicates();
    for (int i = 0; i < 3; i++) {
      restored.follower = restored.follower();
      restored.logins(10);
      restored.follow();
    }
    assertThat(count()).as("past the numbers of the former state").isEqualTo(2 * EventFollower.AT_ONCE + 20 + 41);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void aNodeThatIsGoneIsNamedWithTheTimeUpToWhichItsEventsAreThere() throws Exception {
    Node one = node(1);
    Node two = node(2);
    one.logins(3);
    two.logins(3);
    one.follow();
    two.follow();
    assertThat(coverage().isComplete()).isTrue();
    server.execute("update audit_source set told_at = told_at - interval '1 minute' where node = 2");
    Instant until = time.instant();
    time.advance(Duration.ofMinutes(1));
    one.login("alice");
    one.follow();
    Coverage late = coverage();
    assertThat(late.isComplete()).isFalse();
    assertThat(late.nodes()).extracting(Coverage.NodeEvents::node).containsExactly(1, 2);
    assertThat(late.nodes().get(1).until()).isEqualTo(until);
    assertThat(new SharedEvents(database).coverage(until).isComplete()).as("of what was before").isTrue();
    two.follower.close();
    assertThat(coverage().isComplete()).as("stopped in order").isTrue();
    assertThat(coverage().nodes().get(1).isStopped()).isTrue();
  }

  private Coverage coverage() {
    return new SharedEvents(database).coverage(time.instant());
  }

  @Test
  void aNodeThatIsBehindIsNotComplete() throws Exception {
    Node one = node(1);
    one.logins(1);
    one.follow();
    server.execute("update audit_source set written = seq + 100000");
    time.advance(Duration.ofSeconds(1));
    assertThat(coverage().isComplete()).isFalse();
    assertThat(coverage().nodes().getFirst().missing()).isEqualTo(100_000);
  }

  @Test
  void followersOfManyNodesAtOnceMakeTheirPartitionsTogether() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    List<Node> many = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      Node node = new Node(i, root.resolve("node" + i), new TestTime(time.instant()));
      for (int day = 0; day < 10; day++) {
        node.logins(20);
        node.clock.advance(Duration.ofDays(1));
      }
      many.add(node);
    }
    for (Node node : many) {
      threads.add(Thread.ofPlatform().uncaughtExceptionHandler((thread, e) -> failure.set(e)).start(() -> follow(node)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    hasAll(many.toArray(Node[]::new));
  }

  private static void follow(Node node) {
    try {
      node.follow();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}

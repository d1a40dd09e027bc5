package dev.gatehouse.common.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.postgres.Announcements.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What two nodes agree on through one real PostgreSQL. */
@Timeout(120)
class SharedNodesTest {

  private static final String NAME = "gatehouse";
  private final SecureRandom random = new SecureRandom();
  private final SealingKey master = SealingKey.inMemory(random);
  private Postgres server;
  private PostgresDatabase one;
  private PostgresDatabase two;

  @BeforeEach
  void start() throws Exception {
    server = Postgres.withTables();
    one = PostgresDatabase.open(server.config());
    two = PostgresDatabase.open(server.config());
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    server.close();
  }

  private InstallationRecord require(PostgresDatabase database, String name, SealingKey key, Optional<InstallationRecord> own)
      throws Exception {
    return new Deployment(database).require(name, key, own, random);
  }

  @Test
  void nodesThatStartTogetherBeginOneInstallation() throws Exception {
    List<InstallationRecord> records =
        together(() -> require(one, NAME, master, Optional.empty()), () -> require(two, NAME, master, Optional.empty()));

    assertThat(Set.copyOf(records)).hasSize(1);
  }

  @Test
  void anotherDeploymentOrMasterKeyOrInstallationIsRefused() throws Exception {
    InstallationRecord record = require(one, NAME, master, Optional.empty());

    assertThatThrownBy(() -> require(two, "other", master, Optional.empty()))
        .isInstanceOf(PostgresUnusable.class)
        .hasMessageContaining("belongs to the deployment gatehouse, and this node to other");
    assertThatThrownBy(() -> require(two, NAME, SealingKey.inMemory(random), Optional.empty()))
        .hasMessageContaining("holds keys that another master key sealed");
    InstallationRecord foreign = InstallationRecord.create(random);
    assertThatThrownBy(() -> require(two, NAME, master, Optional.of(foreign))).hasMessageContaining("holds another installation");
    InstallationRecord newer = new InstallationRecord(record.id(), 7, Optional.empty());
    assertThatThrownBy(() -> require(two, NAME, master, Optional.of(newer)))
        .hasMessageContaining("is an older copy (generation 1 after 7)");
  }

  @Test
  void aNodeThatBelongsToAnInstallationBeginsNoOtherInAnEmptyDatabase() {
    assertThatThrownBy(() -> require(one, NAME, master, Optional.of(InstallationRecord.create(random))))
        .hasMessageContaining("is empty, but this node belongs to an installation");
    assertThat(one.installationRecord().read()).isEmpty();
  }

  @Test
  void keysAreMadeOnceForAllNodes() throws Exception {
    require(one, NAME, master, Optional.empty());
    DatabaseKeyPlace first = new DatabaseKeyPlace(one, master, new TestTime());
    DatabaseKeyPlace second = new DatabaseKeyPlace(two, master, new TestTime());

    List<byte[]> sealed =
        together(
            () -> new SealingKey(first, random).seal(new byte[] {1}, "test"),
            () -> new SealingKey(second, random).seal(new byte[] {2}, "test"));
    assertThat(new SealingKey(second, random).open(sealed.get(0), "test")).containsExactly(1);
    assertThat(new SealingKey(first, random).open(sealed.get(1), "test")).containsExactly(2);

    AdministratorKeys keys = new AdministratorKeys(first, new TestTime(), random);
    assertThat(keys.create("mine")).isInstanceOf(AdministratorKeys.Creation.Created.class);
    second.refresh();
    assertThat(new AdministratorKeys(second, new TestTime(), random).list())
        .extracting(AdministratorKeys.NamedKey::name).containsExactly("mine");
  }

  @Test
  void aLostKeyIsNotReplaced() throws Exception {
    require(one, NAME, master, Optional.empty());
    DatabaseKeyPlace place = new DatabaseKeyPlace(one, master, new TestTime());
    new SealingKey(place, random).seal(new byte[] {1}, "test");
    server.execute("delete from key_file");

    assertThatThrownBy(() -> new DatabaseKeyPlace(two, master, new TestTime()))
        .hasMessageContaining("1 key(s) are missing in the database");
    assertThatThrownBy(() -> place.locked(place.root(), () -> lost(place))).isInstanceOf(IOException.class).hasMessage("true");
  }

  private static String lost(DatabaseKeyPlace place) throws IOException {
    throw new IOException(String.valueOf(place.lists(Path.of("sealing"))));
  }

  @Test
  void workThatFailsChangesNoKey() throws Exception {
    require(one, NAME, master, Optional.empty());
    DatabaseKeyPlace place = new DatabaseKeyPlace(one, master, new TestTime());

    assertThatThrownBy(
            () ->
                place.locked(
                    place.root(),
                    () -> {
                      place.replace(Path.of("a"), "content");
                      throw new IOException("fails");
                    }))
        .hasMessage("fails");
    assertThat(JdbcClient.create(two.dataSource()).sql("select count(*) from key_file").query(Long.class).single()).isZero();
    assertThat(place.stamp(Path.of("a"))).isEmpty();
  }

  @Test
  void aChangeOfKeysIsAnnouncedAtOnce() throws Exception {
    require(one, NAME, master, Optional.empty());
    DatabaseKeyPlace first = new DatabaseKeyPlace(one, master, new TestTime());
    DatabaseKeyPlace second = new DatabaseKeyPlace(two, master, new TestTime());
    try (Announcements announcements = new Announcements(two)) {
      LinkedBlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();
      announcements.on(
          Topic.KEYS,
          () -> {
            second.refresh();
            seen.add(second.stamp(Path.of("b")).isPresent());
          });
      assertThat(seen.poll(10, TimeUnit.SECONDS)).isFalse();
      first.locked(
          first.root(),
          () -> {
            first.replace(Path.of("b"), "content");
            return true;
          });
      long began = System.nanoTime();
      while (!Boolean.TRUE.equals(seen.poll(10, TimeUnit.SECONDS))) {
        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(5));
      }
      assertThat(System.nanoTime() - began).isLessThan(TimeUnit.MILLISECONDS.toNanos(900));
    }
  }

  @Test
  void oneNodeHoldsALeaseAndItsSuccessorHasAHigherNumber() throws Exception {
    try (Leases second = new Leases(two, "two")) {
      Leases first = new Leases(one, "one");
      assertThat(first.fence("work")).contains(1L);
      assertThat(first.fence("work")).contains(1L);
      assertThat(second.fence("work")).isEmpty();
      assertThat(first.isCurrent("work", 1)).isTrue();

      first.close();
      assertThat(second.fence("work")).contains(2L);
      assertThat(first.isCurrent("work", 1)).isFalse();
    }
  }

  @Test
  void theLeaseOfANodeThatIsGoneEndsByItself() throws Exception {
    try (Leases second = new Leases(two, "two")) {
      server.execute("insert into lease values ('work', 5, 'gone', now() + interval '1 second')");
      assertThat(second.fence("work")).isEmpty();
      Thread.sleep(1_100);
      assertThat(second.fence("work")).contains(6L);
    }
  }

  @Test
  void theWorkOfANodeThatWasKilledIsTakenOverWithinThirtySeconds() throws Exception {
    assertThat(Leases.TERM.plus(Leases.RENEWAL)).isLessThan(Duration.ofSeconds(30));
    Duration term = Duration.ofSeconds(3);
    try (PostgresDatabase third = PostgresDatabase.open(server.config());
        Leases second = new Leases(two, "two")) {
      Leases killed = new Leases(third, "killed", Leases.RENEWAL, term);
      assertThat(killed.fence("work")).contains(1L);
      // Nothing is renewed and nothing is given back from now on.
      third.close();
      long began = System.nanoTime();
      Optional<Long> taken = second.fence("work");
      while (taken.isEmpty()) {
        assertThat(System.nanoTime() - began).isLessThan(term.plusSeconds(10).toNanos());
        Thread.sleep(100);
        taken = second.fence("work");
      }
      assertThat(taken).contains(2L);
      assertThat(second.isCurrent("work", 1)).isFalse();
    }
  }

  @Test
  void ofManyThatAskForALeaseAtOnceOneGetsIt() throws Exception {
    Set<String> holders = ConcurrentHashMap.newKeySet();
    List<Leases> all = IntStream.range(0, 8).mapToObj(i -> new Leases(i % 2 == 0 ? one : two, "node" + i)).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < all.size(); i++) {
        int number = i;
        threads.execute(() -> all.get(number).fence("work").ifPresent(fence -> holders.add("node" + number)));
      }
    }
    assertThat(holders).hasSize(1);
    all.forEach(Leases::close);
  }

  @Test
  void twoNodesThatRunNeedTwoNumbers() throws Exception {
    try (NodeTable first = NodeTable.join(one, new NodeTable.Self("a", 0, "host a", "1", true))) {
      AtomicBoolean drained = new AtomicBoolean();
      first.begin(() -> 12, new NodeTable.Drain(drained::get, drained::set));
      assertThatThrownBy(() -> NodeTable.join(two, new NodeTable.Self("b", 0, "host b", "1", true)))
          .isInstanceOf(PostgresUnusable.class)
          .hasMessageContaining("another node that runs with index 0, on host a: give each node its own index");
      try (NodeTable second = NodeTable.join(two, new NodeTable.Self("b", 1, "host b", "1", true))) {
        assertThat(second.members()).extracting(NodeTable.Member::number).containsExactly(0, 1);
        assertThat(second.members()).allMatch(NodeTable.Member::isRunning);
      }
      // The same data folder, started again after a kill.
      NodeTable.join(two, new NodeTable.Self("a", 0, "host a", "1", true));
    }
  }

  @Test
  void aNodeIsDrainedFromAnotherOne() throws Exception {
    AtomicBoolean drained = new AtomicBoolean();
    try (NodeTable first = NodeTable.join(one, new NodeTable.Self("a", 0, "host a", "1", true));
        NodeTable second = NodeTable.join(two, new NodeTable.Self("b", 1, "host b", "1", true))) {
      first.begin(() -> 12, new NodeTable.Drain(drained::get, drained::set));
      assertThat(second.drain(0, true)).isTrue();
      assertThat(second.drain(7, true)).as("no such node").isFalse();
      Eventually.holds(drained::get);
      Eventually.holds(() -> second.members().getFirst().isDraining());
      NodeTable.Member member = second.members().getFirst();
      assertThat(member.startedAt()).isPresent();
      assertThat(member.revisionSince().orElseThrow()).isAfterOrEqualTo(member.startedAt().orElseThrow().minusSeconds(5));
      assertThat(first.drain(0, false)).isTrue();
      Eventually.holds(() -> !drained.get() && !second.members().getFirst().isDraining());
    }
  }

  @Test
  void aJobIsSeenAndCancelledAtTheOtherNodeAndLostWithItsOwn() throws Exception {
    NodeTable first = NodeTable.join(one, new NodeTable.Self("a", 0, "host a", "1", true));
    try (NodeTable second = NodeTable.join(two, new NodeTable.Self("b", 1, "host b", "1", true))) {
      JobTable here = new JobTable(one, first);
      JobTable there = new JobTable(two, second);
      assertThat(here.add(new JobTable.NewJob("1", "partner.test", Optional.of("demo"), "begun"))).isEmpty();
      assertThat(there.add(new JobTable.NewJob("2", "partner.test", Optional.of("demo"), "begun"))).as("one of a kind").contains("1");
      assertThat(there.add(new JobTable.NewJob("3", "partner.test", Optional.of("other"), "begun"))).isEmpty();
      assertThat(here.add(new JobTable.NewJob("4", "audit.verify", Optional.empty(), "begun"))).isEmpty();
      assertThat(there.add(new JobTable.NewJob("5", "audit.verify", Optional.empty(), "begun"))).as("each node has its log").isEmpty();

      assertThat(here.note("1", "half")).isTrue();
      assertThat(there.all()).contains(new JobTable.Job("half", false));
      assertThat(there.cancel("1")).isTrue();
      assertThat(here.note("1", "more")).as("cancelled").isFalse();
      here.end("1", "done", 100);
      assertThat(there.cancel("1")).as("it has ended").isFalse();
      assertThat(there.all()).contains(new JobTable.Job("done", false));

      first.close();
      assertThat(there.all()).filteredOn(JobTable.Job::isLost).hasSize(1);
      assertThat(there.cancel("4")).as("nobody does it").isFalse();
      assertThat(there.add(new JobTable.NewJob("6", "audit.verify", Optional.empty(), "begun"))).contains("5");
      here.end("4", "ended all the same", 100);
      assertThat(there.all()).filteredOn(JobTable.Job::isLost).isEmpty();
      there.end("3", "done", 1);
      assertThat(there.all()).as("the newest that ended, and what runs").hasSize(2);
      there.begin();
      assertThat(there.all()).filteredOn(JobTable.Job::isLost).as("of the former run").hasSize(1);
    }
  }

  private static <T> List<T> together(Callable<T> one, Callable<T> other) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      var results = threads.invokeAll(List.of(one, other));
      return List.of(results.get(0).get(), results.get(1).get());
    }
  }
}

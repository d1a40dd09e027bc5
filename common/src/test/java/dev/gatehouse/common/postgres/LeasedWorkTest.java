package dev.gatehouse.common.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.db.JdbcMailOutbox;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.throttle.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

/** Work that one of several nodes does, in a real PostgreSQL: who lost the turn writes nothing. */
@Timeout(120)
class LeasedWorkTest {

  /** As in a process that stands still. */
  private static final Duration NO_RENEWAL = Duration.ofHours(1);

  private Postgres server;
  private PostgresDatabase one;
  private PostgresDatabase two;
  private Leases first;
  private Leases second;

  @BeforeEach
  void start() throws Exception {
    server = Postgres.withTables();
    one = PostgresDatabase.open(server.config());
    two = PostgresDatabase.open(server.config());
    first = new Leases(one, "one", NO_RENEWAL, Leases.TERM);
    second = new Leases(two, "two", NO_RENEWAL, Leases.TERM);
    server.execute("create table done (holder varchar(10), number integer)");
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    one.close();
    two.close();
    server.close();
  }

  private static void note(PostgresDatabase database, String holder) {
    JdbcClient.create(database.dataSource()).sql("insert into done values (?, 1)").param(holder).update();
  }

  private List<String> done() {
    return JdbcClient.create(two.dataSource()).sql("select holder from done").query(String.class).list();
  }

  /** As after a node stood still for longer than its lease lasts. */
  private void letEnd() throws Exception {
    server.execute("update lease set ends_at = now() where name = 'work'");
  }

  @Test
  void aHolderThatWakesAfterItsLeaseWasTakenOverWritesNothing() throws Exception {
    Turn stalled = first.take("work").orElseThrow();
    assertThat(stalled.write(() -> note(one, "one"))).isTrue();

    letEnd();
    Turn next = second.take("work").orElseThrow();
    assertThat(next.write(() -> note(two, "two"))).isTrue();

    assertThat(stalled.isOurs()).isFalse();
    assertThat(stalled.write(() -> note(one, "one, too late"))).isFalse();
    assertThat(done()).containsExactly("one", "two");
    // It also knows now that the turn is not its own.
    assertThat(first.take("work")).isEmpty();
  }

  @Test
  void aTurnThatIsGivenBackIsAnotherNodesAtOnce() {
    Turn former = first.take("work").orElseThrow();
    assertThat(second.take("work")).isEmpty();
    // Whoever does not have it gives nothing back.
    second.giveBack("work");
    assertThat(former.isOurs()).isTrue();
    first.giveBack("work");
    assertThat(second.take("work")).isPresent();
    assertThat(former.write(() -> note(one, "one"))).isFalse();
    second.giveBack("work");
    assertThat(first.take("work").orElseThrow().write(() -> note(one, "one"))).isTrue();
  }

  @Test
  void aLeaseThatEndedAndThatNobodyTookStillCounts() throws Exception {
    Turn slow = first.take("work").orElseThrow();
    letEnd();
    assertThat(slow.write(() -> note(one, "one"))).isTrue();
  }

  /** The number rises even if the same node takes the lease again: what it began before is not gone on with. */
  @Test
  void aNodeThatTakesItsEndedLeaseAgainHasANewTurn() throws Exception {
    Turn before = first.take("work").orElseThrow();
    letEnd();
    try (Leases again = new Leases(one, "one", NO_RENEWAL, Leases.TERM)) {
      assertThat(again.take("work").orElseThrow().isOurs()).isTrue();
      assertThat(before.isOurs()).isFalse();
    }
  }

  @Test
  void aWriteThatFailsLeavesNothing() {
    Turn turn = first.take("work").orElseThrow();
    assertThatThrownBy(
            () ->
                turn.write(
                    () -> {
                      note(one, "half");
                      throw new IllegalStateException("in the middle");
                    }))
        .hasMessage("in the middle");
    assertThat(done()).isEmpty();
  }

  /** As a process that is stopped between two statements: its transaction must not keep the others from the lease. */
  @Test
  void aHolderThatStallsInTheMiddleOfAWriteIsPassedWithinSecondsAndItsWriteIsUndone() throws Exception {
    Turn stalled = first.take("work").orElseThrow();
    CountDownLatch wrote = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Boolean> writing =
          thread.submit(
              () ->
                  stalled.write(
                      () -> {
                        note(one, "one");
                        wrote.countDown();
                        try {
                          woken.await();
                        } catch (InterruptedException e) {
                          Thread.currentThread().interrupt();
                        }
                      }));
      assertThat(wrote.await(10, TimeUnit.SECONDS)).isTrue();
      long began = System.nanoTime();
      letEnd();
      Optional<Turn> next = Optional.empty();
      while (next.isEmpty()) {
        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(15));
        try {
          next = second.take("work");
        } catch (DataAccessException e) {
          // Waited for the lock for as long as a statement may.
          Thread.sleep(100);
        }
      }
      assertThat(next.get().write(() -> note(two, "two"))).isTrue();
      woken.countDown();
      assertThatThrownBy(writing::get).hasCauseInstanceOf(RuntimeException.class)
          .satisfies(e -> assertThat(e.getCause()).isInstanceOfAny(DataAccessException.class, TransactionException.class));
    }
    assertThat(done()).containsExactly("two");
  }

  /** Leases end all the time, and their holders do not know. */
  @Test
  void twoNodesNeverDoTheSameWorkAtOnceAndNothingIsLost() throws Exception {
    server.execute("create table counter (value integer)");
    server.execute("insert into counter values (0)");
    AtomicInteger within = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger written = new AtomicInteger();
    List<Future<?>> futures = new ArrayList<>();
    List<Leases> nodes = IntStream.range(0, 6).mapToObj(i -> new Leases(i % 2 == 0 ? one : two, "node" + i)).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < nodes.size(); i++) {
        Leases node = nodes.get(i);
        JdbcClient jdbc = JdbcClient.create((i % 2 == 0 ? one : two).dataSource());
        futures.add(threads.submit(
            () -> {
              for (int round = 0; round < 40; round++) {
                Optional<Turn> turn = node.take("work");
                Thread.sleep(5);
                boolean wrote =
                    turn.isPresent()
                        && turn.get()
                            .write(
                                () -> {
                                  most.accumulateAndGet(within.incrementAndGet(), Math::max);
                                  // Loses a change if another transaction is between its two statements.
                                  int value = jdbc.sql("select value from counter").query(Integer.class).single();
                                  jdbc.sql("update counter set value = ?").param(value + 1).update();
                                  within.decrementAndGet();
                                });
                if (wrote) {
                  written.incrementAndGet();
                }
                if (round % 4 == 0) {
                  letEnd();
                }
              }
              return node;
            }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    }
    assertThat(most).hasValue(1);
    assertThat(written.get()).isPositive();
    assertThat(JdbcClient.create(one.dataSource()).sql("select value from counter").query(Integer.class).single())
        .isEqualTo(written.get());
    assertThat(JdbcClient.create(one.dataSource()).sql("select fence from lease where name = 'work'").query(Long.class).single())
        .isGreaterThan(1);
    nodes.forEach(Leases::close);
  }

  /** The stores that leased work writes to take part in its transaction. */
  @Test
  void mailAndSumsAreWrittenInTheTransactionOfTheTurn() throws Exception {
    MailOutbox outbox = new JdbcMailOutbox(one);
    Instant now = Instant.parse("2026-11-27T00:00:00Z");
    outbox.add(new MailOutbox.Waiting("m1", "demo", Optional.empty(), "kind", new byte[1], now, 0, now), 10);
    Turn stalled = first.take("work").orElseThrow();
    assertThatThrownBy(
            () ->
                stalled.write(
                    () -> {
                      outbox.remove("m1");
                      outbox.noteOnce("digest", now);
                      assertThat(outbox.noteOnce("digest", now)).isFalse();
                      new JdbcRollups(one).drop(Resolution.DAY, now);
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    assertThat(outbox.size()).isEqualTo(1);
    assertThat(outbox.noteOnce("digest", now)).isTrue();

    letEnd();
    assertThat(second.take("work")).isPresent();
    assertThat(stalled.write(() -> outbox.remove("m1"))).isFalse();
    assertThat(outbox.size()).isEqualTo(1);
  }
}

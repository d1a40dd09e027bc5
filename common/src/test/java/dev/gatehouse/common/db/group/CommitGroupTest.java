package dev.gatehouse.common.db.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

class CommitGroupTest {

  private static final int CALLERS = 16;

  private final Database database = Database.inMemory();
  private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
  private final AtomicInteger commits = new AtomicInteger();
  private final CommitGroup group = new CommitGroup(counted());

  @BeforeEach
  void createRows() {
    jdbc.sql("create table counted (name varchar(20) primary key, used bigint not null)").update();
    for (int i = 0; i < CALLERS; i++) {
      jdbc.sql("insert into counted values (?, 0)").param("row" + i).update();
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TransactionTemplate counted() {
    TransactionTemplate real = DatabaseTransactions.of(database);
    return new TransactionTemplate(Objects.requireNonNull(real.getTransactionManager())) {
      private static final long serialVersionUID = 1L;

      @Override
      public <T> T execute(TransactionCallback<T> action) {
        T result = super.execute(action);
        commits.incrementAndGet();
        return result;
      }
    };
  }

  private boolean grow(String row, long to) {
    return jdbc.sql("update counted set used = ? where name = ? and used < ?").params(to, row, to).update() > 0;
  }

  private long used(String row) {
    return jdbc.sql("select used from counted where name = ?").param(row).query(Long.class).single();
  }

  /** Holds the group until all others wait. */
  private List<Future<Boolean>> together(ExecutorService threads, List<BooleanSupplier> changes) throws InterruptedException {
    CountDownLatch isHeld = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    threads.submit(
        () ->
            group.run(
                "held",
                () -> {
                  isHeld.countDown();
                  await(mayEnd);
                  return true;
                }));
    isHeld.await();
    AtomicInteger begun = new AtomicInteger();
    List<Thread> waiting = new ArrayList<>();
    List<Future<Boolean>> results = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      BooleanSupplier change = changes.get(i);
      String row = "row" + i;
      results.add(
          threads.submit(
              () -> {
                synchronized (waiting) {
                  waiting.add(Thread.currentThread());
                }
                begun.incrementAndGet();
                return group.run(row, change);
              }));
    }
    while (begun.get() < changes.size() || !allWait(waiting)) {
      Thread.sleep(1);
    }
    mayEnd.countDown();
    return results;
  }

  private static boolean allWait(List<Thread> threads) {
    synchronized (threads) {
      return threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void changesOfTheSameMomentAreOneCommit() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<BooleanSupplier> changes = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        String row = "row" + i;
        changes.add(() -> grow(row, 7));
      }
      for (Future<Boolean> result : together(threads, changes)) {
        assertThat(result.get()).isTrue();
      }
    }
    assertThat(commits).hasValue(1);
    assertThat(used("row0")).isEqualTo(7);
    assertThat(used("row15")).isEqualTo(7);
  }

  @Test
  void ofParallelUsesOfOneRowOneCounts() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<BooleanSupplier> changes = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        changes.add(() -> grow("row0", 7));
      }
      int counted = 0;
      for (Future<Boolean> result : together(threads, changes)) {
        counted += result.get() ? 1 : 0;
      }
      assertThat(counted).isOne();
    }
  }

  @Test
  void aChangeThatFailsFailsAlone() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Boolean>> results =
          together(
              threads,
              List.of(
                  () -> grow("row0", 7),
                  () -> {
                    throw new IllegalArgumentException("of the test");
                  },
                  () -> grow("row2", 7)));
      assertThat(results.get(0).get()).isTrue();
      assertThatThrownBy(() -> results.get(1).get()).isInstanceOf(ExecutionException.class).hasRootCauseMessage("of the test");
      assertThat(results.get(2).get()).isTrue();
    }
    assertThat(used("row0")).isEqualTo(7);
    assertThat(used("row2")).isEqualTo(7);
  }

  @Test
  void aCommitWhoseOutcomeIsUnknownIsNotTriedAgain() throws Exception {
    CommitGroup lost = new CommitGroup(new TransactionTemplate(new LostCommits()));
    AtomicInteger runs = new AtomicInteger();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      CountDownLatch isHeld = new CountDownLatch(1);
      CountDownLatch mayEnd = new CountDownLatch(1);
      Future<Boolean> first = threads.submit(() -> lost.run("a", () -> held(isHeld, mayEnd)));
      isHeld.await();
      List<Thread> waiting = new ArrayList<>();
      List<Future<Boolean>> others = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        others.add(
            threads.submit(
                () -> {
                  synchronized (waiting) {
                    waiting.add(Thread.currentThread());
                  }
                  return lost.run("b", () -> runs.incrementAndGet() > 0);
                }));
      }
      while (waiting.size() < 2 || !allWait(waiting)) {
        Thread.sleep(1);
      }
      mayEnd.countDown();
      assertThat(first.get()).isTrue();
      for (Future<Boolean> other : others) {
        assertThatThrownBy(other::get).hasCauseInstanceOf(DataAccessResourceFailureException.class);
      }
    }
    assertThat(runs).hasValue(2);
  }

  private static boolean held(CountDownLatch isHeld, CountDownLatch mayEnd) {
    isHeld.countDown();
    await(mayEnd);
    return true;
  }

  @Test
  void aChangeThatComesAloneIsAStatementOfItsOwn() {
    assertThat(group.run("row0", () -> grow("row0", 7))).isTrue();
    assertThat(group.run("row0", () -> grow("row0", 7))).isFalse();
    assertThat(commits).hasValue(0);
  }

  @Test
  void aChangeWithinATransactionIsPartOfIt() {
    DatabaseTransactions.of(database)
        .executeWithoutResult(
            status -> {
              assertThat(group.run("row0", () -> grow("row0", 7))).isTrue();
              status.setRollbackOnly();
            });
    assertThat(used("row0")).isZero();
  }

  @Test
  void ofAGroupThatAnErrorEndsNothingCounts() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Boolean>> results =
          together(
              threads,
              List.of(
                  () -> grow("row0", 7),
                  () -> {
                    throw new StackOverflowError("of the test");
                  }));
      for (Future<Boolean> result : results) {
        assertThatThrownBy(result::get)
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(IllegalStateException.class)
            .hasRootCauseInstanceOf(StackOverflowError.class);
      }
    }
    assertThat(used("row0")).isZero();
  }

  /** A database that answers no commit. */
  private static final class LostCommits extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object begun, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      throw new DataAccessResourceFailureException("It is not known whether the transaction counts");
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }
}

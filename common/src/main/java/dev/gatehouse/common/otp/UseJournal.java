package dev.gatehouse.common.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.otp.Tokens.Used;
import dev.gatehouse.common.remembered.OwnChanges;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueJournal;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Position, clock and last use of tokens, kept beside the marks of their codes until rows have them: one write of the journal has the uses
 * of many tokens, and a row is written once for all uses of some minutes, in the order of the table. A use is in the journal or in its row
 * from the moment that it was kept, also after kill -9.
 *
 * <p>Every some seconds one use at least is written to its row, so that a database that takes no writes is noticed: then {@link #keep}
 * fails as writing the row would.
 */
public final class UseJournal implements WaitingUses, AutoCloseable {

  /** The name of the journal. */
  public static final String STORE = "otp-uses";

  /** A row has a use after so long at most, unless the database takes no writes. */
  static final Duration LATEST = Duration.ofMinutes(5);

  /**
   * Bounds of what waits.
   *
   * @param pause between two looks at what has waited long enough
   * @param most uses, each of which takes about a quarter of a kilobyte of memory: of more, the oldest ones are written at once
   */
  record Limits(Duration pause, int most) {
    static final Limits USUAL = new Limits(Duration.ofSeconds(10), 100_000);
  }

  private static final Logger LOG = LoggerFactory.getLogger(UseJournal.class);
  private static final int AT_ONCE = 1_000;

  /** A stop does not wait longer for rows: the next start has the journal. */
  private static final Duration CLOSING = Duration.ofSeconds(10);

  /** @param since when it, or the first use that it replaces, was kept */
  private record Waiting(KeptUse use, Instant since) {}

  private final Database database;
  private final JdbcTemplate jdbc;
  private final OwnChanges changes;
  private final OwnedCopies copies;
  private final TransactionTemplate transaction;
  private final ValueJournal<KeptUse> journal;
  private final InstantSource time;
  private final int most;

  /** Written under the lock, read by all. */
  private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

  /** The keys of those that wait, the oldest first. Used under the lock. */
  private final SequencedSet<String> order = new LinkedHashSet<>();

  private final ReentrantLock lock = new ReentrantLock();
  private boolean isFailing;
  private final RepeatedTask task;

  private UseJournal(
      Database database, OwnChanges changes, OwnedCopies copies, ValueJournal<KeptUse> journal, InstantSource time, Limits limits) {
    this.database = database;
    this.jdbc = new JdbcTemplate(database.dataSource());
    this.changes = changes;
    this.copies = copies;
    this.transaction = DatabaseTransactions.of(database);
    this.journal = journal;
    this.time = time;
    this.most = limits.most();
    Instant now = time.instant();
    journal.all().forEach(use -> waits(use, now));
    this.task = RepeatedTask.every(limits.pause(), "otp-uses", "Uses of tokens cannot be written to their rows", this::writeDue);
  }

  /** Opens the journal of a node with uses that a former process kept; empty where stores keep none, and rows are written at once. */
  public static Optional<UseJournal> open(Database database, Stores stores, InstantSource time) {
    return open(database, stores, time, Limits.USUAL);
  }

  static Optional<UseJournal> open(Database database, Stores stores, InstantSource time, Limits limits) {
    return database.changes()
        .flatMap(
            changes ->
                stores.journal(STORE, KeptUse.CODEC)
                    .map(journal -> new UseJournal(database, changes, new OwnedCopies(changes, stores), journal, time, limits)));
  }

  @Override
  public Tokens tokens(Tokens rows) {
    return new JournaledTokens(rows, this, copies, changes);
  }

  private void waits(KeptUse use, Instant since) {
    Waiting before = waiting.get(use.key());
    waiting.put(use.key(), new Waiting(use, before == null ? since : before.since()));
    order.add(use.key());
  }

  /** Keeps uses, where no later one is kept. */
  void keep(String realm, Collection<Used> uses) {
    lock.lock();
    try {
      Map<String, KeptUse> later = new LinkedHashMap<>();
      for (Used used : uses) {
        KeptUse use = KeptUse.of(realm, used);
        Waiting before = waiting.get(use.key());
        if (before == null || before.use().used() < use.used()) {
          later.put(use.key(), use);
        }
      }
      journal.put(later);
      Instant now = time.instant();
      later.values().forEach(use -> waits(use, now));
      if (isFailing || order.size() >= most) {
        write(oldest(Math.max(1, order.size() - most + most / 10)));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many tokens have a use that waits. */
  int waiting() {
    return waiting.size();
  }

  /** Returns the time step of the last use of the token that waits; -1 if none does. */
  long lastUsed(String realm, Token token) {
    @Nullable Waiting one = waiting.get(KeptUse.key(realm, token));
    return one != null && one.use().isOf(token) ? one.use().used() : -1;
  }

  @Override
  public Token current(String realm, Token row) {
    @Nullable Waiting one = waiting.get(KeptUse.key(realm, row));
    return one != null && one.use().isAhead(row) ? one.use().in(row) : row;
  }

  /** Writes the use of a token to its row, before the row is changed by what it says. */
  void write(String realm, Token token) {
    String key = KeptUse.key(realm, token);
    if (waiting.containsKey(key)) {
      write(List.of(key));
    }
  }

  @Override
  public void writeAll() {
    write(oldest(Integer.MAX_VALUE));
  }

  /** Writes what has waited long enough, and one at least. */
  void writeDue() {
    write(due());
  }

  private List<String> due() {
    Instant latest = time.instant().minus(LATEST);
    lock.lock();
    try {
      List<String> due = new ArrayList<>();
      for (String key : order) {
        if (!due.isEmpty() && Objects.requireNonNull(waiting.get(key)).since().isAfter(latest)) {
          break;
        }
        due.add(key);
      }
      return due;
    } finally {
      lock.unlock();
    }
  }

  private List<String> oldest(int number) {
    lock.lock();
    try {
      return order.stream().limit(number).collect(Collectors.toCollection(ArrayList::new));
    } finally {
      lock.unlock();
    }
  }

  /** Writes rows in the order of the table, so that those beside each other are written once; others keep uses between two commits. */
  private void write(List<String> keys) {
    write(keys, () -> true);
  }

  /** @param goesOn asked before each commit */
  private void write(List<String> keys, BooleanSupplier goesOn) {
    List<String> sorted = keys.stream().sorted().toList();
    for (int from = 0; from < sorted.size() && goesOn.getAsBoolean(); from += AT_ONCE) {
      commit(sorted.subList(from, Math.min(sorted.size(), from + AT_ONCE)));
    }
  }

  /** Writes rows in one commit; until then, and when it fails, their uses wait. */
  private void commit(List<String> keys) {
    lock.lock();
    try {
      List<String> present = keys.stream().filter(order::contains).toList();
      if (!present.isEmpty()) {
        commitPresent(present);
      }
    } finally {
      lock.unlock();
    }
  }

  private void commitPresent(List<String> keys) {
    List<Object[]> rows = keys.stream().map(key -> Objects.requireNonNull(waiting.get(key)).use().values()).toList();
    changes.begin();
    try {
      isFailing = true;
      transaction.executeWithoutResult(status -> jdbc.batchUpdate(TokenRows.FOLLOW, rows));
      database.force();
      isFailing = false;
      // Rows have them, also after loss of power: a journal that has them as well does no harm.
      journal.remove(keys);
      keys.forEach(waiting::remove);
      keys.forEach(order::remove);
    } finally {
      changes.end();
    }
  }

  /** Writes rows as long as a stop may wait. */
  @Override
  public void close() {
    task.close();
    long end = System.nanoTime() + CLOSING.toNanos();
    try {
      write(oldest(Integer.MAX_VALUE), () -> System.nanoTime() < end);
    } catch (RuntimeException e) {
      LOG.warn("Rows of tokens were not written at the stop; the next start has {} uses", waiting.size(), e);
    }
  }
}

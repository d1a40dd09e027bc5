package dev.gatehouse.common.store;

import dev.gatehouse.common.store.RocksRecords.Due;
import dev.gatehouse.common.store.RocksRecords.Dues;
import dev.gatehouse.common.store.RocksRecords.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the records of one key space that are due: removes those that have expired, or returns them where they are kept, and
 * moves those that live longer than their position in the time-ordered index says.
 *
 * <p>Records are written together, because a write of its own costs more than the rest of the work. Their locks are held until
 * they are written. No lock is waited for while another one is held, so no caller that holds several can deadlock with the
 * sweeper: a record whose lock somebody else holds is written alone afterwards.
 */
final class RocksSweep {

  private static final Logger LOG = LoggerFactory.getLogger(RocksSweep.class);
  private static final int WRITTEN_TOGETHER = 64;

  /** Callers wait for the locks meanwhile: no record is added to a batch that has taken as long. */
  private static final long LONGEST_NANOS = 400_000;

  private static final int SCANNED_AT_ONCE = 256;
  private static final Duration FULL_SWEEP = Duration.ofHours(1);

  /** What a store keeps beside its records. */
  interface OnExpiry {
    /** Returns the further keys that are removed with an expired record, in the same write. */
    List<byte[]> keysOf(byte[] key, byte[] body);

    /** Called for each record that a write moved or removed, after it, while its lock is held: what is remembered of it does not count. */
    void changed(byte[] key);

    /** Called once for each write that removed records, after it, while the locks of these records are held. */
    void removed(int records);
  }

  private static final class Nothing implements OnExpiry {
    @Override
    public List<byte[]> keysOf(byte[] key, byte[] body) {
      return List.of();
    }

    @Override
    public void changed(byte[] key) {
      // Nobody remembers it.
    }

    @Override
    public void removed(int records) {
      // Nobody counts them.
    }
  }

  private final RocksRecords records;
  private final Expired afterwards;
  private final OnExpiry onExpiry;
  // Guarded by this object's monitor.
  private byte[] sweptTo = RocksRecords.firstDue();
  private Instant begunAt = Instant.MIN;
  private Instant fullSweepAt = Instant.MIN;

  /** Creates the sweep of records that are removed when they expire, and that nothing else belongs to. */
  RocksSweep(RocksRecords records) {
    this(records, Expired.FORGOTTEN, new Nothing());
  }

  RocksSweep(RocksRecords records, Expired afterwards, OnExpiry onExpiry) {
    this.records = records;
    this.afterwards = afterwards;
    this.onExpiry = onExpiry;
  }

  /**
   * Checks up to {@code limit} records that are due, removes the expired ones, and returns the number checked. It continues
   * where it stopped, behind the keys it deleted. It starts over once an hour, to find records that had already expired when
   * they were written, and after the clock was set back. Damaged records stay.
   */
  synchronized int sweep(int limit) {
    Instant now = records.now();
    if (!begin(now)) {
      return 0;
    }
    long next = RocksRecords.UNKNOWN;
    try {
      Dues dues = records.dues(sweptTo, now, limit);
      settle(dues.entries(), now, new ArrayList<>());
      next = dues.next();
      return dues.entries().size();
    } finally {
      records.dueFrom(next);
    }
  }

  /**
   * Returns the keys of up to {@code limit} expired records, about in the order of time, without removing them. Replaces {@link
   * #sweep} for stores that keep them. It continues at the first key that it returned last time, behind the keys of records that
   * were removed since.
   */
  synchronized List<byte[]> expired(int limit) {
    Instant now = records.now();
    if (!begin(now)) {
      return List.of();
    }
    long next = RocksRecords.UNKNOWN;
    try {
      List<Due> kept = new ArrayList<>();
      byte[] from = sweptTo;
      while (kept.size() < limit) {
        Dues dues = records.dues(from, now, Math.min(SCANNED_AT_ONCE, limit - kept.size()));
        settle(dues.entries(), now, kept);
        if (dues.next() != RocksRecords.UNKNOWN) {
          next = kept.isEmpty() ? dues.next() : kept.getFirst().time();
          break;
        }
        from = Bytes.following(dues.entries().getLast().indexKey());
      }
      return kept.stream().map(Due::key).toList();
    } finally {
      records.dueFrom(next);
    }
  }

  /** Returns to the begin of the index if it is time for that; returns false if there is nothing to look for. */
  private boolean begin(Instant now) {
    // The next records may be due before the position that was reached by a clock that was ahead.
    boolean isSetBack = now.isBefore(begunAt);
    begunAt = now;
    if (!isSetBack && now.isBefore(fullSweepAt)) {
      return records.mayBeDue(now);
    }
    sweptTo = RocksRecords.firstDue();
    fullSweepAt = now.plus(FULL_SWEEP);
    return true;
  }

  /** Settles all of these, adds those that are kept in the order of time, and goes on behind what is settled and written. */
  private void settle(List<Due> dues, Instant now, List<Due> kept) {
    int settled = 0;
    while (settled < dues.size()) {
      settled += settleTogether(dues.subList(settled, dues.size()), now, kept);
      kept.sort((one, other) -> Arrays.compareUnsigned(one.indexKey(), other.indexKey()));
      sweptTo = kept.isEmpty() ? Bytes.following(dues.get(settled - 1).indexKey()) : kept.getFirst().indexKey();
    }
  }

  /** Settles the first of these, as many as one write takes, and returns their number. */
  private int settleTogether(List<Due> dues, Instant now, List<Due> kept) {
    List<Due> busy = new ArrayList<>();
    int looked = 0;
    try (Batch batch = new Batch(now, kept)) {
      long begun = System.nanoTime();
      while (looked < Math.min(dues.size(), WRITTEN_TOGETHER) && (looked == 0 || System.nanoTime() - begun < LONGEST_NANOS)) {
        Due due = dues.get(looked);
        if (!batch.addIfFree(due)) {
          busy.add(due);
        }
        looked++;
      }
      batch.commit();
    }
    for (Due due : busy) {
      try (Batch batch = new Batch(now, kept)) {
        batch.add(due);
        batch.commit();
      }
    }
    return looked;
  }

  /** Records that are written together, with their locks. */
  private final class Batch implements AutoCloseable {
    private final Instant now;
    private final List<Due> kept;
    private final RocksRecords.Change change = records.change();
    private final List<Lock> held = new ArrayList<>(WRITTEN_TOGETHER);
    private final List<byte[]> written = new ArrayList<>(WRITTEN_TOGETHER);
    private boolean changed;
    private int removed;

    Batch(Instant now, List<Due> kept) {
      this.now = now;
      this.kept = kept;
    }

    boolean addIfFree(Due due) {
      Lock lock = records.lock(due.key());
      if (!lock.tryLock()) {
        return false;
      }
      addLocked(due, lock);
      return true;
    }

    /** Waits for the record's lock: allowed for the first record alone. */
    void add(Due due) {
      Lock lock = records.lock(due.key());
      lock.lock();
      addLocked(due, lock);
    }

    private void addLocked(Due due, Lock lock) {
      held.add(lock);
      try {
        settle(due);
      } catch (RuntimeException e) {
        LOG.error("A record of {} that is due is damaged and stays", records.name(), e);
      }
    }

    /** Reads and decodes all of the record before it changes anything: a damaged record leaves nothing in the batch. */
    private void settle(Due due) {
      Optional<Stored> stored = records.read(due.key()).filter(found -> found.due() == due.time());
      if (stored.isEmpty()) {
        change.unmark(due.indexKey());
      } else if (stored.get().isLive(now)) {
        change.moveToExpiry(due.key(), stored.get());
        written.add(due.key());
      } else if (afterwards == Expired.KEPT) {
        kept.add(due);
        return;
      } else {
        List<byte[]> more = onExpiry.keysOf(due.key(), stored.get().body());
        change.remove(due.key(), stored.get());
        more.forEach(change::unmark);
        written.add(due.key());
        removed++;
      }
      changed = true;
    }

    /** Fails if nothing can be written: for every record then, so that none counts as damaged. */
    void commit() {
      try {
        if (changed) {
          change.commit();
        }
      } finally {
        // Also where it failed: it may have been written all the same.
        written.forEach(onExpiry::changed);
      }
      if (removed > 0) {
        onExpiry.removed(removed);
      }
    }

    @Override
    public void close() {
      change.close();
      held.forEach(Lock::unlock);
    }
  }
}

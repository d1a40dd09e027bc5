package dev.gatehouse.common.db.group;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Commits small changes of callers that come at the same time together, because a commit costs about the same for one row as for many. A
 * caller that comes alone waits for nobody, and its change is a statement of its own. When {@link #run} returns, the change is as durable
 * as any other.
 */
public final class CommitGroup {

  private static final int MOST = 100;

  /** A change that waits. Its outcome is written and read under the lock. */
  private static final class Change {
    private final String row;
    private final BooleanSupplier work;
    private boolean isSettled;
    /** Its group was rolled back: its caller makes it, which waits for its own row only. */
    private boolean isAlone;
    private boolean result;
    private @Nullable RuntimeException failure;

    Change(String row, BooleanSupplier work) {
      this.row = row;
      this.work = work;
    }

    void runAlone() {
      try {
        result = work.getAsBoolean();
        isSettled = true;
      } catch (RuntimeException e) {
        fail(e);
      } catch (Error e) {
        // Whoever waits for this change must not wait for ever.
        fail(new IllegalStateException("A change was not made", e));
      }
    }

    void fail(RuntimeException outcome) {
      failure = outcome;
      isSettled = true;
    }
  }

  private final TransactionTemplate transaction;
  private final ConcurrentLinkedQueue<Change> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock running = new ReentrantLock();

  public CommitGroup(Database database) {
    this(DatabaseTransactions.of(database));
  }

  CommitGroup(TransactionTemplate transaction) {
    this.transaction = transaction;
  }

  /**
   * Makes a change. A change that fails is alone with its failure: each caller of its group then makes its own. Where no transaction can be
   * begun, all fail at once. Within a transaction it is a part of that one.
   *
   * @param row that the change locks: groups on several nodes lock rows in the same order
   * @param work one statement, which may run again if it was rolled back
   * @return the result of the work that was committed
   */
  public boolean run(String row, BooleanSupplier work) {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      // Its commit comes later: others would return before it.
      return work.getAsBoolean();
    }
    Change own = new Change(row, work);
    waiting.add(own);
    running.lock();
    try {
      while (!own.isSettled && !own.isAlone) {
        runWaiting();
      }
    } finally {
      running.unlock();
    }
    if (own.isAlone) {
      own.runAlone();
    }
    if (own.failure != null) {
      throw own.failure;
    }
    return own.result;
  }

  private void runWaiting() {
    // Large enough: a change that is taken from the queue must not get lost.
    List<Change> group = new ArrayList<>(MOST);
    for (Change change = waiting.poll(); change != null; change = waiting.poll()) {
      group.add(change);
      if (group.size() == MOST) {
        break;
      }
    }
    if (group.size() < 2) {
      group.forEach(Change::runAlone);
    } else if (!isCommitted(group)) {
      group.forEach(change -> change.isAlone = true);
    }
  }

  /** Returns false if nothing was changed, because one of them failed. */
  private boolean isCommitted(List<Change> group) {
    group.sort(Comparator.comparing(change -> change.row));
    boolean[] isBegun = {false};
    boolean[] isDone = {false};
    try {
      transaction.executeWithoutResult(
          status -> {
            isBegun[0] = true;
            for (Change change : group) {
              change.result = change.work.getAsBoolean();
            }
            isDone[0] = true;
          });
      group.forEach(change -> change.isSettled = true);
      return true;
    } catch (RuntimeException e) {
      if (isBegun[0] && !isDone[0]) {
        return false;
      }
      // Nothing was begun, and each would wait for that again; or the commit failed: what counts is not known, so nothing is tried again.
      group.forEach(change -> change.fail(e));
      return true;
    } catch (Error e) {
      group.forEach(change -> change.fail(new IllegalStateException("A change was not made", e)));
      throw e;
    }
  }
}

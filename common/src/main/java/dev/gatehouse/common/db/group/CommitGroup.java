package dev.gatehouse.common.db.group;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.wait.BatchQueue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Commits small changes of callers that come at the same time together, because a commit costs about the same for one row as for many. A
 * caller that comes alone waits for nobody, and its change is a statement of its own. When {@link #run} returns, the change is as durable
 * as any other.
 */
public final class CommitGroup {

  private static final int MOST = 100;

  /** A change that waits. Whoever makes it writes to it, and then its caller reads it. */
  private static final class Change {
    private final String row;
    private final BooleanSupplier work;
    /** Its group was rolled back: its caller makes it, which waits for its own row only. */
    private boolean isAlone;
    private boolean result;

    Change(String row, BooleanSupplier work) {
      this.row = row;
      this.work = work;
    }

    void make() {
      result = work.getAsBoolean();
    }
  }

  private final TransactionTemplate transaction;
  private final BatchQueue<Change> changes = new BatchQueue<>(MOST, this::make);

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
    Optional<Throwable> failure = changes.handle(own);
    if (failure.isPresent()) {
      throw thrown(failure.get());
    }
    if (own.isAlone) {
      own.make();
    }
    return own.result;
  }

  private static RuntimeException thrown(Throwable failure) {
    return failure instanceof RuntimeException known ? known : new IllegalStateException("A change was not made", failure);
  }

  private void make(List<Change> group) {
    if (group.size() == 1) {
      group.getFirst().make();
    } else {
      makeTogether(group.stream().sorted(Comparator.comparing(change -> change.row)).toList());
    }
  }

  private void makeTogether(List<Change> group) {
    boolean[] isBegun = {false};
    boolean[] isDone = {false};
    try {
      transaction.executeWithoutResult(
          status -> {
            isBegun[0] = true;
            group.forEach(Change::make);
            isDone[0] = true;
          });
    } catch (RuntimeException e) {
      if (!isBegun[0] || isDone[0]) {
        // Nothing was begun, and each would wait for that again; or the commit failed: what counts is not known, so nothing is tried again.
        throw e;
      }
      // One of them failed, and nothing was changed.
      group.forEach(change -> change.isAlone = true);
    }
  }
}

package dev.gatehouse.common.throttle;

/**
 * A node's turn of scheduled work. A node that was stopped for long may still have one that another node has taken over: what it writes
 * then does not count.
 */
@FunctionalInterface
public interface Turn {

  /** The turn of a node that is alone. */
  Turn ALONE =
      write -> {
        write.run();
        return true;
      };

  /**
   * Runs writes to the database of all nodes in one transaction, in which nobody can take the turn over. They are short, and are not
   * repeated.
   *
   * @return false if the turn is another node's: nothing was run
   */
  boolean write(Runnable writes);

  /** Returns whether nobody has taken the turn over; asks the database, for what is not written there. */
  default boolean isOurs() {
    return write(() -> {});
  }
}

package dev.gatehouse.common.otp;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A synchronisation of a realm's people.
 *
 * @param number counts the realm's runs
 * @param by the administrator, or {@code schedule}
 * @param problem why nothing, or not all, was done
 * @param remarks entries that were left out, some of them if there are many
 */
public record PeopleRun(
    long number,
    String by,
    Instant startedAt,
    Optional<Instant> endedAt,
    State state,
    Numbers numbers,
    Optional<String> problem,
    List<String> remarks) {

  /** How far it came. */
  public enum State {
    RUNNING,
    DONE,
    /** Nothing was changed, for the reason that is given. */
    STOPPED,
    FAILED,
    /** The node ended, or somebody cancelled it: the next run does the rest. */
    INTERRUPTED
  }

  /**
   * How many people of each kind.
   *
   * @param found entries of the directory
   * @param moved with another name or place
   * @param returned who had been gone
   * @param rejected entries that were left out
   * @param tokens that were taken back
   */
  public record Numbers(long found, long added, long changed, long moved, long returned, long gone, long rejected, long tokens) {
    public static final Numbers NONE = new Numbers(0, 0, 0, 0, 0, 0, 0, 0);
  }
}

package dev.gatehouse.common.directory;

import java.time.Duration;
import java.time.Instant;

/**
 * A person's data in the directory at a time.
 *
 * @param person the id by which the person is known since the first snapshot; a directory that ignores case may spell
 *     the id in {@code details} differently later
 */
public record PersonSnapshot(PersonId person, Person details, Instant readAt) {

  /** No data are read again that are younger than this: what a directory has copied may be as old, so that the next time it is read. */
  static final Duration YOUNG = Duration.ofSeconds(20);

  /** All data are read again that are older than this: with those of a copy a change takes effect within the 60 s that the design allows. */
  static final Duration OLD = Duration.ofSeconds(30);

  public static PersonSnapshot of(Person details, Instant readAt) {
    return new PersonSnapshot(details.id(), details, readAt);
  }

  /** The same person's data just read. */
  public PersonSnapshot reread(Person now, Instant at) {
    return new PersonSnapshot(person, now, at);
  }

  /**
   * Returns whether the data are to be read again. The age at which they are is between 20 and 30 s, and differs by person and time of
   * reading: people who were read in the same second are not all read again in the same second.
   */
  public boolean isStale(Instant now) {
    return !now.isBefore(readAt.plus(YOUNG).plusMillis(later()));
  }

  /** Returns whether the data do not count any more. */
  public boolean isOld(Instant now) {
    return !now.isBefore(readAt.plus(OLD));
  }

  /** In ms. Multiplied by the golden ratio, since the ids of many directories are numbered. */
  private long later() {
    int mixed = (31 * person.hashCode() + readAt.hashCode()) * 0x9E37_79B9;
    return (mixed >>> 16) * OLD.minus(YOUNG).toMillis() >> 16;
  }
}

package dev.gatehouse.common.directory;

import java.time.Instant;

/**
 * A person's data in the directory at a time.
 *
 * @param person the id by which the person is known since the first snapshot; a directory that ignores case may spell
 *     the id in {@code details} differently later
 */
public record PersonSnapshot(PersonId person, Person details, Instant readAt) {

  public static PersonSnapshot of(Person details, Instant readAt) {
    return new PersonSnapshot(details.id(), details, readAt);
  }

  /** The same person's data just read. */
  public PersonSnapshot reread(Person now, Instant at) {
    return new PersonSnapshot(person, now, at);
  }
}

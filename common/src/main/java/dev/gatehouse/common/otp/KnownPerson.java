package dev.gatehouse.common.otp;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A person who may have tokens, as the last synchronisation read them from the directory.
 *
 * @param name the login name
 * @param displayName empty if there is none
 * @param mail empty if there is none
 * @param place the DN of the entry
 * @param groups names
 * @param seenAt when the entry was last seen to have changed
 * @param goneAt since when the directory does not have them
 */
public record KnownPerson(
    PersonId id,
    String name,
    String displayName,
    String mail,
    String place,
    List<String> groups,
    Status status,
    Instant seenAt,
    Optional<Instant> goneAt) {

  /** Whether the person may have tokens. */
  public enum Status {
    ACTIVE,
    /** The account is disabled, or the entry is there and one of the filters does not match it: tokens stay, and the directory decides. */
    SUSPENDED,
    /** The directory has nobody of that id, since {@code goneAt}: tokens stay until a later synchronisation has not found them either. */
    MISSING,
    /** The directory has nobody of that id any more: tokens were taken back. */
    GONE
  }

  /** The same person with another status, as of a time that is absent for people whom the directory has. */
  public KnownPerson as(Status other, Optional<Instant> since) {
    return new KnownPerson(id, name, displayName, mail, place, groups, other, seenAt, since);
  }

  /** Returns whether the entry says the same of the person, whenever it was seen. */
  public boolean isSameAs(KnownPerson other) {
    return isSamePlace(other) && displayName.equals(other.displayName) && mail.equals(other.mail) && groups.equals(other.groups)
        && status == other.status;
  }

  /** Returns whether the entry has the same name and DN. */
  public boolean isSamePlace(KnownPerson other) {
    return name.equals(other.name) && place.equals(other.place);
  }
}

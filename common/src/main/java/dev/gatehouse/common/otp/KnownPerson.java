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
 * @param goneAt when the person was disabled because the directory did not have them any more
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
    /** The directory says that the account is disabled: tokens stay, and open nothing. */
    SUSPENDED,
    /** The directory has nobody of that id any more: tokens were taken back. */
    GONE
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

package dev.gatehouse.common.directory;

/** The directory's answer to a name and a password. */
public sealed interface Authentication {

  record Accepted(Person person) implements Authentication {}

  /** The password is right, but must be changed before it counts (expired, or reset by an administrator). */
  record MustChangePassword(Person person, boolean expired) implements Authentication {}

  /** Unknown name, wrong or empty password, locked or disabled account: alike for the person; the reason is for audit. */
  record Refused(RefusedReason reason) implements Authentication {}

  /** No server answered in time. */
  record Unavailable(String reason) implements Authentication {}

  /** For the audit log only. */
  enum RefusedReason {
    UNKNOWN_NAME,
    AMBIGUOUS_NAME,
    WRONG_PASSWORD,
    EMPTY_PASSWORD,
    PASSWORD_TOO_LONG,
    LOCKED,
    /** Not at this hour, or not from this machine. */
    NOT_NOW,
    DISABLED,
    ACCOUNT_EXPIRED,
    /**
     * The entry lacks the attribute that is the person's id or name, or is in more groups than are read: the realm's configuration or
     * the entry is wrong, and the log says which.
     */
    INCOMPLETE_ENTRY
  }
}

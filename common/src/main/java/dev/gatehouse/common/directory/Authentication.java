package dev.gatehouse.common.directory;

/** The result of authentication with a name and a password. */
public sealed interface Authentication {

  record Accepted(Person person) implements Authentication {}

  /** The password is right, but must be changed before the login is accepted (expired, or reset by an administrator). */
  record MustChangePassword(Person person, boolean expired) implements Authentication {}

  /** Unknown name, wrong or empty password, locked or disabled account. The person sees no difference; audit gets the reason. */
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
    /** Login is not allowed at this hour or from this machine. */
    NOT_NOW,
    DISABLED,
    ACCOUNT_EXPIRED,
    /**
     * The entry lacks the attribute of the person's id or name, or not all of its groups are known. The realm's configuration or
     * the entry is wrong; the log says which.
     */
    INCOMPLETE_ENTRY
  }
}

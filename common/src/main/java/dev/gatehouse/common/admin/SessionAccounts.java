package dev.gatehouse.common.admin;

/** The accounts that sessions of kind {@code app} have: roles, groups and attributes. */
public interface SessionAccounts {

  /** What became of a session whose account was read again. */
  enum Reread {
    CHANGED,
    UNCHANGED,
    ENDED,
    /** There is no such session. */
    NONE
  }

  /**
   * Gives the session the account that the realm's directory has now, for all nodes. A session whose account is no longer there, or comes
   * from an identity provider, ends: its next request logs in again.
   *
   * @throws dev.gatehouse.common.directory.DirectoryUnavailable if the directory does not answer; nothing was changed
   */
  Reread reread(String realm, String session);
}

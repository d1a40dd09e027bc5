package dev.gatehouse.common.directory;

import java.util.Optional;

/** The result of a change of password. */
public sealed interface PasswordChange {
  record Changed(Person person) implements PasswordChange {}

  /** The old password is wrong, or the account unknown or locked. */
  record Refused() implements PasswordChange {}

  /**
   * The old password is right, but the directory's policy does not accept the change.
   *
   * @param fault the reason; the message bundle has a text for each ({@code password-fault.TOO_SHORT})
   * @param why the directory's own message, in its own language; empty if there is none. Show it in small print at most
   */
  record NotGoodEnough(Fault fault, String why) implements PasswordChange {}

  /**
   * The directory did not answer.
   *
   * @param isSent whether the change may have reached it, so that the password may be the new one
   */
  record Unavailable(String reason, boolean isSent) implements PasswordChange {}

  /** Returns why no directory is asked to accept the password; empty if one may be. */
  static Optional<PasswordChange> unfit(Password replacement) {
    if (replacement.isEmpty()) {
      return Optional.of(new NotGoodEnough(Fault.TOO_SHORT, ""));
    }
    return replacement.utf8().length > Password.MAX_BYTES ? Optional.of(new NotGoodEnough(Fault.TOO_LONG, "")) : Optional.empty();
  }

  /** The reason why a new password is not accepted (draft-behera-ldap-password-policy-10, section 6.2). */
  enum Fault {
    TOO_SHORT,
    TOO_LONG,
    TOO_WEAK,
    IN_HISTORY,
    /** The present password was changed too short a time ago. */
    TOO_YOUNG,
    /** This person may not change the password (here); an administrator must change it. */
    NOT_ALLOWED,
    /** The directory gave no known reason. */
    OTHER
  }
}

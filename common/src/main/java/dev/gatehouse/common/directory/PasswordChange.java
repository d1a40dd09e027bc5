package dev.gatehouse.common.directory;

/** The directory's answer to a change of password. */
public sealed interface PasswordChange {
  record Changed(Person person) implements PasswordChange {}

  /** The old password is wrong, or the account unknown. */
  record Refused() implements PasswordChange {}

  /** The directory's policy does not accept the new password; the text is the directory's, for the person. */
  record NotGoodEnough(String why) implements PasswordChange {}

  record Unavailable(String reason) implements PasswordChange {}
}

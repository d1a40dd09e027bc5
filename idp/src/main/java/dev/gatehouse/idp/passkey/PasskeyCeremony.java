package dev.gatehouse.idp.passkey;

/**
 * What a challenge is for: it counts for nothing else.
 *
 * @param browser hash of the value of the browser to which it is given
 * @param context the waiting sign-on, the first step or the person; empty if there is none
 */
public record PasskeyCeremony(Purpose purpose, String browser, String context) {

  /** The purposes of challenges. */
  public enum Purpose {
    LOGIN,
    SECOND_STEP,
    ENROLMENT,
    /** A passkey of a person who has logged in with more than a password: its owner has it in the hand. */
    CONFIRMATION
  }
}

package dev.gatehouse.idp.saml.slo;

/** The known status of a participant in a logout. */
enum ParticipantStatus {
  /** The participant has not answered yet. */
  WAITING,
  TOLD,
  /**
   * A frame loaded the participant's page; the participant has no way to confirm (OpenID Connect Front-Channel Logout
   * 1.0, section 2).
   */
  ASKED,
  /** The client that initiated the logout: it is notified after its browser has returned to it. */
  ASKER,
  /** The participant answered that it failed. */
  FAILED,
  /** The participant answered that it failed; the back channel repeats the notification. */
  FAILED_RETRIED,
  /** The participant did not answer in time. */
  SILENT,
  /** The participant has no address for logout messages, or its metadata cannot be used. */
  UNREACHABLE,
  /** The participant did not answer in time, or not at all; the back channel repeats the notification. */
  UNREACHABLE_RETRIED;

  /** Returns whether nothing remains to be done for the participant. */
  boolean isSettled() {
    return this == TOLD || this == ASKED || this == ASKER;
  }

  boolean isRetried() {
    return this == FAILED_RETRIED || this == UNREACHABLE_RETRIED;
  }
}

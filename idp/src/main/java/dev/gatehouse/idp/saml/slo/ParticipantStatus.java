package dev.gatehouse.idp.saml.slo;

/** What is known of a participant. */
enum ParticipantStatus {
  /** It has not answered yet. */
  WAITING,
  TOLD,
  /** Its page was loaded by a frame; it has no way to confirm (OpenID Connect Front-Channel Logout 1.0, section 2). */
  ASKED,
  /** The client that asked for the logout: it is told when it has its browser back. */
  ASKER,
  /** It answered that it could not. */
  FAILED,
  /** It answered that it could not; the back channel goes on asking. */
  FAILED_RETRIED,
  /** It did not answer in time. */
  SILENT,
  /** It has no address for this, or its metadata cannot be used. */
  UNREACHABLE,
  /** It did not answer in time, or not at all; the back channel goes on trying. */
  UNREACHABLE_RETRIED;

  /** Whether all was done that there is to do. */
  boolean isSettled() {
    return this == TOLD || this == ASKED || this == ASKER;
  }

  boolean isRetried() {
    return this == FAILED_RETRIED || this == UNREACHABLE_RETRIED;
  }
}

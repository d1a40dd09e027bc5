package dev.gatehouse.idp.saml.slo;

import com.fasterxml.jackson.annotation.JsonAlias;

/** The known status of a participant in a logout. The aliases are the names that the former version stored. */
enum ParticipantStatus {
  /** The participant has not answered yet. */
  WAITING,
  @JsonAlias("TOLD")
  LOGGED_OUT,
  /**
   * A frame loaded the participant's page; the participant has no way to confirm (OpenID Connect Front-Channel Logout
   * 1.0, section 2).
   */
  @JsonAlias("ASKED")
  REQUESTED,
  /** The client that initiated the logout: it is notified after its browser has returned to it. */
  @JsonAlias("ASKER")
  INITIATOR,
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
    return this == LOGGED_OUT || this == REQUESTED || this == INITIATOR;
  }

  boolean isRetried() {
    return this == FAILED_RETRIED || this == UNREACHABLE_RETRIED;
  }
}

package dev.gatehouse.idp.saml.slo;

/** What is known of a participant. */
enum Outcome {
  /** It has not answered yet. */
  WAITING,
  TOLD,
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

  boolean isRetried() {
    return this == FAILED_RETRIED || this == UNREACHABLE_RETRIED;
  }
}

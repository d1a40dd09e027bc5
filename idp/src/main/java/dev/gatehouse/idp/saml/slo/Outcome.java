package dev.gatehouse.idp.saml.slo;

/** What is known of a participant. */
enum Outcome {
  /** It has not answered yet. */
  WAITING,
  TOLD,
  /** It answered that it could not. */
  FAILED,
  /** It did not answer in time. */
  SILENT,
  /** It has no address for this, or its metadata cannot be used. */
  UNREACHABLE
}

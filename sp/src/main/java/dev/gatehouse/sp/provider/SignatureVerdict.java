package dev.gatehouse.sp.provider;

/** Whose signature a JWT carries. */
public enum SignatureVerdict {
  /** A key that the issuer publishes made it. */
  OF_ISSUER,
  OF_NOBODY_KNOWN,
  /** The issuer's keys are not known now. */
  KEYS_UNKNOWN
}

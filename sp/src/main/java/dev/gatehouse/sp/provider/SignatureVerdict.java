package dev.gatehouse.sp.provider;

/** The origin of a JWT's signature. */
public enum SignatureVerdict {
  /** A key that the issuer publishes made the signature. */
  OF_ISSUER,
  OF_NOBODY_KNOWN,
  /** The issuer's keys are currently unknown. */
  KEYS_UNKNOWN
}

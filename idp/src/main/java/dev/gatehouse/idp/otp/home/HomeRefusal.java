package dev.gatehouse.idp.otp.home;

/** Why another realm's question about a passcode is refused before it is checked. */
enum HomeRefusal {
  /** The name has a suffix that is none of ours: a realm answers for its own people only, and asks no other. */
  SUFFIX_NOT_OURS
}

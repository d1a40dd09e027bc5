package dev.gatehouse.common.store;

/** What becomes of a session that nobody ends. */
public enum Expired {
  /** The store forgets it by itself. */
  FORGOTTEN,

  /** It is kept until somebody takes it out by {@code endExpired}: others have to hear that it has ended. */
  KEPT
}

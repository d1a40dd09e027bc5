package dev.gatehouse.common.store;

/** Says what a store does with a session that expires. */
public enum Expired {
  /** The store forgets the session. */
  FORGOTTEN,

  /** The session stays stored until a caller removes it by {@code endExpired}: other parties must be notified of its end. */
  KEPT
}

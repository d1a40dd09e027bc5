package dev.gatehouse.common.otp.replica;

/** What a server is now. */
public enum ServerState {
  /** Has not found out yet. */
  STARTING,
  PRIMARY,
  REPLICA,
  /** Is a replica whose copy is not whole. */
  COPYING,
  /** Is a replica whose copy is too old. */
  BEHIND,
  /** Is a replica of a former primary: it keeps that copy until the operator replaces it. */
  OUTDATED,
  /** Was the primary until another server was nominated. */
  REPLACED;

  /** Returns whether passcodes are checked. */
  boolean isServing() {
    return this == PRIMARY || this == REPLICA;
  }
}

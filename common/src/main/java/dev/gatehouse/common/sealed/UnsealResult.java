package dev.gatehouse.common.sealed;

import java.time.Instant;

/** The result of opening sealed state. */
public sealed interface UnsealResult {

  /**
   * The state was opened.
   *
   * @param payload as it was sealed
   * @param expiresAt when it expires
   */
  record Opened(byte[] payload, Instant expiresAt) implements UnsealResult {}

  /** The state is ours and this browser's, but has expired. */
  record Expired() implements UnsealResult {}

  /** The state was too large for its cookie and is not in memory any more, after a restart or because of the limits. */
  record Lost() implements UnsealResult {}

  /** The text belongs to another browser, realm, purpose, version or key, or was changed. The cause is not disclosed. */
  record Unreadable() implements UnsealResult {}

  /** The browser has no state with that id. */
  record Absent() implements UnsealResult {}
}

package dev.gatehouse.common.sealed;

import java.time.Instant;

/** The outcome of opening sealed state. */
public sealed interface UnsealResult {

  /** @param payload as it was sealed; @param expiresAt when it ends */
  record Opened(byte[] payload, Instant expiresAt) implements UnsealResult {}

  /** It was ours and this browser's, and its time is over. */
  record Expired() implements UnsealResult {}

  /** The browser carries it, and what was too large for its cookie is not in memory any more: a restart, or it gave way to others. */
  record Lost() implements UnsealResult {}

  /** Another browser's, realm's, purpose's, version's or key's, or changed. Which of these, nobody is told. */
  record Unreadable() implements UnsealResult {}

  /** The browser carries nothing by that id. */
  record Absent() implements UnsealResult {}
}

package dev.gatehouse.common.store;

import java.time.Instant;

/** Remembers identifiers of messages until they expire by themselves (SAML Profiles 4.1.4.5). Blocks. */
public interface ReplayCache {

  /** True for exactly one caller per key until {@code expiresAt}; durable when it returns. */
  boolean firstSeen(ReplayKey key, Instant expiresAt);

  /** Whether it is marked now; marks nothing. */
  boolean isMarked(ReplayKey key);

  /**
   * Since when no mark can have been lost: the start of the process for volatile forms; for durable ones the creation of the
   * data, less a minute, because nothing can have come before. Unsolicited assertions issued before it are refused.
   */
  Instant completeSince();

  /** @param issuer who made the identifier; @param id what must not come twice */
  record ReplayKey(String realm, String issuer, String id) {}
}

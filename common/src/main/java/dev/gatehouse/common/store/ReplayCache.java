package dev.gatehouse.common.store;

import java.time.Instant;

/** Remembers identifiers of messages until the messages expire (SAML Profiles 4.1.4.5). Blocks. */
public interface ReplayCache {

  /** Marks the key. Returns true to exactly one caller per key until {@code expiresAt}; the mark is durable then. */
  boolean firstSeen(ReplayKey key, Instant expiresAt);

  /** Returns whether the key is marked now; marks nothing. */
  boolean isMarked(ReplayKey key);

  /**
   * Returns the time since which no mark can have been lost. For volatile forms that is the start of the process; for durable
   * ones the creation of the data less a minute, because nothing can precede it. Unsolicited assertions issued earlier are
   * refused.
   */
  Instant completeSince();

  /**
   * Identifies a message.
   *
   * @param issuer the party that made the identifier
   * @param id the identifier that must not occur twice
   */
  record ReplayKey(String realm, String issuer, String id) {
    /** Returns what stands for the key in all stores, so that marks can move between them: its SHA-256. */
    public byte[] digest() {
      return Bytes.digest(realm, issuer, id);
    }
  }
}

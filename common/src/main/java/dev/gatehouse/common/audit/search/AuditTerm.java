package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.crypto.Sha256;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** What events are searched by; in the order from those that few events share to those that many do. */
public enum AuditTerm {
  /** The reference that the person or partner received. */
  REQUEST_ID,
  /** The person's id, or the name as it was typed. */
  PERSON,
  /** The OAuth client's id. */
  CLIENT,
  /** The partner, or the OAuth client. */
  PARTNER,
  /** The address of the client. */
  ADDRESS,
  REASON,
  EVENT,
  REALM;

  private static final int KNOWN = 256;

  /** Values of the last events: most events have the kind, realm and partner of one before. */
  private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(KNOWN);

  private record Known(String value, long key) {}

  /** Returns what an index has in place of a value: 64 bits of its SHA-256. */
  public long key(String value) {
    int slot = value.hashCode() & KNOWN - 1;
    @Nullable Known last = known.get(slot);
    if (last == null || !last.value().equals(value)) {
      last = new Known(value, ByteBuffer.wrap(Sha256.of(name() + ' ' + value)).getLong());
      known.set(slot, last);
    }
    return last.key();
  }
}

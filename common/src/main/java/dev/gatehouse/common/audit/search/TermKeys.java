package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.crypto.Sha256;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The keys of the values that events had last: most have the kind, realm and partner of one before. */
final class TermKeys {

  static final TermKeys LAST = new TermKeys();

  private static final int SLOTS = 1024;

  private record Known(AuditTerm term, String value, long key) {}

  private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(SLOTS);

  long key(AuditTerm term, String value) {
    int slot = Math.floorMod(31 * value.hashCode() + term.name().hashCode(), SLOTS);
    @Nullable Known last = known.get(slot);
    if (last != null && last.term() == term && last.value().equals(value)) {
      return last.key();
    }
    long key = ByteBuffer.wrap(Sha256.of(term.name() + ' ' + value)).getLong();
    known.set(slot, new Known(term, value, key));
    return key;
  }
}

package dev.gatehouse.idp.oauth;

import dev.gatehouse.idp.oauth.PendingQuota.Admission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;

/**
 * Bytes by holder, each within its share. If the total is full, the holder with the most bytes loses its oldest entry
 * in favour of one that would have fewer.
 */
final class QuotaAccount {

  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

  private record Entry(String key, String holder, int bytes, Instant expiresAt) {}

  private static final class Share {
    private final String holder;
    private final SequencedSet<Entry> entries = new LinkedHashSet<>(2);
    private long bytes;

    Share(String holder) {
      this.holder = holder;
    }
  }

  private final long maxEach;
  private final long maxInAll;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, Share> shares = new HashMap<>();
  private final TreeSet<Share> byBytes =
      new TreeSet<>(Comparator.<Share>comparingLong(share -> share.bytes).thenComparing(share -> share.holder));
  private final TreeSet<Entry> byExpiry =
      new TreeSet<>(Comparator.comparing(Entry::expiresAt).thenComparing(Entry::key));
  private long total;

  QuotaAccount(long maxEach, long maxInAll) {
    this.maxEach = maxEach;
    this.maxInAll = maxInAll;
  }

  synchronized Admission add(String key, String holder, int bytes, Instant expiresAt, Instant now) {
    while (!byExpiry.isEmpty() && !now.isBefore(byExpiry.first().expiresAt())) {
      drop(byExpiry.first());
    }
    Optional<Share> share = Optional.ofNullable(shares.get(holder));
    long mine = share.map(s -> s.bytes).orElse(0L);
    if (mine + bytes > maxEach) {
      return new Admission.Full(wait(share.map(s -> s.entries.getFirst()), now));
    }
    List<String> displaced = new ArrayList<>();
    while (total + bytes > maxInAll) {
      if (byBytes.isEmpty() || byBytes.last().bytes <= mine + bytes) {
        return new Admission.Full(wait(byExpiry.isEmpty() ? Optional.empty() : Optional.of(byExpiry.first()), now));
      }
      Entry oldest = byBytes.last().entries.getFirst();
      drop(oldest);
      displaced.add(oldest.key());
    }
    keep(new Entry(key, holder, bytes, expiresAt));
    return new Admission.Admitted(List.copyOf(displaced));
  }

  synchronized void remove(String key) {
    Optional.ofNullable(entries.get(key)).ifPresent(this::drop);
  }

  synchronized long bytes() {
    return total;
  }

  private static Duration wait(Optional<Entry> next, Instant now) {
    Duration wait = next.map(entry -> Duration.between(now, entry.expiresAt())).orElse(LEAST_WAIT);
    return wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait;
  }

  private void keep(Entry entry) {
    Share share = shares.computeIfAbsent(entry.holder(), Share::new);
    byBytes.remove(share);
    share.entries.add(entry);
    share.bytes += entry.bytes();
    byBytes.add(share);
    entries.put(entry.key(), entry);
    byExpiry.add(entry);
    total += entry.bytes();
  }

  private void drop(Entry entry) {
    entries.remove(entry.key());
    byExpiry.remove(entry);
    total -= entry.bytes();
    Share share = shares.computeIfAbsent(entry.holder(), Share::new);
    byBytes.remove(share);
    share.entries.remove(entry);
    share.bytes -= entry.bytes();
    if (share.entries.isEmpty()) {
      shares.remove(share.holder);
    } else {
      byBytes.add(share);
    }
  }
}

package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;

/** Costs by holder in the memory of this node: after a restart, earlier entries expire uncounted. */
public final class MemoryQuotaAccount implements QuotaAccount {

  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

  private record Entry(String key, String holder, int cost, Instant expiresAt) {}

  private static final class Share {
    private final String holder;
    private final SequencedSet<Entry> entries = new LinkedHashSet<>(2);
    private long cost;

    Share(String holder) {
      this.holder = holder;
    }
  }

  private final Limits limits;
  private final InstantSource time;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, Share> shares = new HashMap<>();
  private final TreeSet<Share> byCost =
      new TreeSet<>(Comparator.<Share>comparingLong(share -> share.cost).thenComparing(share -> share.holder));
  private final TreeSet<Entry> byExpiry =
      new TreeSet<>(Comparator.comparing(Entry::expiresAt).thenComparing(Entry::key));
  private long total;

  public MemoryQuotaAccount(Limits limits, InstantSource time) {
    this.limits = limits;
    this.time = time;
  }

  @Override
  public synchronized Admission enter(String key, String holder, int cost, Instant expiresAt) {
    Instant now = time.instant();
    while (!byExpiry.isEmpty() && !now.isBefore(byExpiry.first().expiresAt())) {
      drop(byExpiry.first());
    }
    Optional<Share> share = Optional.ofNullable(shares.get(holder));
    long mine = share.map(s -> s.cost).orElse(0L);
    if (mine + cost > limits.perHolder()) {
      return new Admission.Full(List.of(), wait(share.map(s -> s.entries.getFirst()), now));
    }
    List<String> displaced = new ArrayList<>();
    while (total + cost > limits.inAll()) {
      if (byCost.isEmpty() || byCost.last().cost <= mine + cost) {
        return new Admission.Full(
            List.copyOf(displaced), wait(byExpiry.isEmpty() ? Optional.empty() : Optional.of(byExpiry.first()), now));
      }
      Entry oldest = byCost.last().entries.getFirst();
      drop(oldest);
      displaced.add(oldest.key());
    }
    keep(new Entry(key, holder, cost, expiresAt));
    return new Admission.Admitted(List.copyOf(displaced));
  }

  @Override
  public synchronized boolean leave(String key) {
    Optional<Entry> entry = Optional.ofNullable(entries.get(key));
    entry.ifPresent(this::drop);
    return entry.isPresent();
  }

  /** Returns the total cost now. */
  public synchronized long total() {
    return total;
  }

  private static Duration wait(Optional<Entry> next, Instant now) {
    Duration wait = next.map(entry -> Duration.between(now, entry.expiresAt())).orElse(LEAST_WAIT);
    return wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait;
  }

  private void keep(Entry entry) {
    Share share = shares.computeIfAbsent(entry.holder(), Share::new);
    byCost.remove(share);
    share.entries.add(entry);
    share.cost += entry.cost();
    byCost.add(share);
    entries.put(entry.key(), entry);
    byExpiry.add(entry);
    total += entry.cost();
  }

  private void drop(Entry entry) {
    entries.remove(entry.key());
    byExpiry.remove(entry);
    total -= entry.cost();
    Share share = shares.computeIfAbsent(entry.holder(), Share::new);
    byCost.remove(share);
    share.entries.remove(entry);
    share.cost -= entry.cost();
    if (share.entries.isEmpty()) {
      shares.remove(share.holder);
    } else {
      byCost.add(share);
    }
  }
}

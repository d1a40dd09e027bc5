package dev.gatehouse.common.throttle;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Limits what is stored for clients that are not authenticated, per client network (an IPv6 /64 is one network) and in total. A
 * network that exceeds its share loses its own oldest entries. When the total is reached, the network with the most loses entries to
 * one that would have less; if no network has more, the new entry is refused for now. No network can therefore displace the others.
 * This class does the accounting only, in the memory of this node; the caller stores the entries.
 */
public final class FairQuota {

  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);
  private static final int NETWORK_BYTES = 8;

  /**
   * Limits, in the unit of the costs, for example bytes.
   *
   * @param perSubject maximum number of entries about one subject, whoever sent them
   */
  public record Limits(int perNetwork, int inAll, int perSubject) {
    public Limits(int perNetwork, int inAll) {
      this(perNetwork, inAll, Integer.MAX_VALUE);
    }
  }

  /**
   * A request for space.
   *
   * @param subject what the entry is about, if others may send entries about the same; empty if not
   */
  public record Claim(InetAddress client, int cost, String subject) {
    public Claim(InetAddress client, int cost) {
      this(client, cost, "");
    }

    /** Returns the network of the client: an IPv4 address, or an IPv6 /64. */
    public String network() {
      byte[] bytes = client.getAddress();
      return HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
  }

  /** The result of a request for space. */
  public sealed interface Admission {
    /** @param leaving keys of displaced and expired entries, which the caller must drop */
    record Admitted(List<String> leaving) implements Admission {}

    /**
     * There is no space.
     *
     * @param leaving keys of displaced and expired entries, which the caller must drop
     * @param retryAfter the time until there is space at the latest
     */
    record Full(List<String> leaving, Duration retryAfter) implements Admission {}
  }

  private record Entry(String key, String network, int cost, String subject, Instant expiresAt) {}

  /** The entries of one network, the oldest first. */
  private static final class Share {
    private final String network;
    private final Deque<Entry> entries = new ArrayDeque<>(2);
    private int cost;

    Share(String network) {
      this.network = network;
    }
  }

  private final Limits limits;
  private final InstantSource time;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, Share> shares = new HashMap<>();
  private final TreeSet<Share> byCost =
      new TreeSet<>(Comparator.<Share>comparingInt(share -> share.cost).thenComparing(share -> share.network));
  private final TreeSet<Entry> byExpiry = new TreeSet<>(Comparator.comparing(Entry::expiresAt).thenComparing(Entry::key));
  private final Map<String, Integer> subjects = new HashMap<>();
  private int total;

  public FairQuota(Limits limits, InstantSource time) {
    this.limits = limits;
    this.time = time;
  }

  /** Reserves space until the entry is removed or expires; replaces the entry with that key. */
  public synchronized Admission enter(String key, Claim claim, Instant expiresAt) {
    List<String> leaving = new ArrayList<>();
    Instant now = time.instant();
    while (!byExpiry.isEmpty() && !now.isBefore(byExpiry.first().expiresAt())) {
      leaving.add(remove(byExpiry.first()));
    }
    leave(key);
    if (subjects.getOrDefault(claim.subject(), 0) >= limits.perSubject()) {
      return new Admission.Full(List.copyOf(leaving), Duration.between(now, expiresAt));
    }
    String network = claim.network();
    int cost = claim.cost();
    while (costOf(network) > 0 && costOf(network) + cost > limits.perNetwork()) {
      leaving.add(remove(share(network).entries.getFirst()));
    }
    while (total + cost > limits.inAll()) {
      Optional<Share> giving = giving(network, cost);
      if (giving.isEmpty()) {
        return new Admission.Full(List.copyOf(leaving), untilRoom(now));
      }
      leaving.add(remove(giving.get().entries.getFirst()));
    }
    add(new Entry(key, network, cost, claim.subject(), expiresAt));
    return new Admission.Admitted(List.copyOf(leaving));
  }

  /** Frees the space of the entry, if it exists. */
  public synchronized void leave(String key) {
    Optional.ofNullable(entries.get(key)).ifPresent(this::remove);
  }

  /** Returns the total cost now. */
  public synchronized int total() {
    return total;
  }

  /** Returns the network with the most if it has more than this one would have; otherwise this one, if it has anything. */
  private Optional<Share> giving(String network, int cost) {
    Optional<Share> greediest =
        byCost.isEmpty() ? Optional.empty() : Optional.of(byCost.last());
    return greediest
        .filter(share -> share.cost > costOf(network) + cost)
        .or(() -> Optional.ofNullable(shares.get(network)));
  }

  private int costOf(String network) {
    return Optional.ofNullable(shares.get(network)).map(share -> share.cost).orElse(0);
  }

  private Share share(String network) {
    return shares.computeIfAbsent(network, Share::new);
  }

  private Duration untilRoom(Instant now) {
    Duration wait = byExpiry.isEmpty() ? LEAST_WAIT : Duration.between(now, byExpiry.first().expiresAt());
    return wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait;
  }

  private void add(Entry entry) {
    Share share = share(entry.network());
    byCost.remove(share);
    share.entries.addLast(entry);
    share.cost += entry.cost();
    byCost.add(share);
    entries.put(entry.key(), entry);
    byExpiry.add(entry);
    if (!entry.subject().isEmpty()) {
      subjects.merge(entry.subject(), 1, Integer::sum);
    }
    total += entry.cost();
  }

  private String remove(Entry entry) {
    entries.remove(entry.key());
    byExpiry.remove(entry);
    subjects.computeIfPresent(entry.subject(), (subject, number) -> number == 1 ? null : number - 1);
    total -= entry.cost();
    Share share = share(entry.network());
    byCost.remove(share);
    share.entries.remove(entry);
    share.cost -= entry.cost();
    if (share.entries.isEmpty()) {
      shares.remove(share.network);
    } else {
      byCost.add(share);
    }
    return entry.key();
  }
}

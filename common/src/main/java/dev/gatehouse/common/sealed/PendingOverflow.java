package dev.gatehouse.common.sealed;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Pending state that is too large for a cookie, in this node's memory and within bounds per client network (an IPv6 /64 is one) and in all. A network
 * that wants more than its share loses its own oldest. When all is full, the network that holds most gives way to one that would hold less;
 * where nobody does, the newcomer is asked to come back: nobody crowds out others.
 *
 * <p>Not in a store: whoever sends these has proved nothing, and may send them all day. A restart forgets them, and such a login begins again.
 */
public final class PendingOverflow {

  /** Of one state: more than the longest request line that is read. */
  static final int LARGEST = 64 * 1024;

  private static final int MOST_PER_NETWORK = 256 * 1024;
  private static final int MOST = 16 * 1024 * 1024;
  /** What an entry costs besides its payload. */
  private static final int ENTRY_BYTES = 512;

  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);
  private static final int NETWORK_BYTES = 8;

  private record Entry(String handle, String network, byte[] payload, Instant expiresAt) {
    int cost() {
      return payload.length + ENTRY_BYTES;
    }
  }

  /** What one network holds, oldest first. */
  private static final class Share {
    private final String network;
    private final Deque<Entry> entries = new ArrayDeque<>(2);
    private int bytes;

    Share(String network) {
      this.network = network;
    }
  }

  private final int mostPerNetwork;
  private final int most;
  private final InstantSource time;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, Share> shares = new HashMap<>();
  private final TreeSet<Share> byBytes =
      new TreeSet<>(Comparator.<Share>comparingInt(share -> share.bytes).thenComparing(share -> share.network));
  private final TreeSet<Entry> byExpiry =
      new TreeSet<>(Comparator.comparing(Entry::expiresAt).thenComparing(Entry::handle));
  private int total;

  public PendingOverflow(InstantSource time) {
    this(time, MOST_PER_NETWORK, MOST);
  }

  PendingOverflow(InstantSource time, int mostPerNetwork, int most) {
    this.time = time;
    this.mostPerNetwork = mostPerNetwork;
    this.most = most;
  }

  /**
   * Holds it under that handle, in place of what was held there.
   *
   * @param handle not to be guessed
   * @return how long to wait before there is room; empty where it is held
   */
  synchronized Optional<Duration> put(String handle, InetAddress client, byte[] payload, Instant expiresAt) {
    Instant now = time.instant();
    sweep(now);
    drop(handle);
    Entry entry = new Entry(handle, network(client), payload, expiresAt);
    Share mine = shares.getOrDefault(entry.network(), new Share(entry.network()));
    while (!mine.entries.isEmpty() && mine.bytes + entry.cost() > mostPerNetwork) {
      remove(mine.entries.getFirst());
    }
    while (total + entry.cost() > most) {
      if (byBytes.isEmpty() || byBytes.last() != mine && byBytes.last().bytes <= mine.bytes + entry.cost()) {
        return Optional.of(untilRoom(now));
      }
      remove(byBytes.last().entries.getFirst());
    }
    add(entry);
    return Optional.empty();
  }

  synchronized Optional<byte[]> get(String handle) {
    return Optional.ofNullable(entries.get(handle))
        .filter(entry -> time.instant().isBefore(entry.expiresAt()))
        .map(Entry::payload);
  }

  synchronized void drop(String handle) {
    Optional.ofNullable(entries.get(handle)).ifPresent(this::remove);
  }

  /** Bytes that are accounted for now. */
  public synchronized int bytes() {
    return total;
  }

  private Duration untilRoom(Instant now) {
    Duration wait = byExpiry.isEmpty() ? LEAST_WAIT : Duration.between(now, byExpiry.first().expiresAt());
    return wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait;
  }

  private void sweep(Instant now) {
    while (!byExpiry.isEmpty() && !now.isBefore(byExpiry.first().expiresAt())) {
      remove(byExpiry.first());
    }
  }

  private void add(Entry entry) {
    Share share = shares.computeIfAbsent(entry.network(), Share::new);
    byBytes.remove(share);
    share.entries.addLast(entry);
    share.bytes += entry.cost();
    byBytes.add(share);
    entries.put(entry.handle(), entry);
    byExpiry.add(entry);
    total += entry.cost();
  }

  private void remove(Entry entry) {
    entries.remove(entry.handle());
    byExpiry.remove(entry);
    total -= entry.cost();
    Share share = shares.computeIfAbsent(entry.network(), Share::new);
    byBytes.remove(share);
    share.entries.remove(entry);
    share.bytes -= entry.cost();
    if (share.entries.isEmpty()) {
      shares.remove(share.network);
    } else {
      byBytes.add(share);
    }
  }

  private static String network(InetAddress client) {
    byte[] bytes = client.getAddress();
    return HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}

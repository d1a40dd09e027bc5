package dev.gatehouse.sp.edge;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Limits the entries that wait in a store, per client address (an IPv6 /64 counts as one address) or per other key, and
 * in total. An entry leaves when the caller removes it, or by itself at the end of its life.
 */
public final class PerAddressQuota {

  private final int maxPerAddress;
  private final int most;
  private final Duration life;
  private final InstantSource time;
  private final Map<String, ArrayDeque<Instant>> ends = new HashMap<>();
  private int total;

  public PerAddressQuota(int maxPerAddress, int most, Duration life, InstantSource time) {
    this.maxPerAddress = maxPerAddress;
    this.most = most;
    this.life = life;
    this.time = time;
  }

  /** Takes a place. Returns false if none is free. */
  public boolean enter(InetAddress client) {
    return enter(block(client));
  }

  public synchronized boolean enter(String key) {
    Instant now = time.instant();
    if (total >= most) {
      ends.values().forEach(queue -> expire(queue, now));
      ends.values().removeIf(ArrayDeque::isEmpty);
    }
    if (total >= most) {
      return false;
    }
    ArrayDeque<Instant> mine = ends.computeIfAbsent(key, k -> new ArrayDeque<>(2));
    expire(mine, now);
    if (mine.size() >= maxPerAddress) {
      return false;
    }
    mine.addLast(now.plus(life));
    total++;
    return true;
  }

  /** Returns a place. */
  public void leave(InetAddress client) {
    leave(block(client));
  }

  public synchronized void leave(String key) {
    ArrayDeque<Instant> mine = ends.get(key);
    if (mine != null && mine.pollFirst() != null) {
      total--;
    }
    if (mine != null && mine.isEmpty()) {
      ends.remove(key);
    }
  }

  private void expire(ArrayDeque<Instant> queue, Instant now) {
    while (!queue.isEmpty() && !now.isBefore(queue.getFirst())) {
      queue.removeFirst();
      total--;
    }
  }

  private static String block(InetAddress client) {
    byte[] address = client.getAddress();
    return HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(address, 8) : address);
  }
}

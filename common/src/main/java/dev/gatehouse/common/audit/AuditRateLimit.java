package dev.gatehouse.common.audit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the number of refusals of anonymous requests in the audit log. Each is worth an event, but scanners send them endlessly, and a
 * full audit log stops every login. A certain rate per address and in total is written; others are counted. Refusals of identified
 * people are always written. Where somebody known passes on what strangers type, the same rates count apart from those of addresses:
 * neither kind can use up what the other one has.
 */
public final class AuditRateLimit {

  private static final double BURST = 500;
  private static final double PER_SECOND = 1;
  private static final double BURST_OF_ALL = 2000;
  private static final double PER_SECOND_OF_ALL = 10;
  private static final int MAX_CLIENTS = 10_000;
  private static final double NANOS = 1e9;

  /** The number of events that may be written now; it grows with time. */
  private static final class Allowance {
    private final double burst;
    private final double perSecond;
    private double left;
    private Instant at;

    Allowance(double burst, double perSecond, Instant now) {
      this.burst = burst;
      this.perSecond = perSecond;
      this.left = burst;
      this.at = now;
    }

    /** Looks at nanoseconds: whole milliseconds would be none where thousands of refusals come in a second. */
    boolean isLeft(Instant now) {
      double seconds = Math.max(0, Duration.between(at, now).toNanos() / NANOS);
      left = Math.min(burst, left + seconds * perSecond);
      at = now;
      return left >= 1;
    }
  }

  /** What each client of one kind, and all of them together, may still cause. */
  private static final class Clients<K> {
    private final InstantSource time;
    private final Allowance all;
    private final Map<K, Allowance> each =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Allowance> eldest) {
            return size() > MAX_CLIENTS;
          }
        };

    Clients(InstantSource time) {
      this.time = time;
      this.all = new Allowance(BURST_OF_ALL, PER_SECOND_OF_ALL, time.instant());
    }

    synchronized boolean take(K client) {
      Instant now = time.instant();
      Allowance own = each.computeIfAbsent(client, c -> new Allowance(BURST, PER_SECOND, now));
      if (!own.isLeft(now) || !all.isLeft(now)) {
        return false;
      }
      own.left--;
      all.left--;
      return true;
    }
  }

  private record Known(String realm, String name) {}

  private final Clients<InetAddress> networks;
  private final Clients<Known> known;

  public AuditRateLimit(InstantSource time) {
    this.networks = new Clients<>(time);
    this.known = new Clients<>(time);
  }

  /** Returns whether one more refusal of that client is written. */
  public boolean admits(InetAddress client) {
    return networks.take(network(client));
  }

  /**
   * The same for somebody who has proved who they are, but who passes on what strangers type, or was never let in.
   *
   * @param name in the realm, with its kind before it
   */
  public boolean admits(String realm, String name) {
    return known.take(new Known(realm, name));
  }

  /** Returns the client's network: a client with an IPv6 address controls its whole /64. */
  private static InetAddress network(InetAddress client) {
    if (!(client instanceof Inet6Address)) {
      return client;
    }
    byte[] bytes = client.getAddress();
    Arrays.fill(bytes, 8, 16, (byte) 0);
    try {
      return InetAddress.getByAddress(bytes);
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}

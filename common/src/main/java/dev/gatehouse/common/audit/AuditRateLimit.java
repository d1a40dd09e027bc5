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
 * people are always written.
 */
public final class AuditRateLimit {

  private static final double BURST = 500;
  private static final double PER_SECOND = 1;
  private static final double BURST_OF_ALL = 2000;
  private static final double PER_SECOND_OF_ALL = 10;
  private static final int MAX_CLIENTS = 10_000;

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

    boolean isLeft(Instant now) {
      double seconds = Math.max(0, Duration.between(at, now).toMillis() / 1000.0);
      left = Math.min(burst, left + seconds * perSecond);
      at = now;
      return left >= 1;
    }
  }

  private final InstantSource time;
  private final Allowance all;
  private final Map<Object, Allowance> byClient =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Allowance> eldest) {
          return size() > MAX_CLIENTS;
        }
      };

  public AuditRateLimit(InstantSource time) {
    this.time = time;
    this.all = new Allowance(BURST_OF_ALL, PER_SECOND_OF_ALL, time.instant());
  }

  /** Returns whether one more refusal of that client is written. */
  public boolean admits(InetAddress client) {
    return take(network(client));
  }

  /** The same for a known program that passes on what strangers type, and does not say where they are. */
  public boolean admits(String program) {
    return take(program);
  }

  private synchronized boolean take(Object client) {
    Instant now = time.instant();
    Allowance own = byClient.computeIfAbsent(client, c -> new Allowance(BURST, PER_SECOND, now));
    if (!own.isLeft(now) || !all.isLeft(now)) {
      return false;
    }
    own.left--;
    all.left--;
    return true;
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

package dev.gatehouse.gateway.traffic;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.gatehouse.common.realm.TrafficConfig;
import dev.gatehouse.common.realm.TrafficConfig.Rate;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * The request rates of routes: a token bucket per client address, person and route. Buckets are dropped an hour after
 * their last use, when they are full again, and their number is limited; a sender with more addresses than that is
 * still limited by the route's own rate.
 *
 * <p>Each of several nodes admits its share of a rate: a counter for all of them would be one question per request to a shared store.
 */
public final class Rates {

  /** A bucket needs a few hundred bytes. */
  private static final int MAX_BUCKETS = 100_000;

  /** Slightly longer than the longest period of a rate. */
  private static final Duration RETENTION = Duration.ofMinutes(61);

  private static final String ALL = "all";

  /** The key of a bucket. It contains the rate and its share, so that a changed configuration or number of nodes takes effect at once. */
  private record Key(String realm, String route, Object whose, Rate rate, int nodes) {}

  private final Cache<Key, Bucket> buckets;
  private final TimeMeter meter;
  private final IntSupplier nodes;

  public Rates() {
    this(System::nanoTime, () -> 1);
  }

  /** @param nodes how many nodes serve apps now: each admits its share */
  public Rates(IntSupplier nodes) {
    this(System::nanoTime, nodes);
  }

  /** @param nanos as {@link System#nanoTime} */
  Rates(Ticker nanos, IntSupplier nodes) {
    this.nodes = nodes;
    this.buckets =
        Caffeine.newBuilder().maximumSize(MAX_BUCKETS).expireAfterAccess(RETENTION).ticker(nanos).executor(Runnable::run).build();
    this.meter =
        new TimeMeter() {
          @Override
          public long currentTimeNanos() {
            return nanos.read();
          }

          @Override
          public boolean isWallClockBased() {
            return false;
          }
        };
  }

  /** Counts a request from an address to the route; returns how long to wait if it is above the rate. */
  public Optional<Duration> arrived(String realm, String route, TrafficConfig limits, InetAddress client) {
    if (limits.perAddress().isEmpty() && limits.perRoute().isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> wait =
        limits.perAddress().flatMap(rate -> take(new Key(realm, route, AddressBlock.of(client), rate, nodes.getAsInt())));
    return wait.isPresent() ? wait : limits.perRoute().flatMap(rate -> take(new Key(realm, route, ALL, rate, nodes.getAsInt())));
  }

  /** Counts a request of a person; returns how long to wait if it is above the rate. */
  public Optional<Duration> asked(String realm, String route, TrafficConfig limits, String person) {
    return limits.perPerson().flatMap(rate -> take(new Key(realm, route, person, rate, nodes.getAsInt())));
  }

  private Optional<Duration> take(Key key) {
    ConsumptionProbe probe = buckets.get(key, this::full).tryConsumeAndReturnRemaining(1);
    return probe.isConsumed() ? Optional.empty() : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
  }

  private static long share(long burst, int nodes) {
    return Math.ceilDiv(burst, nodes);
  }

  private Bucket full(Key key) {
    Rate rate = key.rate();
    return Bucket.builder()
        .withCustomTimePrecision(meter)
        .addLimit(limit -> limit.capacity(share(rate.burst(), key.nodes())).refillGreedy(rate.requests(), rate.per().multipliedBy(key.nodes())))
        .build();
  }
}

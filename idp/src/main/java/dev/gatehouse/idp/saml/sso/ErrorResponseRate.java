package dev.gatehouse.idp.saml.sso;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the Responses with an error status per client network (an IPv6 /64 is one network) while nobody is logged in
 * at the browser. Service providers, including ours, accept only signed Responses (SAML Profiles 4.1.4.2), so without a
 * limit anyone could make us compute signatures all day.
 */
final class ErrorResponseRate {

  /** Enough for a large office whose pages send requests with IsPassive: five per second. */
  private static final int MAX = 300;

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int NETWORK_BYTES = 8;
  private static final int MAX_NETWORKS = 100_000;

  private record Window(Instant until, AtomicInteger count) {}

  private final Refusals refusals;
  private final InstantSource clock;
  private final Cache<String, Window> windows =
      Caffeine.newBuilder().maximumSize(MAX_NETWORKS).expireAfterWrite(WINDOW.multipliedBy(2)).executor(Runnable::run).build();

  ErrorResponseRate(Refusals refusals, InstantSource clock) {
    this.refusals = refusals;
    this.clock = clock;
  }

  /** Returns the error reply if the client's network has used its share; otherwise counts the request. */
  Optional<EdgeReply> refused(RealmRequest request) {
    Instant now = clock.instant();
    Window window =
        windows
            .asMap()
            .compute(
                network(request.http().client()),
                (network, before) ->
                    before == null || !now.isBefore(before.until())
                        ? new Window(now.plus(WINDOW), new AtomicInteger())
                        : before);
    if (window.count().incrementAndGet() <= MAX) {
      return Optional.empty();
    }
    long seconds = Math.max(1, Duration.between(now, window.until()).toSeconds());
    return Optional.of(
        refusals.page(request, 429, "too-many-from-network", "STATUS_RATE_EXCEEDED").with("Retry-After", Long.toString(seconds)));
  }

  private static String network(InetAddress client) {
    byte[] bytes = client.getAddress();
    return HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}

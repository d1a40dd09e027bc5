package dev.gatehouse.idp.saml.sso;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many sign-ons may wait at once, by address (IPv6: one /64) and in all. Counted in memory: after a restart those from
 * before expire unseen.
 */
public final class PendingLimit {

  private final int perAddress;
  private final int inAll;
  private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
  private final Cache<String, String> addresses;

  /** Enough for the people of a large office behind one address; in all about 200 MB on disk at worst. */
  public PendingLimit(InstantSource clock) {
    this(2_000, 200_000, PendingSignOns.LIFE, clock);
  }

  PendingLimit(int perAddress, int inAll, Duration life, InstantSource clock) {
    this.perAddress = perAddress;
    this.inAll = inAll;
    Ticker ticker = () -> Duration.between(java.time.Instant.EPOCH, clock.instant()).toNanos();
    this.addresses =
        Caffeine.newBuilder()
            .expireAfterWrite(life)
            .ticker(ticker)
            .executor(Runnable::run)
            .<String, String>removalListener(
                (key, address, cause) -> {
                  if (address != null) {
                    counts.computeIfPresent(address, (a, n) -> n > 1 ? n - 1 : null);
                  }
                })
            .build();
  }

  boolean admit(String key, InetAddress client) {
    String address = block(client);
    if (addresses.estimatedSize() >= inAll || counts.getOrDefault(address, 0) >= perAddress) {
      addresses.cleanUp();
    }
    if (addresses.estimatedSize() >= inAll) {
      return false;
    }
    if (counts.merge(address, 1, Integer::sum) > perAddress) {
      counts.computeIfPresent(address, (a, n) -> n > 1 ? n - 1 : null);
      return false;
    }
    addresses.put(key, address);
    return true;
  }

  void release(String key) {
    addresses.invalidate(key);
  }

  private static String block(InetAddress client) {
    byte[] bytes = client.getAddress();
    return HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(bytes, 8) : bytes);
  }
}

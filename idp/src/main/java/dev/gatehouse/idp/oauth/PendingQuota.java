package dev.gatehouse.idp.oauth;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Limits the data stored for clients that wait for a person: pushed requests and device codes. An authenticated client
 * has a share of its own; unauthenticated ones share by network (an IPv6 /64 is one network), so that nobody can
 * displace another's entries. Counted in memory: after a restart, earlier entries expire uncounted.
 */
public final class PendingQuota {

  /**
   * The holder of a share.
   *
   * @param proved whether it is an authenticated client; otherwise it is a network
   */
  public record Holder(String name, boolean proved) {

    public static Holder client(String realm, String clientId) {
      return new Holder(realm + "\n" + clientId, true);
    }

    public static Holder network(InetAddress client) {
      byte[] bytes = client.getAddress();
      return new Holder(
          HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes), false);
    }
  }

  /** The result of {@link #admit}. */
  public sealed interface Admission {
    /** @param displaced keys of other holders' entries that were displaced: they must be removed from the store */
    record Admitted(List<String> displaced) implements Admission {}

    /** @param retryAfter the time after which there may be space again */
    record Full(Duration retryAfter) implements Admission {}
  }

  private static final int NETWORK_BYTES = 8;
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  /** The cost of an entry besides its bytes: keys, tombstones. */
  private static final int ENTRY_BYTES = 512;

  private final InstantSource clock;
  private final QuotaAccount networks;
  private final QuotaAccount clients;

  /** A network may have some hundred typical requests at the same time, an authenticated client some ten thousand. */
  public PendingQuota(InstantSource clock) {
    this(clock, new QuotaAccount(512 * KIB, 64L * MIB), new QuotaAccount(32 * MIB, 256L * MIB));
  }

  PendingQuota(InstantSource clock, QuotaAccount networks, QuotaAccount clients) {
    this.clock = clock;
    this.networks = networks;
    this.clients = clients;
  }

  /**
   * @param key for {@link #release}
   * @param bytes size of the stored data
   */
  public Admission admit(String key, Holder holder, int bytes, Instant expiresAt) {
    return (holder.proved() ? clients : networks)
        .add(key, holder.name(), bytes + ENTRY_BYTES, expiresAt, clock.instant());
  }

  /** The entry was removed from the store, or was answered. */
  public void release(String key) {
    networks.remove(key);
    clients.remove(key);
  }

  /** The bytes that are currently counted. */
  public long bytes() {
    return networks.bytes() + clients.bytes();
  }

  /** The value for the header {@code Retry-After}. */
  public static String seconds(Duration retryAfter) {
    return Long.toString(Math.max(1, retryAfter.toSeconds()));
  }
}

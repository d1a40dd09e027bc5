package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.QuotaAccount;
import dev.gatehouse.common.throttle.QuotaAccount.Admission;
import dev.gatehouse.common.throttle.QuotaAccount.Limits;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Limits the data stored for clients that wait for a person: pushed requests and device codes. An authenticated client
 * has a share of its own; unauthenticated ones share by network (an IPv6 /64 is one network), so that nobody can
 * displace another's entries. With shared storage both count for all nodes; in the memory of one node, entries from before a restart expire
 * uncounted.
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

  private static final int NETWORK_BYTES = 8;
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  /** The cost of an entry besides its bytes: keys, tombstones. */
  private static final int ENTRY_BYTES = 512;

  private final QuotaAccount networks;
  private final QuotaAccount clients;

  /**
   * A network may have some hundred typical requests at the same time, an authenticated client some ten thousand.
   *
   * @param name of what is stored
   */
  public PendingQuota(Stores stores, String name, InstantSource clock) {
    this(
        stores.account(name + "-networks", new Limits(512 * KIB, 64 * MIB), clock),
        stores.account(name + "-clients", new Limits(32 * MIB, 256 * MIB), clock));
  }

  PendingQuota(QuotaAccount networks, QuotaAccount clients) {
    this.networks = networks;
    this.clients = clients;
  }

  /**
   * @param key for {@link #release}; others may read it
   * @param bytes size of the stored data
   */
  public Admission admit(String key, Holder holder, int bytes, Instant expiresAt) {
    return (holder.proved() ? clients : networks).enter(key, holder.name(), bytes + ENTRY_BYTES, expiresAt);
  }

  /** The entry was removed from the store, or was answered. */
  public void release(String key) {
    if (!clients.leave(key)) {
      networks.leave(key);
    }
  }

  /** The value for the header {@code Retry-After}. */
  public static String seconds(Duration retryAfter) {
    return Long.toString(Math.max(1, retryAfter.toSeconds()));
  }
}

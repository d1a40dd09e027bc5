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
 * How much is stored for clients that wait for a person: pushed requests, device codes. A client that proved who it is has a share of
 * its own; those that prove nothing share by network (an IPv6 /64 is one), so that none takes the place of another. Counted in memory:
 * after a restart, what was stored before expires uncounted.
 */
public final class PendingQuota {

  /** Whose share counts. @param proved whether it is a client's own; else that of all who come from a network */
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

  /** The outcome of {@link #admit}. */
  public sealed interface Admission {
    /** @param displaced keys of others that gave way: they are not stored any more */
    record Admitted(List<String> displaced) implements Admission {}

    /** @param retryAfter when there may be room again */
    record Full(Duration retryAfter) implements Admission {}
  }

  private static final int NETWORK_BYTES = 8;
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  /** What one costs besides its bytes: keys, tombstones. */
  private static final int ENTRY_BYTES = 512;

  private final InstantSource clock;
  private final QuotaAccount networks;
  private final QuotaAccount clients;

  /** For a network some hundred usual requests at the same time; for a client that authenticates some ten thousand. */
  public PendingQuota(InstantSource clock) {
    this(clock, new QuotaAccount(512 * KIB, 64L * MIB), new QuotaAccount(32 * MIB, 256L * MIB));
  }

  PendingQuota(InstantSource clock, QuotaAccount networks, QuotaAccount clients) {
    this.clock = clock;
    this.networks = networks;
    this.clients = clients;
  }

  /** @param key names it for {@link #release}; @param bytes that are stored */
  public Admission admit(String key, Holder holder, int bytes, Instant expiresAt) {
    return (holder.proved() ? clients : networks)
        .add(key, holder.name(), bytes + ENTRY_BYTES, expiresAt, clock.instant());
  }

  /** It is not stored any more, or was answered. */
  public void release(String key) {
    networks.remove(key);
    clients.remove(key);
  }

  /** What is counted now. */
  public long bytes() {
    return networks.bytes() + clients.bytes();
  }

  /** For the header {@code Retry-After}. */
  public static String seconds(Duration retryAfter) {
    return Long.toString(Math.max(1, retryAfter.toSeconds()));
  }
}

package dev.gatehouse.common.sealed;

import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.common.throttle.FairQuota.Admission;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Pending state that is too large for a cookie, in this node's memory and within the bounds of a {@link FairQuota}. Not in a store: who sends
 * these has proved nothing, and may send them all day. A restart forgets them, and such a login begins again.
 */
public final class PendingOverflow {

  /** Of one state: more than the longest request line that is read. */
  static final int LARGEST = 64 * 1024;

  private static final int MOST_PER_NETWORK = 256 * 1024;
  private static final int MOST = 16 * 1024 * 1024;
  /** What an entry costs besides its payload. */
  private static final int ENTRY_BYTES = 512;

  private record Held(byte[] payload, Instant expiresAt) {}

  private final FairQuota bound;
  private final InstantSource time;
  private final Map<String, Held> held = new HashMap<>();

  public PendingOverflow(InstantSource time) {
    this(time, MOST_PER_NETWORK, MOST);
  }

  PendingOverflow(InstantSource time, int mostPerNetwork, int most) {
    this.bound = new FairQuota(mostPerNetwork, most, time);
    this.time = time;
  }

  /**
   * Holds it under that handle, in place of what was held there.
   *
   * @param handle not to be guessed
   * @return how long to wait before there is room; empty where it is held
   */
  synchronized Optional<Duration> put(String handle, InetAddress client, byte[] payload, Instant expiresAt) {
    held.remove(handle);
    return switch (bound.enter(handle, client, payload.length + ENTRY_BYTES, expiresAt)) {
      case Admission.Full(var leaving, Duration retryAfter) -> {
        leaving.forEach(held::remove);
        yield Optional.of(retryAfter);
      }
      case Admission.Admitted(var leaving) -> {
        leaving.forEach(held::remove);
        held.put(handle, new Held(payload, expiresAt));
        yield Optional.empty();
      }
    };
  }

  synchronized Optional<byte[]> get(String handle) {
    return Optional.ofNullable(held.get(handle))
        .filter(entry -> time.instant().isBefore(entry.expiresAt()))
        .map(Held::payload);
  }

  synchronized void drop(String handle) {
    held.remove(handle);
    bound.leave(handle);
  }

  /** Bytes that are accounted for now. */
  public int bytes() {
    return bound.total();
  }
}

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
 * Stores pending state that is too large for a cookie in this node's memory, within the limits of a {@link FairQuota}. It is not in
 * a store, because its senders are not authenticated and may send it endlessly. A restart loses it, and such a login begins again.
 */
public final class PendingOverflow {

  /** Largest state: more than the longest accepted request line. */
  static final int LARGEST = 64 * 1024;

  private static final int MAX_PER_NETWORK = 256 * 1024;
  private static final int MAX = 16 * 1024 * 1024;
  /** Memory of an entry besides its payload. */
  private static final int ENTRY_BYTES = 512;

  private record Held(byte[] payload, Instant expiresAt) {}

  private final FairQuota bound;
  private final InstantSource time;
  private final Map<String, Held> held = new HashMap<>();

  public PendingOverflow(InstantSource time) {
    this(time, MAX_PER_NETWORK, MAX);
  }

  PendingOverflow(InstantSource time, int maxPerNetwork, int most) {
    this.bound = new FairQuota(maxPerNetwork, most, time);
    this.time = time;
  }

  /**
   * Stores the payload under that handle; replaces an earlier one.
   *
   * @param handle must not be guessable
   * @return how long to wait until there is space; empty if it was stored
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

  /** Returns the bytes in use now. */
  public int bytes() {
    return bound.total();
  }
}

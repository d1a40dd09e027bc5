package dev.gatehouse.common.sealed;

import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.common.throttle.FairQuota.Admission;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.List;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Stores pending state that is too large for a cookie in this node's memory, within the limits of a {@link FairQuota}. It is not on
 * disk, because its senders are not authenticated and may send it endlessly. A restart loses it, and such a login begins again. Where
 * several nodes share their stores it is there, because the next request may go to another node; each node limits what it puts there.
 */
public final class PendingOverflow {

  /** Largest state: more than the longest accepted request line. */
  static final int LARGEST = 64 * 1024;

  private static final int MAX_PER_NETWORK = 256 * 1024;
  private static final int MAX = 16 * 1024 * 1024;
  /** Memory of an entry besides its payload. */
  private static final int ENTRY_BYTES = 512;

  /** Values are sealed already. */
  private static final class Codec implements ValueCodec<byte[]> {
    private static final byte VERSION = 1;

    @Override
    public byte[] encode(byte[] value) {
      byte[] encoded = new byte[value.length + 1];
      encoded[0] = VERSION;
      System.arraycopy(value, 0, encoded, 1, value.length);
      return encoded;
    }

    @Override
    public byte[] decode(byte[] bytes) {
      if (bytes.length == 0 || bytes[0] != VERSION) {
        throw new IllegalArgumentException("unknown version");
      }
      return Arrays.copyOfRange(bytes, 1, bytes.length);
    }
  }

  private record Held(byte[] payload, Instant expiresAt) {}

  private final FairQuota bound;
  private final InstantSource time;
  private final Map<String, Held> held = new HashMap<>();
  private final Optional<SingleUseStore<byte[]>> shared;

  public PendingOverflow(InstantSource time) {
    this(time, MAX_PER_NETWORK, MAX);
  }

  /** @param name of the store, if there is one that several nodes share */
  public PendingOverflow(InstantSource time, Stores stores, String name) {
    this(time, MAX_PER_NETWORK, MAX, stores.singleUseIfShared(name, new Codec()));
  }

  PendingOverflow(InstantSource time, int maxPerNetwork, int most) {
    this(time, maxPerNetwork, most, Optional.empty());
  }

  private PendingOverflow(InstantSource time, int maxPerNetwork, int most, Optional<SingleUseStore<byte[]>> shared) {
    this.shared = shared;
    this.bound = new FairQuota(maxPerNetwork, most, time);
    this.time = time;
  }

  /**
   * Stores the payload under that handle; replaces an earlier one.
   *
   * @param handle must not be guessable
   * @return how long to wait until there is space; empty if it was stored
   */
  Optional<Duration> put(String handle, InetAddress client, byte[] payload, Instant expiresAt) {
    List<String> displaced = new ArrayList<>();
    Optional<Duration> wait = hold(handle, client, payload, expiresAt, displaced);
    shared.ifPresent(
        store -> {
          displaced.forEach(store::discard);
          if (wait.isEmpty()) {
            store.replace(handle, payload, expiresAt);
          }
        });
    return wait;
  }

  private synchronized Optional<Duration> hold(
      String handle, InetAddress client, byte[] payload, Instant expiresAt, List<String> displaced) {
    held.remove(handle);
    return switch (bound.enter(handle, client, payload.length + ENTRY_BYTES, expiresAt)) {
      case Admission.Full(var leaving, Duration retryAfter) -> {
        leaving.forEach(held::remove);
        displaced.addAll(leaving);
        yield Optional.of(retryAfter);
      }
      case Admission.Admitted(var leaving) -> {
        leaving.forEach(held::remove);
        displaced.addAll(leaving);
        if (shared.isEmpty()) {
          held.put(handle, new Held(payload, expiresAt));
        }
        yield Optional.empty();
      }
    };
  }

  Optional<byte[]> get(String handle) {
    return shared.isPresent() ? shared.get().peek(handle) : ofThisNode(handle);
  }

  private synchronized Optional<byte[]> ofThisNode(String handle) {
    return Optional.ofNullable(held.get(handle))
        .filter(entry -> time.instant().isBefore(entry.expiresAt()))
        .map(Held::payload);
  }

  void drop(String handle) {
    forget(handle);
    shared.ifPresent(store -> store.discard(handle));
  }

  private synchronized void forget(String handle) {
    held.remove(handle);
    bound.leave(handle);
  }

  /** Returns the bytes in use now. */
  public int bytes() {
    return bound.total();
  }
}

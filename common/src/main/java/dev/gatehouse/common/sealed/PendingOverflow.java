package dev.gatehouse.common.sealed;

import dev.gatehouse.common.store.LimitedStore;
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
import java.util.Optional;

/**
 * Stores pending state that is too large for a cookie in this node's memory, within the limits of a {@link FairQuota}. It is not on
 * disk, because its senders are not authenticated and may send it endlessly. A restart loses it, and such a login begins again. Where
 * several nodes share their stores it is there, because the next request may go to another node, and limited for all of them together.
 */
public final class PendingOverflow {

  /** Largest state: more than the longest accepted request line. */
  static final int LARGEST = 64 * 1024;

  private static final FairQuota.Limits LIMITS = new FairQuota.Limits(256 * 1024, 16 * 1024 * 1024);
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
  private final Optional<LimitedStore<byte[]>> shared;

  public PendingOverflow(InstantSource time) {
    this(time, LIMITS);
  }

  /** @param name of the store, if there is one that several nodes share */
  public PendingOverflow(InstantSource time, Stores stores, String name) {
    this(time, LIMITS, stores.limitedIfShared(name, new Codec(), LIMITS));
  }

  PendingOverflow(InstantSource time, FairQuota.Limits limits) {
    this(time, limits, Optional.empty());
  }

  private PendingOverflow(InstantSource time, FairQuota.Limits limits, Optional<LimitedStore<byte[]>> shared) {
    this.shared = shared;
    this.bound = new FairQuota(limits, time);
    this.time = time;
  }

  /**
   * Stores the payload under that handle; replaces an earlier one.
   *
   * @param handle must not be guessable
   * @return how long to wait until there is space; empty if it was stored
   */
  Optional<Duration> put(String handle, InetAddress client, byte[] payload, Instant expiresAt) {
    FairQuota.Claim claim = new FairQuota.Claim(client, payload.length + ENTRY_BYTES);
    return shared.isPresent()
        ? shared.get().putWithin(handle, claim, payload, expiresAt)
        : hold(handle, claim, payload, expiresAt);
  }

  private synchronized Optional<Duration> hold(String handle, FairQuota.Claim claim, byte[] payload, Instant expiresAt) {
    held.remove(handle);
    return switch (bound.enter(handle, claim, expiresAt)) {
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

  Optional<byte[]> get(String handle) {
    return shared.isPresent() ? shared.get().peek(handle) : ofThisNode(handle);
  }

  private synchronized Optional<byte[]> ofThisNode(String handle) {
    return Optional.ofNullable(held.get(handle))
        .filter(entry -> time.instant().isBefore(entry.expiresAt()))
        .map(Held::payload);
  }

  void drop(String handle) {
    shared.ifPresentOrElse(store -> store.discard(handle), () -> forget(handle));
  }

  private synchronized void forget(String handle) {
    held.remove(handle);
    bound.leave(handle);
  }

  /** Returns the bytes of this node's memory that are in use now. */
  public int bytes() {
    return bound.total();
  }
}

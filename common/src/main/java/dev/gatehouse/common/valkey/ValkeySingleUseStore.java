package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.store.UnknownFormat;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.wait.Stripes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores values for one use in Valkey. In clear are a byte that tells whether the value was taken, its version and its expiry; the sealed
 * value, or the time when it was taken, follows.
 */
class ValkeySingleUseStore<V> implements SingleUseStore<V> {

  static final int HEAD = 1 + 2 * Long.BYTES;
  private static final byte HELD = 0;
  private static final long TAKEN = 2;

  final ValkeyLink link;
  final String store;
  final InstantSource time;
  private final ValueCodec<V> codec;
  private final Stripes locks = new Stripes();

  ValkeySingleUseStore(ValkeyLink link, String name, InstantSource time, ValueCodec<V> codec) {
    this.link = link;
    this.store = "u:" + name;
    this.time = time;
    this.codec = codec;
  }

  @Override
  public void put(String key, V value, Instant expiresAt) {
    if (!store(Script.SINGLE_USE_PUT, key, value, expiresAt)) {
      throw new IllegalStateException("The key exists or was taken");
    }
  }

  @Override
  public boolean replace(String key, V value, Instant expiresAt) {
    return store(Script.SINGLE_USE_REPLACE, key, value, expiresAt);
  }

  private boolean store(Script script, String key, V value, Instant expiresAt) {
    String name = link.names().hash(store, key);
    return link.write(
            script,
            keys(name),
            Names.digits(time.instant()),
            sealed(name, value, expiresAt),
            Names.digits(expiresAt),
            link.names().prefix())
        .isDone();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The change is on the server at once, for all nodes; only its acknowledgement is not waited for.
   */
  @Override
  public void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt) {
    String name = link.names().hash(store, key);
    ReentrantLock lock = locks.of(name);
    lock.lock();
    try {
      long result;
      do {
        result = changed(name, change, expiresAt);
      } while (result == 0);
    } finally {
      lock.unlock();
    }
  }

  private long changed(String name, Function<Optional<V>, V> change, Instant expiresAt) {
    Instant now = time.instant();
    Optional<byte[]> before = read(name).filter(bytes -> now.isBefore(expiry(bytes)));
    if (before.isPresent() && isTaken(before.get())) {
      return TAKEN;
    }
    long version = before.map(bytes -> ByteBuffer.wrap(bytes).getLong(1)).orElse(0L);
    V value = change.apply(before.flatMap(bytes -> opened(name, bytes)));
    return link.run(
            Script.SINGLE_USE_CHANGE,
            keys(name),
            Names.digits(now),
            sealed(name, version + 1, value, expiresAt),
            Names.digits(expiresAt),
            link.names().prefix(),
            before.map(bytes -> Names.number(version)).orElseGet(() -> new byte[0]))
        .number(0);
  }

  @Override
  public TakeResult<V> take(String key) {
    String name = link.names().hash(store, key);
    Instant now = time.instant();
    return taken(name, link.write(Script.SINGLE_USE_TAKE, keys(name), Names.digits(now), Names.number(now.toEpochMilli())));
  }

  /** Reads the reply of a script that takes the value. */
  final TakeResult<V> taken(String name, Reply reply) {
    if (reply.isDone()) {
      // A value that cannot be opened was not ours; it counts as absent, and is gone.
      return opened(name, reply.bytes(1)).<TakeResult<V>>map(TakeResult.First::new).orElseGet(TakeResult.Absent::new);
    }
    return reply.number(0) == TAKEN
        ? new TakeResult.Replayed<>(Instant.ofEpochMilli(ByteBuffer.wrap(reply.bytes(1)).getLong()))
        : new TakeResult.Absent<>();
  }

  @Override
  public Optional<V> peek(String key) {
    String name = link.names().hash(store, key);
    return read(name)
        .filter(bytes -> !isTaken(bytes) && time.instant().isBefore(expiry(bytes)))
        .flatMap(bytes -> opened(name, bytes));
  }

  @Override
  public void discard(String key) {
    link.write(Script.SINGLE_USE_DISCARD, keys(link.names().hash(store, key)), Names.digits(time.instant()));
  }

  private Optional<byte[]> read(String name) {
    byte @Nullable [] value = link.read(server -> server.get(keys(name)[0]));
    return Optional.ofNullable(value);
  }

  final byte[][] keys(String name) {
    return new byte[][] {link.names().key(store + ":" + name)};
  }

  final byte[] sealed(String name, V value, Instant expiresAt) {
    // A version that no earlier value of the key had: another node may be changing the value that is replaced.
    return sealed(name, time.instant().toEpochMilli() << 20 | System.nanoTime() & 0xfffff, value, expiresAt);
  }

  private byte[] sealed(String name, long version, V value, Instant expiresAt) {
    return link.names().seal(store, name, head(version, expiresAt), codec.encode(value));
  }

  static byte[] head(long version, Instant expiresAt) {
    return ByteBuffer.allocate(HEAD).put(HELD).putLong(version).putLong(expiresAt.toEpochMilli()).array();
  }

  private Optional<V> opened(String name, byte[] bytes) {
    return link.names().open(store, name, bytes, HEAD).map(plain -> decoded(name, plain));
  }

  private V decoded(String name, byte[] plain) {
    try {
      return codec.decode(plain);
    } catch (UnknownFormat e) {
      link.names().unread().note(store, link.names().hash(store, name));
      throw e;
    }
  }

  static boolean isTaken(byte[] bytes) {
    return bytes[0] != HELD;
  }

  static Instant expiry(byte[] bytes) {
    return Instant.ofEpochMilli(ByteBuffer.wrap(Arrays.copyOf(bytes, HEAD)).getLong(1 + Long.BYTES));
  }
}

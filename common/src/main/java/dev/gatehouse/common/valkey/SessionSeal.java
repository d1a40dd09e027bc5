package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.throttle.LogThrottle;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The form of sessions on the server: version and expiry in clear, then what is compressed and sealed; the idle end has its own. */
final class SessionSeal<S extends Session> {

  /** Length of version and expiry. */
  private static final int HEAD = 2 * Long.BYTES;

  private static final int MARK = HEAD + Names.HEAD;

  private static final Logger LOG = LoggerFactory.getLogger(SessionSeal.class);

  private final LogThrottle unread = new LogThrottle();
  private final Names names;
  private final SessionNames where;
  private final ValueCodec<S> codec;

  /**
   * A session as it was read or written.
   *
   * @param length of what its codec writes, neither compressed nor sealed
   */
  record Stored<S>(long version, S session, int length) {

    /** What one without attributes takes in memory, with its name and its place in a cache, about. */
    private static final int BYTES_FIXED = 2_500;

    /** Of a byte that its codec writes: short texts take several times their length. */
    private static final int BYTES_FACTOR = 4;

    /** What the session takes in memory, estimated generously. */
    int bytes() {
      return (int) Math.min(Integer.MAX_VALUE, BYTES_FIXED + (long) BYTES_FACTOR * length);
    }

    private Stored<S> with(S changed) {
      return new Stored<>(version, changed, length);
    }
  }

  /** A session with the value that the server gets. */
  record Sealed<S>(Stored<S> stored, byte[] value) {}

  /** What the server has of a session. @param idle the idle end that was written last; null if none was after the value */
  record Raw(byte[] value, byte @Nullable [] idle) {}

  SessionSeal(Names names, SessionNames where, ValueCodec<S> codec) {
    this.names = names;
    this.where = where;
    this.codec = codec;
  }

  /** Opens a value. One that cannot be read (see RocksSessionStore) counts as ended. */
  Optional<Stored<S>> opened(String member, Raw raw) {
    if (raw.value().length < HEAD) {
      return Optional.empty();
    }
    long version = ByteBuffer.wrap(raw.value()).getLong();
    return names
        .open(where.store(), member, raw.value(), HEAD)
        .flatMap(deflated -> decoded(member, version, deflated))
        .map(stored -> idleEnd(member, version, raw.idle()).map(end -> stored.with(expiring(stored.session(), end))).orElse(stored));
  }

  private Optional<Stored<S>> decoded(String member, long version, byte[] deflated) {
    try {
      byte[] plain = DeflatedValue.inflated(deflated);
      return Optional.of(new Stored<>(version, codec.decode(plain), plain.length));
    } catch (IllegalArgumentException e) {
      names.unread().note(where.store(), member);
      unread
          .count()
          .ifPresent(times -> LOG.warn("A session in {} is kept and not used ({} times): {}", where.store(), times, e.getMessage()));
      return Optional.empty();
    }
  }

  /** Returns the idle end that was written for this version of the value. */
  private Optional<Instant> idleEnd(String member, long version, byte @Nullable [] idle) {
    return Optional.ofNullable(idle)
        .filter(bytes -> bytes.length >= HEAD && ByteBuffer.wrap(bytes).getLong() == version)
        .filter(bytes -> names.open(where.idleStore(), member, bytes, HEAD).isPresent())
        .map(bytes -> Instant.ofEpochMilli(ByteBuffer.wrap(bytes).getLong(Long.BYTES)));
  }

  /** Returns the session with another expiry; the same where sessions of its kind are not prolonged. */
  @SuppressWarnings("unchecked") // A session returns one of its own class.
  S expiring(S session, Instant end) {
    return session.expiringAt(end).map(touched -> (S) touched).orElse(session);
  }

  /** Returns the beginning of a value, which no other one has: version, expiry and the random nonce. */
  static byte[] mark(byte[] value) {
    return Arrays.copyOf(value, MARK);
  }

  static boolean hasMark(byte[] value, byte[] mark) {
    return value.length > MARK && Arrays.mismatch(value, mark) == MARK;
  }

  Sealed<S> sealed(SessionNames.Place place, long version, S session) {
    byte[] plain = codec.encode(session);
    byte[] value = names.seal(where.store(), place.memberText(), head(version, session), DeflatedValue.of(plain));
    return new Sealed<>(new Stored<>(version, session, plain.length), value);
  }

  byte[] sealedIdleEnd(SessionNames.Place place, long version, S session) {
    return names.seal(where.idleStore(), place.memberText(), head(version, session), new byte[0]);
  }

  private byte[] head(long version, S session) {
    return ByteBuffer.allocate(HEAD).putLong(version).putLong(session.expiresAt().toEpochMilli()).array();
  }
}

package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.HotData;
import dev.gatehouse.common.store.ReplayCache;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Marks in Valkey: the key is a hash, the value is the expiry in clear and then, sealed, the digest of what is marked: a move to other
 * stores needs it.
 */
final class ValkeyReplayCache implements ReplayCache {

  static final String STORE = "m";

  /** What all marks of a namespace begin with. */
  static final String PREFIX = STORE + ":";

  static final String SINCE = "since";
  private static final Duration CLOCKS = Duration.ofMinutes(1);

  private final ValkeyLink link;
  private final InstantSource time;
  private volatile Optional<Instant> since = Optional.empty();

  ValkeyReplayCache(ValkeyLink link, InstantSource time) {
    this.link = link;
    this.time = time;
  }

  @Override
  public boolean firstSeen(ReplayKey key, Instant expiresAt) {
    return mark(key.digest(), expiresAt);
  }

  boolean mark(byte[] digest, Instant expiresAt) {
    String name = name(digest);
    return link.write(
            Script.REPLAY_MARK,
            new byte[][] {link.names().key(PREFIX + name)},
            Names.digits(time.instant()),
            Names.digits(expiresAt),
            link.names().seal(STORE, name, Names.number(expiresAt.toEpochMilli()), digest),
            link.names().prefix())
        .isDone();
  }

  /** Passes a mark on, unless it has expired or cannot be opened. @param key that on the server, without its prefix */
  void read(String key, byte[] value, HotData.MarkConsumer to) {
    Instant expiresAt = Instant.ofEpochMilli(ByteBuffer.wrap(value).getLong());
    if (time.instant().isBefore(expiresAt)) {
      link.names().open(STORE, key, value, Long.BYTES).ifPresent(digest -> to.accept(digest, expiresAt));
    }
  }

  @Override
  public boolean isMarked(ReplayKey key) {
    return Optional.ofNullable(link.read(server -> server.get(link.names().key(PREFIX + name(key.digest())))))
        .filter(bytes -> time.instant().toEpochMilli() < ByteBuffer.wrap(bytes).getLong())
        .isPresent();
  }

  /** {@inheritDoc} Written once, when the first node of the deployment asks. */
  @Override
  public Instant completeSince() {
    Instant known =
        since.orElseGet(
            () -> {
              String text = time.instant().minus(CLOCKS).toString();
              Reply reply =
                  link.write(
                      Script.RECORD_ONCE, new byte[][] {link.names().key(SINCE)}, text.getBytes(StandardCharsets.UTF_8));
              return Instant.parse(new String(reply.bytes(1), StandardCharsets.UTF_8));
            });
    since = Optional.of(known);
    return known;
  }

  private String name(byte[] digest) {
    return link.names().hash(STORE, HexFormat.of().formatHex(digest));
  }
}

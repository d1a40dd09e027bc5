package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.ReplayCache;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Marks in Valkey: the value is the expiry in clear, the key a hash. */
final class ValkeyReplayCache implements ReplayCache {

  private static final String STORE = "m";
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
    return link.write(
            Script.REPLAY_MARK,
            new byte[][] {name(key)},
            Names.digits(time.instant()),
            Names.digits(expiresAt),
            Names.number(expiresAt.toEpochMilli()),
            link.names().prefix())
        .isDone();
  }

  @Override
  public boolean isMarked(ReplayKey key) {
    return Optional.ofNullable(link.read(server -> server.get(name(key))))
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
                      Script.RECORD_ONCE, new byte[][] {link.names().key("since")}, text.getBytes(StandardCharsets.UTF_8));
              return Instant.parse(new String(reply.bytes(1), StandardCharsets.UTF_8));
            });
    since = Optional.of(known);
    return known;
  }

  private byte[] name(ReplayKey key) {
    String text = key.realm().length() + ":" + key.issuer().length() + ":" + key.realm() + key.issuer() + key.id();
    return link.names().key(STORE + ":" + link.names().hash(STORE, text));
  }
}

package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.throttle.FairQuota;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Limited values in Valkey, counted for all nodes. The script that stores or takes a value counts it, too, so that limits ask the server
 * nothing more. Networks and subjects are hashed.
 */
final class ValkeyLimitedStore<V> extends ValkeySingleUseStore<V> implements LimitedStore<V> {

  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);
  private static final long FULL = 2;

  private final FairQuota.Limits limits;

  ValkeyLimitedStore(ValkeyLink link, String name, InstantSource time, ValueCodec<V> codec, FairQuota.Limits limits) {
    super(link, name, time, codec);
    this.limits = limits;
  }

  @Override
  public Optional<Duration> putWithin(String key, FairQuota.Claim claim, V value, Instant expiresAt) {
    String name = link.names().hash(store, key);
    Instant now = time.instant();
    Reply reply =
        link.write(
            Script.LIMITED_PUT,
            counted(name),
            Names.digits(now),
            sealed(name, value, expiresAt),
            Names.digits(expiresAt),
            link.names().prefix(),
            Names.ascii(name),
            hashed("network ", claim.network()),
            digits(claim.cost()),
            hashed("subject ", claim.subject()),
            digits(limits.perNetwork()),
            digits(limits.inAll()),
            digits(limits.perSubject()),
            byNetwork(),
            link.names().key(store + ":"));
    if (reply.isDone()) {
      return Optional.empty();
    }
    if (reply.number(0) != FULL) {
      throw new IllegalStateException("The key was taken");
    }
    double until = Double.parseDouble(new String(reply.bytes(1), StandardCharsets.US_ASCII));
    Duration wait = Duration.between(now, Instant.ofEpochMilli((long) until));
    return Optional.of(wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait);
  }

  @Override
  public TakeResult<V> take(String key) {
    String name = link.names().hash(store, key);
    Instant now = time.instant();
    return taken(
        name,
        link.write(
            Script.LIMITED_TAKE,
            counted(name),
            Names.digits(now),
            Names.number(now.toEpochMilli()),
            Names.ascii(name),
            byNetwork()));
  }

  @Override
  public void discard(String key) {
    String name = link.names().hash(store, key);
    link.write(Script.LIMITED_DISCARD, counted(name), Names.digits(time.instant()), Names.ascii(name), byNetwork());
  }

  private byte[][] counted(String name) {
    return new byte[][] {keys(name)[0], part("claims"), part("expiries"), part("networks"), part("numbers")};
  }

  private byte[] byNetwork() {
    return part("n:");
  }

  private byte[] part(String part) {
    return link.names().key("q:" + store + ":" + part);
  }

  private byte[] hashed(String kind, String text) {
    return Names.ascii(text.isEmpty() ? "" : link.names().hash(store, kind + text));
  }

  private static byte[] digits(int number) {
    return Names.ascii(String.valueOf(number));
  }
}

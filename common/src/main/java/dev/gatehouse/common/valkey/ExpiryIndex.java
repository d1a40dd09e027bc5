package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.valkey.SessionSeal.Raw;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of a store's sessions by expiry. Values that nobody can read (changed by hand, sealed under a key that is gone, written by a
 * newer version) are passed over, however many stand at its head, and removed once they have expired.
 */
final class ExpiryIndex<S extends Session> {

  /** How long an unreadable value stays after its expiry where others must be told of it: a node of a newer version may read it. */
  static final Duration UNREADABLE_KEPT = Duration.ofDays(7);

  private static final Logger LOG = LoggerFactory.getLogger(ExpiryIndex.class);
  private static final int READ_AT_ONCE = 500;
  /** Limits the work of one call; the next one begins at the head again, where removals have made room. */
  private static final int MOST_READ = 100_000;

  private final ValkeyLink link;
  private final SessionNames where;
  private final SessionSeal<S> seal;

  /**
   * What expired.
   *
   * @param unreadable the members of values that nobody can read, or that are gone
   * @param mayBeMore whether the limit was reached
   */
  record Found<S>(List<S> readable, List<byte[]> unreadable, boolean mayBeMore) {}

  ExpiryIndex(ValkeyLink link, SessionNames where, SessionSeal<S> seal) {
    this.link = link;
    this.where = where;
    this.seal = seal;
  }

  /** Returns the first sessions that expired before that time, and what stands between them and cannot be read. */
  Found<S> before(Instant end, int limit) {
    Range<Number> past = Range.create(Double.NEGATIVE_INFINITY, end.toEpochMilli());
    List<S> readable = new ArrayList<>();
    List<byte[]> unreadable = new ArrayList<>();
    for (int from = 0; from < MOST_READ; ) {
      int first = from;
      int wanted = Math.min(READ_AT_ONCE, limit - readable.size());
      List<byte[]> members = link.read(server -> server.zrangebyscore(where.expiries(), past, Limit.create(first, wanted)));
      sort(members, end, readable, unreadable);
      from += members.size();
      if (members.size() < wanted) {
        return new Found<>(readable, unreadable, false);
      }
      if (readable.size() >= limit) {
        break;
      }
    }
    return new Found<>(readable, unreadable, true);
  }

  private void sort(List<byte[]> members, Instant end, List<S> readable, List<byte[]> unreadable) {
    if (members.isEmpty()) {
      return;
    }
    byte[][] keys = members.stream().flatMap(member -> Stream.of(where.keyOf(member), where.idleOf(member))).toArray(byte[][]::new);
    List<KeyValue<byte[], byte[]>> values = link.read(server -> server.mget(keys));
    for (int i = 0; i < members.size(); i++) {
      byte[] member = members.get(i);
      KeyValue<byte[], byte[]> value = values.get(2 * i);
      Optional<Stored<S>> stored =
          value.hasValue()
              ? seal.opened(SessionNames.text(member), new Raw(value.getValue(), values.get(2 * i + 1).getValueOrElse(null)))
              : Optional.empty();
      stored.map(Stored::session).filter(session -> !end.isBefore(session.expiresAt())).ifPresent(readable::add);
      if (stored.isEmpty()) {
        unreadable.add(member);
      }
    }
  }

  /** Removes values that nobody can read, if they expired before that time, as the index tells. Returns how many. */
  int removeUnreadable(Found<S> found, Instant before) {
    int removed = 0;
    for (byte[] member : found.unreadable()) {
      byte[][] keys = {where.keyOf(member), where.expiries(), where.idleOf(member)};
      removed += link.write(Script.SESSION_DISCARD, keys, Names.digits(before), member).isDone() ? 1 : 0;
    }
    if (removed > 0) {
      LOG.warn("{} expired sessions were removed that this node could not read", removed);
    }
    return removed;
  }
}

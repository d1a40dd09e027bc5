package dev.gatehouse.common.valkey;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.throttle.LogThrottle;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores due work in Valkey: a sorted set by time, a sorted set for each group, and sealed values with key and group. Because keys are
 * hashed, a page reads the keys of its whole group, in parts; pages are for administrators only.
 */
final class ValkeyDueStore<V> implements DueStore<V> {

  private static final Logger LOG = LoggerFactory.getLogger(ValkeyDueStore.class);
  private static final int READ_AT_ONCE = 500;
  private static final byte[] NO_HEAD = new byte[0];

  private final LogThrottle unread = new LogThrottle();
  private final ValkeyLink link;
  private final String store;
  private final InstantSource time;
  private final ValueCodec<V> codec;

  /** What is sealed of work. */
  record Piece(String key, String group, byte[] value) {

    static Piece of(byte[] packed) {
      PackedReader in = new PackedReader(packed);
      return new Piece(in.text(), in.text(), in.bytes());
    }

    byte[] packed() {
      PackedWriter out = new PackedWriter();
      out.text(key);
      out.text(group);
      out.bytes(value);
      return out.toBytes();
    }
  }

  ValkeyDueStore(ValkeyLink link, String name, InstantSource time, ValueCodec<V> codec) {
    this.link = link;
    this.store = "w:" + name;
    this.time = time;
    this.codec = codec;
  }

  @Override
  public boolean add(Work<V> work) {
    String member = member(work.key());
    return link.write(
            Script.DUE_ADD,
            new byte[][] {key(member), due(), group(work.group())},
            sealed(member, work.key(), work.group(), work.value()),
            Names.digits(work.due()),
            Names.ascii(member))
        .isDone();
  }

  @Override
  public List<Work<V>> claim(int limit, Duration lease) {
    if (limit < 1) {
      return List.of();
    }
    Instant now = time.instant();
    Instant until = Instant.ofEpochMilli(now.plus(lease).toEpochMilli());
    if (isNothingDue(now)) {
      return List.of();
    }
    Reply reply =
        link.write(
            Script.DUE_CLAIM,
            new byte[][] {due()},
            Names.digits(now),
            Names.digits(until),
            Names.ascii(String.valueOf(limit)),
            link.names().key(store + ":"));
    List<Work<V>> claimed = new ArrayList<>();
    for (int i = 1; i + 1 < reply.parts().size(); i += 2) {
      String member = SessionNames.text(reply.bytes(i));
      reply.optional(i + 1).flatMap(bytes -> opened(member, bytes)).flatMap(piece -> work(piece, until)).ifPresent(claimed::add);
    }
    return claimed;
  }

  /** Spares the server a write where every node looks for work every second. */
  private boolean isNothingDue(Instant now) {
    Range<Number> past = Range.create(Double.NEGATIVE_INFINITY, now.toEpochMilli());
    return link.read(server -> server.zrangebyscore(due(), past, Limit.from(1))).isEmpty();
  }

  @Override
  public boolean replace(String key, V value, Instant due) {
    String member = member(key);
    Optional<Piece> before = read(member);
    return before.isPresent()
        && link.write(
                Script.DUE_REPLACE,
                new byte[][] {key(member), due()},
                sealed(member, key, before.get().group(), value),
                Names.digits(due),
                Names.ascii(member))
            .isDone();
  }

  @Override
  public boolean remove(String key) {
    String member = member(key);
    Optional<Piece> before = read(member);
    return before.isPresent()
        && link.write(Script.DUE_REMOVE, new byte[][] {key(member), due(), group(before.get().group())}, Names.ascii(member)).isDone();
  }

  @Override
  public Optional<Work<V>> find(String key) {
    String member = member(key);
    return read(member).flatMap(piece -> at(member).flatMap(due -> work(piece, due)));
  }

  private Optional<Instant> at(String member) {
    @Nullable Double score = link.read(server -> server.zscore(due(), Names.ascii(member)));
    return Optional.ofNullable(score).map(millis -> Instant.ofEpochMilli(millis.longValue()));
  }

  @Override
  public List<Work<V>> page(String group, String after, int limit) {
    TreeMap<String, Map.Entry<String, Piece>> first = new TreeMap<>();
    Range.Boundary<byte[]> from = Range.Boundary.unbounded();
    List<byte[]> members;
    do {
      Range<byte[]> range = Range.from(from, Range.Boundary.unbounded());
      members = link.read(server -> server.zrangebylex(group(group), range, Limit.from(READ_AT_ONCE)));
      pieces(members)
          .forEach(
              entry -> {
                if (entry.getValue().key().compareTo(after) > 0) {
                  first.put(entry.getValue().key(), entry);
                }
              });
      while (first.size() > limit) {
        first.pollLastEntry();
      }
      from = members.isEmpty() ? from : Range.Boundary.excluding(members.getLast());
    } while (members.size() == READ_AT_ONCE);
    return first.values().stream()
        .flatMap(entry -> at(entry.getKey()).flatMap(due -> work(entry.getValue(), due)).stream())
        .toList();
  }

  /** Reads all work, the earliest first; nobody else may work on it. */
  void each(Consumer<Work<V>> to) {
    List<byte[]> members;
    for (long from = 0; !(members = members(from)).isEmpty(); from += READ_AT_ONCE) {
      for (Map.Entry<String, Piece> entry : pieces(members)) {
        at(entry.getKey()).flatMap(due -> work(entry.getValue(), due)).ifPresent(to);
      }
    }
  }

  private List<byte[]> members(long from) {
    return link.read(server -> server.zrange(due(), from, from + READ_AT_ONCE - 1));
  }

  private List<Map.Entry<String, Piece>> pieces(List<byte[]> members) {
    if (members.isEmpty()) {
      return List.of();
    }
    byte[][] keys = members.stream().map(member -> key(SessionNames.text(member))).toArray(byte[][]::new);
    List<KeyValue<byte[], byte[]>> values = link.read(server -> server.mget(keys));
    List<Map.Entry<String, Piece>> pieces = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      String member = SessionNames.text(members.get(i));
      byte @Nullable [] value = values.get(i).getValueOrElse(null);
      if (value != null) {
        opened(member, value).ifPresent(piece -> pieces.add(Map.entry(member, piece)));
      }
    }
    return pieces;
  }

  @Override
  public long count(String group) {
    return link.read(server -> server.zcard(group(group)));
  }

  @Override
  public long count() {
    return link.read(server -> server.zcard(due()));
  }

  /** Returns nothing for work that a node of a newer version stored: it stays, and one of that version does it. */
  private Optional<Work<V>> work(Piece piece, Instant due) {
    try {
      return Optional.of(new Work<>(piece.key(), piece.group(), codec.decode(piece.value()), due));
    } catch (IllegalArgumentException e) {
      link.names().unread().note(store, piece.key());
      unread.count().ifPresent(times -> LOG.warn("Work in {} is kept and not done ({} times): {}", store, times, e.getMessage()));
      return Optional.empty();
    }
  }

  private Optional<Piece> read(String member) {
    return Optional.ofNullable(link.read(server -> server.get(key(member)))).flatMap(bytes -> opened(member, bytes));
  }

  private byte[] sealed(String member, String key, String group, V value) {
    return link.names().seal(store, member, NO_HEAD, new Piece(key, group, codec.encode(value)).packed());
  }

  private Optional<Piece> opened(String member, byte[] bytes) {
    return link.names().open(store, member, bytes, 0).map(Piece::of);
  }

  private String member(String key) {
    return link.names().hash(store, key);
  }

  private byte[] key(String member) {
    return link.names().key(store + ":" + member);
  }

  private byte[] due() {
    return link.names().key("x" + store);
  }

  private byte[] group(String group) {
    return link.names().key("g" + store + ":" + link.names().hash(store, "group " + group));
  }
}

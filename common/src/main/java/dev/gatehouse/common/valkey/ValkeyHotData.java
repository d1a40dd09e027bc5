package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.HotData;
import dev.gatehouse.common.store.StoredKind;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads and writes whole key spaces in Valkey. */
final class ValkeyHotData implements HotData {

  private static final int READ_AT_ONCE = 500;

  private final ValkeyLink link;
  private final ValkeyReplayCache marks;
  private final InstantSource time;
  private final Consumer<Instant> refuseTokens;

  ValkeyHotData(ValkeyLink link, ValkeyReplayCache marks, InstantSource time, Consumer<Instant> refuseTokens) {
    this.link = link;
    this.marks = marks;
    this.time = time;
    this.refuseTokens = refuseTokens;
  }

  @Override
  public void marks(MarkConsumer to) {
    int prefix = link.names().prefix().length + ValkeyReplayCache.PREFIX.length();
    eachKey(
        ValkeyReplayCache.PREFIX,
        keys -> {
          for (KeyValue<byte[], byte[]> mark : link.read(server -> server.mget(keys.toArray(byte[][]::new)))) {
            if (mark.hasValue()) {
              String key = new String(mark.getKey(), StandardCharsets.ISO_8859_1);
              marks.read(key.substring(prefix), mark.getValue(), to);
            }
          }
        });
  }

  @Override
  public void mark(byte[] digest, Instant expiresAt) {
    marks.mark(digest, expiresAt);
  }

  @Override
  public <S extends Session> void sessions(StoredKind.Sessions<S> kind, Consumer<S> to) {
    SessionNames where = new SessionNames(link.names(), kind.name());
    SessionSeal<S> seal = new SessionSeal<>(link.names(), where, kind.codec());
    List<byte[]> members;
    for (long from = 0; !(members = members(where, from)).isEmpty(); from += READ_AT_ONCE) {
      byte[][] keys = members.stream().flatMap(member -> Stream.of(where.keyOf(member), where.idleOf(member))).toArray(byte[][]::new);
      List<KeyValue<byte[], byte[]>> values = link.read(server -> server.mget(keys));
      for (int i = 0; i < members.size(); i++) {
        KeyValue<byte[], byte[]> value = values.get(2 * i);
        if (value.hasValue()) {
          SessionSeal.Raw raw = new SessionSeal.Raw(value.getValue(), values.get(2 * i + 1).getValueOrElse(null));
          seal.opened(SessionNames.text(members.get(i)), raw).map(SessionSeal.Stored::session).ifPresent(to);
        }
      }
    }
  }

  private List<byte[]> members(SessionNames where, long from) {
    return link.read(server -> server.zrange(where.expiries(), from, from + READ_AT_ONCE - 1));
  }

  @Override
  public <V> void work(StoredKind.Work<V> kind, Consumer<DueStore.Work<V>> to) {
    new ValkeyDueStore<>(link, kind.name(), time, kind.codec()).each(to);
  }

  @Override
  public void loseAllBefore(Instant before) {
    byte[] text = before.toString().getBytes(StandardCharsets.UTF_8);
    link.write(Script.RECORD_WRITE, new byte[][] {link.names().key(ValkeyReplayCache.SINCE)}, text);
    refuseTokens.accept(before);
  }

  /** Passes on all keys of the namespace that begin so, in parts; some perhaps twice. */
  void eachKey(String beginning, Consumer<List<byte[]>> to) {
    String prefix = new String(link.names().prefix(), StandardCharsets.ISO_8859_1);
    ScanArgs own = ScanArgs.Builder.matches(prefix + beginning + "*").limit(READ_AT_ONCE);
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      ScanCursor from = cursor;
      KeyScanCursor<byte[]> found = link.read(server -> server.scan(from, own));
      if (!found.getKeys().isEmpty()) {
        to.accept(found.getKeys());
      }
      cursor = found;
    }
  }

  /** Returns whether nothing is in the namespace but what this connection itself writes every second. */
  boolean isEmpty() {
    Set<String> own = Set.of(link.names().keyText("sequence"), link.names().keyText("canary"));
    AtomicBoolean empty = new AtomicBoolean(true);
    eachKey(
        "",
        keys -> {
          if (keys.stream().anyMatch(key -> !own.contains(new String(key, StandardCharsets.ISO_8859_1)))) {
            empty.set(false);
          }
        });
    return empty.get();
  }
}

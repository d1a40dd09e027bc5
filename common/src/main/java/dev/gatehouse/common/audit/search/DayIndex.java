package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * The index of one day, in an MVStore of H2. One map has an entry for each event and each of its keys, in the order of searches; another
 * has the place of each event.
 */
final class DayIndex implements AutoCloseable {

  private static final int CACHE_MB = 8;

  /** Space of the file is used again after this time. */
  private static final int RETENTION_MILLIS = 1000;

  private static final int COMPACT_MILLIS = 500;
  private static final String FOLLOWED = "followed";

  private final MVStore store;
  private final MVMap<Entry, Boolean> entries;
  private final MVMap<Long, Place> places;
  private final MVMap<String, Long> state;
  private volatile boolean isChanged;

  private DayIndex(MVStore store) {
    this.store = store;
    this.entries =
        store.openMap("entries", new MVMap.Builder<Entry, Boolean>().keyType(new Entry.Type()).valueType(new Entry.Nothing()));
    this.places = store.openMap("places", new MVMap.Builder<Long, Place>().keyType(LongDataType.INSTANCE).valueType(new PlaceType()));
    this.state =
        store.openMap("state", new MVMap.Builder<String, Long>().keyType(StringDataType.INSTANCE).valueType(LongDataType.INSTANCE));
  }

  /** Opens the file; creates it if it does not exist. */
  static DayIndex open(Path file) {
    MVStore store = new MVStore.Builder().fileName(file.toAbsolutePath().toString()).autoCommitDisabled().cacheSize(CACHE_MB).open();
    try {
      store.setRetentionTime(RETENTION_MILLIS);
      store.setVersionsToKeep(0);
      return new DayIndex(store);
    } catch (RuntimeException e) {
      store.closeImmediately();
      throw e;
    }
  }

  /** Adds events and notes the number of the last event that was followed; both are in the file, or nothing is. */
  void add(List<EventRow> rows, long followed) {
    // Sorted, so that neighbours change one page once.
    TreeSet<Entry> sorted = new TreeSet<>();
    for (EventRow row : rows) {
      sorted.add(new Entry(Entry.ALL, row.millis(), row.seq()));
      row.keys().forEach(key -> sorted.add(new Entry(key, row.millis(), row.seq())));
      places.put(row.seq(), row.place());
    }
    sorted.forEach(entry -> entries.put(entry, Boolean.TRUE));
    state.put(FOLLOWED, followed);
    store.commit();
    isChanged = true;
  }

  /** Returns the number of the last event that was followed; 0 if none was. */
  long followed() {
    Long followed = state.get(FOLLOWED);
    return followed == null ? 0 : followed;
  }

  /** Returns events, the newest first. */
  List<Found> find(AuditQuery query, int limit) {
    long[] keys = keys(query);
    long oldest = query.from().toEpochMilli();
    List<Found> found = new ArrayList<>();
    Entry at = first(keys[0], query);
    while (found.size() < limit) {
      Entry match = nextInAll(keys, at);
      if (match == null || match.millis() < oldest) {
        break;
      }
      Place place = places.get(match.seq());
      if (place != null) {
        found.add(new Found(match.seq(), match.millis(), place));
      }
      at = new Entry(keys[0], match.millis(), match.seq() - 1);
    }
    return found;
  }

  private static long[] keys(AuditQuery query) {
    if (query.terms().isEmpty()) {
      return new long[] {Entry.ALL};
    }
    return query.terms().entrySet().stream()
        .sorted(java.util.Map.Entry.comparingByKey())
        .mapToLong(term -> term.getKey().key(term.getValue()))
        .toArray();
  }

  /** Returns an entry before all that may be found. */
  private static Entry first(long key, AuditQuery query) {
    Entry newest = new Entry(key, query.to().toEpochMilli() - 1, Long.MAX_VALUE);
    return query
        .after()
        .map(cursor -> new Entry(key, cursor.millis(), cursor.seq() - 1))
        .filter(after -> after.compareTo(newest) > 0)
        .orElse(newest);
  }

  /**
   * Returns the next event that has all keys: each list in turn skips to the event at which the others are, so that the shortest list says
   * how long it takes.
   */
  private @Nullable Entry nextInAll(long[] keys, Entry from) {
    Entry candidate = from;
    int agreeing = 0;
    for (int i = 0; agreeing < keys.length; i = (i + 1) % keys.length) {
      Entry next = entries.ceilingKey(new Entry(keys[i], candidate.millis(), candidate.seq()));
      if (next == null || next.key() != keys[i]) {
        return null;
      }
      boolean isSame = next.millis() == candidate.millis() && next.seq() == candidate.seq();
      agreeing = isSame ? agreeing + 1 : 1;
      candidate = next;
    }
    return candidate;
  }

  @Override
  public void close() {
    if (!store.isClosed()) {
      store.close(isChanged ? COMPACT_MILLIS : 0);
    }
  }
}

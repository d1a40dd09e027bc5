package dev.gatehouse.common.audit.search;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * An entry of the index: an event with that key. Entries with one key are in the order of searches, the newest first.
 *
 * @param key of a term; {@link #ALL} for the list of all events
 */
record Entry(long key, long millis, long seq) implements Comparable<Entry> {

  static final long ALL = 0;

  @Override
  public int compareTo(Entry other) {
    int order = Long.compare(key, other.key);
    if (order == 0) {
      order = Long.compare(other.millis, millis);
    }
    return order == 0 ? Long.compare(other.seq, seq) : order;
  }

  /** The form of entries in the file. */
  static final class Type extends BasicDataType<Entry> {

    private static final int MEMORY = 40;

    @Override
    public int compare(Entry a, Entry b) {
      return a.compareTo(b);
    }

    @Override
    public int getMemory(Entry entry) {
      return MEMORY;
    }

    @Override
    public void write(WriteBuffer buffer, Entry entry) {
      buffer.putLong(entry.key()).putVarLong(entry.millis()).putVarLong(entry.seq());
    }

    @Override
    public Entry read(ByteBuffer buffer) {
      return new Entry(buffer.getLong(), DataUtils.readVarLong(buffer), DataUtils.readVarLong(buffer));
    }

    @Override
    public Entry[] createStorage(int size) {
      return new Entry[size];
    }
  }

  /** A value without content: the entry is all. */
  static final class Nothing extends BasicDataType<Boolean> {

    @Override
    public int getMemory(Boolean nothing) {
      return 0;
    }

    @Override
    public void write(WriteBuffer buffer, Boolean nothing) {
      // Nothing is written.
    }

    @Override
    public Boolean read(ByteBuffer buffer) {
      return Boolean.TRUE;
    }

    @Override
    public Boolean[] createStorage(int size) {
      return new Boolean[size];
    }
  }
}

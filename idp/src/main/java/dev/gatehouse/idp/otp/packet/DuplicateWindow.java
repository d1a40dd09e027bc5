package dev.gatehouse.idp.otp.packet;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The requests of the last seconds. A client that got no answer sends the same packet again and gets the same answer, because a passcode
 * counts only once (RFC 5080, section 2.2.2). Packets come here only after they proved to be authentic, so that strangers cannot fill it.
 */
public final class DuplicateWindow {

  private static final long NANOS = 30_000_000_000L;
  private static final int MOST = 65_536;

  /** @param source the address and port, or the connection */
  private record Key(Object source, PacketCode code, int identifier) {}

  /** A request that is being worked on, or was answered. */
  public static final class Entry {
    private final Key key;
    private final byte[] authenticator;
    private final long end;
    private volatile Optional<byte[]> answer = Optional.empty();

    Entry(Key key, byte[] authenticator, long end) {
      this.key = key;
      this.authenticator = authenticator;
      this.end = end;
    }
  }

  /** What a packet is. */
  public sealed interface Seen {
    /** A request that was not there. */
    record New(Entry entry) implements Seen {}

    /** The same request again. */
    record Again(Optional<byte[]> answer) implements Seen {}
  }

  private final LongSupplier nanos;
  private final int most;
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  public DuplicateWindow(LongSupplier nanos) {
    this(nanos, MOST);
  }

  DuplicateWindow(LongSupplier nanos, int most) {
    this.nanos = nanos;
    this.most = most;
  }

  /** Looks a request up, and remembers it if it is new: also if its identifier is known with another authenticator. */
  public Seen seen(Object source, PacketCode code, int identifier, byte[] authenticator) {
    Key key = new Key(source, code, identifier);
    long now = nanos.getAsLong();
    synchronized (this) {
      expire(now);
      Entry known = entries.get(key);
      if (known != null && Arrays.equals(known.authenticator, authenticator)) {
        return new Seen.Again(known.answer);
      }
      // To the end, because entries are in the order of their ends.
      entries.remove(key);
      Entry entry = new Entry(key, authenticator, now + NANOS);
      entries.put(key, entry);
      return new Seen.New(entry);
    }
  }

  public void answered(Entry entry, byte[] answer) {
    entry.answer = Optional.of(answer);
  }

  /** Forgets a request that was not decided, so that it counts when it comes again. */
  public synchronized void forget(Entry entry) {
    entries.remove(entry.key, entry);
  }

  synchronized int size() {
    return entries.size();
  }

  private void expire(long now) {
    Iterator<Entry> oldest = entries.values().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry.end - now > 0 && entries.size() < most) {
        return;
      }
      oldest.remove();
    }
  }
}

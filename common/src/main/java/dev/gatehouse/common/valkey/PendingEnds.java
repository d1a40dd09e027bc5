package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.StoreUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends of sessions that no server took: they count at this node at once, are in a file until the server has acknowledged them, and are
 * delivered when it answers again. The file has a line for each, {@code STORE ID}; ids open nothing.
 */
final class PendingEnds {

  private static final int MOST = 100_000;

  /** An end that was not delivered. */
  record End(String store, SessionId id) {}

  private final Optional<Path> file;
  private final Set<End> ends = ConcurrentHashMap.newKeySet();

  /** @param file absent where nothing outlives the process */
  PendingEnds(Optional<Path> file) {
    this.file = file;
    try {
      if (file.isPresent() && Files.exists(file.get())) {
        for (String line : Files.readAllLines(file.get())) {
          int space = line.indexOf(' ');
          // The last line may be cut off, where its writer was killed before it was told that the end counts.
          if (space > 0 && line.endsWith(".")) {
            ends.add(new End(line.substring(0, space), new SessionId(line.substring(space + 1, line.length() - 1))));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read ends of sessions that were not delivered: " + file, e);
    }
  }

  boolean contains(String store, SessionId id) {
    return !ends.isEmpty() && ends.contains(new End(store, id));
  }

  /**
   * Keeps the end; it is on disk when the method returns. An end that could not be written does not count, so that nobody takes it for
   * acknowledged.
   *
   * @return false if it was kept before
   */
  synchronized boolean add(String store, SessionId id) {
    End end = new End(store, id);
    if (ends.contains(end)) {
      return false;
    }
    if (ends.size() >= MOST) {
      throw new StoreUnavailable("Valkey is not used, and " + MOST + " ends of sessions wait for it already");
    }
    // A torn line before it stays alone.
    write("\n" + store + " " + id.value() + ".\n", StandardOpenOption.APPEND);
    return ends.add(end);
  }

  List<End> of(String store) {
    return ends.stream().filter(end -> end.store().equals(store)).toList();
  }

  /** Forgets an end that the server has acknowledged. */
  synchronized void delivered(End end) {
    ends.remove(end);
    if (ends.isEmpty()) {
      write("", StandardOpenOption.TRUNCATE_EXISTING);
    }
  }

  private void write(String text, StandardOpenOption how) {
    if (file.isEmpty()) {
      return;
    }
    try (FileChannel channel = FileChannel.open(file.get(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    } catch (IOException e) {
      throw new StoreUnavailable("Valkey is not used, and the end of a session cannot be kept in " + file.get(), e);
    }
  }
}

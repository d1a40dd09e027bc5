package dev.gatehouse.gateway.federate;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a run: the first line identifies its file and ends, and each further line is the state after a batch.
 * An incomplete line is ignored, so that a kill at any moment leaves the state of the last complete batch.
 */
final class BulkJournal implements AutoCloseable {

  /**
   * The state after a batch.
   *
   * @param position byte offset in the input after the batch
   * @param line number of lines before that offset
   * @param federated people who were federated by the run
   * @param before people who were federated before
   * @param rejected lines in the file of rejects
   * @param namesLength valid bytes of the file of names
   * @param rejectsLength valid bytes of the file of rejects
   */
  record State(
      long position,
      long line,
      long federated,
      long before,
      long rejected,
      long namesLength,
      long rejectsLength,
      boolean finished) {

    static final State NOTHING = new State(0, 0, 0, 0, 0, 0, 0, false);

    State atEnd() {
      return new State(position, line, federated, before, rejected, namesLength, rejectsLength, true);
    }

    private String text() {
      return String.join(
          " ",
          finished ? "end" : "at",
          String.valueOf(position),
          String.valueOf(line),
          String.valueOf(federated),
          String.valueOf(before),
          String.valueOf(rejected),
          String.valueOf(namesLength),
          String.valueOf(rejectsLength));
    }

    private static Optional<State> read(String text) {
      List<String> words = Arrays.asList(text.split(" "));
      if (words.size() != 8 || !words.subList(1, 8).stream().allMatch(word -> word.matches("\\d{1,18}"))) {
        return Optional.empty();
      }
      long[] n = words.subList(1, 8).stream().mapToLong(Long::parseLong).toArray();
      return Optional.of(new State(n[0], n[1], n[2], n[3], n[4], n[5], n[6], words.getFirst().equals("end")));
    }
  }

  private final FileChannel locked;
  private final AppendedFile file;
  private final State last;

  /** @param about identifies the run; the journal of another run is refused */
  BulkJournal(Path path, String about) throws IOException {
    locked = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(locked) == null) {
      locked.close();
      throw new FederationEndFailed("Another run is at work on this file.");
    }
    String text = Files.readString(path);
    // A line without an end was being written when the run was interrupted.
    List<String> lines = Arrays.asList(text.substring(0, text.lastIndexOf('\n') + 1).split("\n"));
    boolean isNew = lines.getFirst().isEmpty();
    if (!isNew && !lines.getFirst().equals(about)) {
      locked.close();
      throw new FederationEndFailed(
          path + " is of another run (another file, or other ends). Remove it to begin anew, or name another --journal.");
    }
    last = lines.size() < 2 ? State.NOTHING : State.read(lines.getLast()).orElse(State.NOTHING);
    file = new AppendedFile(path, isNew ? 0 : text.lastIndexOf('\n') + 1);
    if (isNew) {
      file.append(about + "\n");
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** The state in which the run stopped; {@link State#NOTHING} for a new run. */
  State last() {
    return last;
  }

  void record(State state) throws IOException {
    file.append(state.text() + "\n");
  }

  @Override
  public void close() throws IOException {
    file.close();
    locked.close();
  }
}

package dev.gatehouse.common.installation;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The file {@code data/migration}: a move of the installation between embedded and shared stores has begun, or its data have left. Nothing
 * opens the stores then.
 */
public final class MoveMark {

  public static final String NAME = "migration";

  private static final String FINISHED = " finished";

  /** Where an installation goes. */
  public enum Target {
    SHARED,
    EMBEDDED;

    /** Returns the word of the command line. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Target> of(String word) {
      return Arrays.stream(values()).filter(target -> target.word().equals(word)).findFirst();
    }

    public Target other() {
      return this == SHARED ? EMBEDDED : SHARED;
    }

    public String command() {
      return "./gatehouse migrate --from " + other().word() + " --to " + word();
    }
  }

  /** Signals that the data have moved, or are moving; the message is a sentence for the operator. */
  public static final class Moved extends RuntimeException {
    private static final long serialVersionUID = 1;

    Moved(String message) {
      super(message);
    }
  }

  /** How far a move is. */
  public record State(Target target, boolean finished) {}

  private final Path data;

  /** @param data the node's data directory */
  public MoveMark(Path data) {
    this.data = data;
  }

  /** Returns the move of which these data are a part. */
  public Optional<State> read() {
    return PrivateFiles.read(data.resolve(NAME))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip())
        .map(text -> new State(target(text.replace(FINISHED, "")), text.endsWith(FINISHED)));
  }

  private Target target(String word) {
    return Target.of(word)
        .orElseThrow(() -> new Moved(data.resolve(NAME) + " is damaged: it says that the data of this node are moving to other stores."));
  }

  /** Writes that a move has begun, or that the data have left. */
  public void write(State state) {
    try {
      PrivateFiles.replace(data.resolve(NAME), state.target().word() + (state.finished() ? FINISHED : "") + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + data.resolve(NAME), e);
    }
  }

  /** Removes the mark: the data are here. */
  public void remove() {
    try {
      Files.deleteIfExists(data.resolve(NAME));
      PrivateFiles.force(data);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot remove " + data.resolve(NAME), e);
    }
  }

  /** Throws unless these data are those of the storage. */
  public void requireAt(Target storage) {
    Optional<State> state = read();
    if (state.filter(found -> !found.finished()).isPresent()) {
      throw new Moved(
          "The data in " + data + " are a part of a move that was interrupted: give the same command again ("
              + state.get().target().command() + ").");
    }
    if (state.filter(found -> found.target() != storage).isPresent()) {
      throw new Moved(
          "The data in " + data + " were moved to " + state.get().target().word() + " stores: write storage: "
              + state.get().target().word() + ", or move them back (" + storage.command() + ").");
    }
  }
}

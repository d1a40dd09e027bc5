package dev.gatehouse.common.key;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Where key files are: the folder {@code data/keys} of one node, or the database of several, in which the paths are names. */
public interface KeyPlace {

  /** Returns the folder of all key files. */
  Path root();

  /**
   * Returns the content of a file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  byte[] read(Path file) throws IOException;

  /** Returns when the file was replaced last. */
  Instant modified(Path file) throws IOException;

  /** Returns a stamp that changes when the file is replaced; empty if there is none. */
  Optional<Object> stamp(Path file);

  /** Replaces the file as a whole; it is durable when the work under the lock has ended. */
  void replace(Path file, String content) throws IOException;

  /** Takes over what other processes or nodes have changed, where that is not seen at once anyway. */
  default void refresh() {}

  void delete(Path file) throws IOException;

  /** Returns whether the file must exist, so that nothing is made in its place. */
  boolean lists(Path file) throws IOException;

  /** Runs the work while nobody else, here or in another process or node, runs work on the same folder. */
  <T> T locked(Path folder, PrivateFiles.Work<T> work) throws IOException;
}

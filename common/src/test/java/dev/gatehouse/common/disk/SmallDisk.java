package dev.gatehouse.common.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of a few megabytes in memory. Mounting needs root; elsewhere the test is skipped. */
public final class SmallDisk implements AutoCloseable {

  private final Path directory;
  private int fillers;

  public SmallDisk(Path directory, String size) throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can mount a small disk");
    this.directory = Files.createDirectories(directory);
    assumeTrue(succeeds("mount", "-t", "tmpfs", "-o", "size=" + size + ",mode=700", "none", directory.toString()), "mounting is not allowed here");
  }

  public Path directory() {
    return directory;
  }

  /** Uses up all remaining space, repeatedly. */
  public void fill() throws IOException {
    for (int size = 1 << 20; size > 0; size = size == 1 ? 0 : size / 64) {
      try (OutputStream file = Files.newOutputStream(directory.resolve("filler-" + fillers++))) {
        byte[] zeros = new byte[size];
        while (!Thread.currentThread().isInterrupted()) {
          file.write(zeros);
        }
      } catch (IOException full) {
        // The disk is full, as intended.
      }
    }
  }

  /** Frees the space that {@link #fill} used. */
  public void free() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "filler-*")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  public void readOnly(boolean readOnly) {
    if (!succeeds("mount", "-o", "remount," + (readOnly ? "ro" : "rw"), directory.toString())) {
      throw new IllegalStateException("cannot remount " + directory);
    }
  }

  @Override
  public void close() {
    succeeds("umount", "-l", directory.toString());
  }

  private static boolean succeeds(String... command) {
    try {
      return new ProcessBuilder(List.of(command)).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

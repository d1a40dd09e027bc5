package dev.gatehouse.common.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder on a disk of its own that can be filled. Needs root, to mount it; it is in memory, and goes with the mount. */
final class SmallDisk implements AutoCloseable {

  private static final int LARGE = 1 << 20;

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  static SmallDisk mount(Path folder, String size) throws IOException {
    Files.createDirectories(folder);
    execute(List.of("mount", "-t", "tmpfs", "-o", "size=" + size + ",mode=755", "none", folder.toString()));
    return new SmallDisk(folder);
  }

  Path folder() {
    return folder;
  }

  /** Fills the disk to its last byte. */
  void fill() {
    for (int size = LARGE; size > 0; size = size == 1 ? 0 : size / 64) {
      byte[] zeros = new byte[size];
      try (OutputStream file = Files.newOutputStream(folder.resolve("filler-" + System.nanoTime()))) {
        while (!Thread.currentThread().isInterrupted()) {
          file.write(zeros);
        }
      } catch (IOException full) {
        // The disk is full, as intended.
      }
    }
  }

  void empty() throws IOException {
    try (var files = Files.newDirectoryStream(folder, "filler-*")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  private static void execute(List<String> command) throws IOException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " needs root: " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    execute(List.of("umount", "-l", folder.toString()));
  }
}

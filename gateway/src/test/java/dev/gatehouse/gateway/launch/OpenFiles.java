package dev.gatehouse.gateway.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Counts the open files of the java process that this one has started, twenty times a second, until it is closed. */
final class OpenFiles implements AutoCloseable {

  private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::watch);
  private final Path descriptors;
  private volatile boolean closed;
  private volatile Map<String, Integer> first = Map.of();
  private volatile Map<String, Integer> most = Map.of();

  OpenFiles() {
    ProcessHandle java =
        ProcessHandle.current()
            .descendants()
            .filter(child -> child.info().command().orElse("").endsWith("/java"))
            .findFirst()
            .orElseThrow();
    descriptors = Path.of("/proc", String.valueOf(java.pid()), "fd");
    thread.start();
  }

  /** How many there were at most. */
  int most() {
    return sum(most);
  }

  private void watch() {
    try {
      while (!closed) {
        Map<String, Integer> now = kinds();
        first = first.isEmpty() ? now : first;
        most = sum(now) > sum(most) ? now : most;
        Thread.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | UncheckedIOException e) {
      // The process has ended.
    }
  }

  private Map<String, Integer> kinds() throws IOException {
    Map<String, Integer> kinds = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path one : all) {
        kinds.merge(kind(one), 1, Integer::sum);
      }
    }
    return kinds;
  }

  private static String kind(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("socket:")
          ? "sockets"
          : target.endsWith(".jar") ? "jars" : target.contains("/data/") ? "data" : target.startsWith("anon_inode") ? "epoll" : "other";
    } catch (IOException e) {
      return "closed";
    }
  }

  private static int sum(Map<String, Integer> kinds) {
    return kinds.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public String toString() {
    return most() + " open files " + most + ", " + sum(first) + " before " + first;
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}

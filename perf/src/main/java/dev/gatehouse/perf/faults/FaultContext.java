package dev.gatehouse.perf.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The resources of a running case; closing it ends everything that the case started, in reverse order. */
public final class FaultContext implements AutoCloseable {

  private final Path work;
  private final Duration duration;
  private final PrintStream out;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  FaultContext(Path work, Duration duration, PrintStream out) {
    this.work = work;
    this.duration = duration;
    this.out = out;
  }

  /** An empty folder for the case. */
  public Path work() {
    return work;
  }

  /** The duration of an attack or a soak. */
  public Duration duration() {
    return duration;
  }

  /** Prints the progress of the case. */
  public void progress(String line) {
    out.println("  " + line);
  }

  /** Closes a resource at the end of the case. */
  public <T extends AutoCloseable> T closeAtEnd(T resource) {
    started.push(resource);
    return resource;
  }

  /**
   * Starts an attacker as a separate process, so that the prober and the attacker share neither heap nor garbage
   * collector.
   *
   * @param main has {@code public static void main(String[])}
   */
  public Process attack(Class<?> main, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(work.resolve("attacker.log").toFile()).start();
    closeAtEnd(process::destroyForcibly);
    return process;
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        out.println("  could not be stopped: " + e.getMessage());
      }
    }
  }
}

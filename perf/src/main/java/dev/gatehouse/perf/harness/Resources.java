package dev.gatehouse.perf.harness;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** A work folder, and the resources opened there; closing it closes them in the reverse order. */
public class Resources implements AutoCloseable {

  private final Path work;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  protected Resources(Path work) {
    this.work = work;
  }

  /** A folder that was empty at the beginning. */
  public final Path work() {
    return work;
  }

  public final <T extends AutoCloseable> T closeAtEnd(T resource) {
    started.push(resource);
    return resource;
  }

  @Override
  public final void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        System.err.println("could not be stopped: " + e.getMessage());
      }
    }
  }
}

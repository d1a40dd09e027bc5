package dev.gatehouse.common.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A node as a process. */
public final class SiteNode implements AutoCloseable {

  static final String READY = "Gatehouse is ready";

  private final NodeProgram program;
  private final Path folder;
  private Process process;

  SiteNode(NodeProgram program, Path folder) {
    this.program = program;
    this.folder = folder;
    this.process = launch(Map.of());
  }

  private Process launch(Map<String, String> environment) {
    try {
      ProcessBuilder builder = new ProcessBuilder(program.command("run", "--config", folder.toString()));
      builder.environment().putAll(environment);
      return builder.redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("node.log").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  SiteNode await(String words) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!log().contains(words)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("The node does not say '" + words + "':\n" + log());
      }
      pause();
    }
    return this;
  }

  String log() {
    try {
      return Files.readString(folder.resolve("node.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns the process and those that it started. */
  List<ProcessHandle> processes() {
    return java.util.stream.Stream.concat(java.util.stream.Stream.of(process.toHandle()), process.descendants()).toList();
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /** Ends the node as {@code kill -9} does. */
  public void kill() {
    processes().forEach(ProcessHandle::destroyForcibly);
    awaitEnd(Duration.ofSeconds(10));
  }

  /** Ends the node as an operator does (SIGTERM): it drains. */
  public void stop() {
    processes().forEach(ProcessHandle::destroy);
    awaitEnd(Duration.ofSeconds(60));
  }

  private void awaitEnd(Duration most) {
    try {
      if (!process.waitFor(most.toSeconds(), TimeUnit.SECONDS)) {
        processes().forEach(ProcessHandle::destroyForcibly);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts the node again with this environment, and waits until it is ready. */
  void startAgainAndAwait(Map<String, String> environment) {
    startAgain(environment);
    await(READY);
  }

  /** Starts the node again, and returns without waiting. */
  public void startAgain() {
    startAgain(Map.of());
  }

  private void startAgain(Map<String, String> environment) {
    try {
      Files.deleteIfExists(folder.resolve("node.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    process = launch(environment);
  }

  /** Starts the node again, and waits until it is ready. */
  public void startAgainAndAwait() {
    startAgain();
    await(READY);
  }

  /** Sends {@code STOP} or {@code CONT}. */
  public void signal(String name) throws IOException, InterruptedException {
    for (ProcessHandle each : processes()) {
      new ProcessBuilder("kill", "-" + name, String.valueOf(each.pid())).start().waitFor();
    }
  }

  @Override
  public void close() {
    kill();
  }
}

package dev.gatehouse.gateway.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server of a test, in the foreground of a process of its own; whatever happens to the test, its life is bounded. */
public final class ServerProcess implements AutoCloseable {

  private static final Duration LONGEST_LIFE = Duration.ofMinutes(30);
  private static final Path TIMEOUT = Path.of("/usr/bin/timeout");

  private final String name;
  private final Path log;
  private final Process process;
  private final Thread atExit;

  private ServerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.atExit = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts it; what it writes goes to {@code folder/name.log}. */
  public static ServerProcess start(String name, Path folder, Map<String, String> environment, List<String> command) {
    List<String> bounded = new ArrayList<>();
    if (Files.isExecutable(TIMEOUT)) {
      // It passes signals on, and ends what a killed test would leave behind.
      bounded.addAll(List.of(TIMEOUT.toString(), "-k", "40", String.valueOf(LONGEST_LIFE.toSeconds())));
    }
    bounded.addAll(command);
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(bounded).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    try {
      return new ServerProcess(name, log, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it is ready; fails with its output where it ends before that, or takes too long. */
  public ServerProcess await(BooleanSupplier ready, Duration most) {
    long end = System.nanoTime() + most.toNanos();
    while (!ready.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new IllegalStateException(name + " did not start:\n" + output());
      }
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        close();
        throw new IllegalStateException(e);
      }
    }
    return this;
  }

  /** What it has written so far. */
  public String output() {
    try {
      return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGTERM to the server itself, and does not wait: timeout(1) around it would pass on no second signal. */
  public void signal() {
    List<ProcessHandle> within = process.descendants().toList();
    if (within.isEmpty()) {
      process.destroy();
    }
    within.forEach(ProcessHandle::destroy);
  }

  /** Ends it at once, as {@code kill -9} does: for a node that would serve on for its balancer, and that nobody asks any more. */
  public void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    stop();
  }

  /** Ends it as an operator would (SIGTERM), and by force after 30 s; returns its exit code. */
  public int stop() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    } catch (IllegalStateException shuttingDown) {
      // Then the hook is running, and does nothing more.
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    stop();
  }
}

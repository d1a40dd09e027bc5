package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.DemoRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A process that belongs to this one. It has a session of its own, so that Ctrl-C at the terminal does not reach it before its turn, and
 * the kernel ends it when the thread that started it ends: start it on a thread that lives as long as the demo.
 */
final class OwnProcess {
  private static final int LAST_LINES = 15;
  private static final int STEP_MILLIS = 50;
  private static final int PROBE_MILLIS = 500;

  /** What ends the process. */
  enum End {
    /** At once: what was acknowledged is on disk. */
    KILL,
    TERM,
    /** PostgreSQL ends its connections, and then itself. */
    INT
  }

  private final String name;
  private final Path log;
  private final End end;
  private final Process process;

  private OwnProcess(String name, Path log, End end, Process process) {
    this.name = name;
    this.log = log;
    this.end = end;
    this.process = process;
  }

  /**
   * Starts a process.
   *
   * @param account under which it runs
   * @param orphaned what the kernel does to it if this process is killed
   * @param end what {@link #stop} does
   */
  static OwnProcess start(String name, Path log, ServerAccount account, End orphaned, End end, List<String> arguments) {
    return new OwnProcess(name, log, end, launch(account.command(orphaned, arguments), log));
  }

  /** Executes a program to its end; returns whether it succeeded. */
  static boolean execute(Path log, ServerAccount account, List<String> arguments) throws InterruptedException {
    return launch(account.command(End.KILL, arguments), log).waitFor() == 0;
  }

  private static Process launch(List<String> command, Path log) {
    try {
      return new ProcessBuilder(command)
          .directory(log.toAbsolutePath().resolveSibling(".").normalize().toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .redirectInput(Path.of("/dev/null").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /**
   * Waits until the process is ready.
   *
   * @throws DemoRefused with the last lines of its log, if it ends or takes too long
   */
  void await(BooleanSupplier ready, Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (!ready.getAsBoolean()) {
      if (!process.isAlive()) {
        throw new DemoRefused(name + " ended with exit code " + process.exitValue() + ". The end of " + log + ":\n" + lastLines(log));
      }
      if (System.nanoTime() > until) {
        throw new DemoRefused(name + " is not ready after " + patience.toSeconds() + " s. The end of " + log + ":\n" + lastLines(log));
      }
      Thread.sleep(STEP_MILLIS);
    }
  }

  static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_MILLIS);
      return true;
    } catch (IOException nobodyListens) {
      return false;
    }
  }

  static String lastLines(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    } catch (IOException unreadable) {
      return "(" + log + " cannot be read)";
    }
  }

  /** Asks the process to end; returns at once. */
  void stop() {
    if (!process.isAlive()) {
      return;
    }
    try {
      new ProcessBuilder("kill", "-" + end.name(), String.valueOf(process.pid())).start().waitFor();
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end, and kills what takes longer. */
  void awaitEnd(Duration patience) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

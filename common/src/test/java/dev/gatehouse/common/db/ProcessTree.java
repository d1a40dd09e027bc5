package dev.gatehouse.common.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server with the processes that it starts, one for each connection and for other work. */
record ProcessTree(Process server) {

  private static final long LONGEST_SECONDS = 30;

  private Stream<ProcessHandle> all() {
    return Stream.concat(Stream.of(server.toHandle()), server.descendants());
  }

  /** Sends a signal, by its name with a hyphen, to all of them. */
  void signal(String signal) throws IOException, InterruptedException {
    signal(signal, all());
  }

  /** Sends a signal to the server alone. */
  void signalServer(String signal) throws IOException, InterruptedException {
    signal(signal, Stream.of(server.toHandle()));
  }

  /** Sends a signal to processes. One that has ended gets none: another process may have its number by then. */
  static void signal(String signal, Stream<ProcessHandle> parts) throws IOException, InterruptedException {
    List<String> alive = parts.filter(ProcessHandle::isAlive).map(part -> String.valueOf(part.pid())).toList();
    if (!alive.isEmpty()) {
      List<String> command = new ArrayList<>(List.of("kill", signal));
      command.addAll(alive);
      new ProcessBuilder(command).start().waitFor();
    }
  }

  /**
   * Ends all of them as {@code kill -9} does, and waits until the kernel has taken their memory back: PostgreSQL refuses to start while
   * the shared memory of the same data is still in use.
   */
  void kill() throws InterruptedException {
    // Stopped first: it would start others, in place of those that end before it, and for clients that connect meanwhile.
    try {
      signalServer("-STOP");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await(server.toHandle(), "TZX");
    List<ProcessHandle> started = server.descendants().toList();
    started.forEach(ProcessHandle::destroyForcibly);
    server.destroyForcibly().waitFor();
    for (ProcessHandle one : started) {
      // A zombie has no memory. It stays one for ever in a container whose first process takes no exit codes.
      await(one, "ZX");
    }
  }

  /** Waits until a process is gone, or has one of these states, by the letters of proc(5). */
  private static void await(ProcessHandle process, String states) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
    while (process.isAlive() && states.indexOf(state(process)) < 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("Process " + process.pid() + " is still in state " + state(process) + ", not one of " + states);
      }
      Thread.sleep(1);
    }
  }

  private static char state(ProcessHandle process) {
    try {
      String line = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
      return line.charAt(line.lastIndexOf(')') + 2);
    } catch (IOException e) {
      // It has ended just now.
      return 'X';
    }
  }
}

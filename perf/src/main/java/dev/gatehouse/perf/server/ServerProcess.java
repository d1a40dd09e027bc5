package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server under test: a process of ours, with its log, its CPU time and its memory as Linux counts them. */
public final class ServerProcess implements AutoCloseable {

  private static final double TICKS_PER_SECOND = 100;

  private final String name;
  private final Process process;
  private final Path log;

  private ServerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /** Starts the command; output goes to {@code directory/name.log}. */
  public static ServerProcess start(String name, Path directory, Map<String, String> environment, List<String> command)
      throws IOException {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    return new ServerProcess(name, builder.start(), log);
  }

  public String name() {
    return name;
  }

  /** Waits until {@code ready}; throws with the end of the log where the process dies or time runs out. */
  public ServerProcess await(BooleanSupplier ready, Duration most) throws IOException, InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (!ready.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException(name + " did not start; the end of its log:\n" + tail());
      }
      Thread.sleep(50);
    }
    return this;
  }

  /** User and system time of the process so far, in seconds (proc(5), fields 14 and 15 of stat). */
  public double cpuSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** Resident memory in bytes (proc(5), VmRSS of status). */
  public long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("no VmRSS for " + name);
  }

  public boolean logContains(String text) {
    try {
      return Files.exists(log) && Files.readString(log, StandardCharsets.UTF_8).contains(text);
    } catch (IOException e) {
      return false;
    }
  }

  private String tail() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
  }

  /** Ends the process: SIGTERM, after 10 s SIGKILL. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

package dev.gatehouse.perf.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server under test: a child process with its log, and its CPU time and memory as Linux reports them. */
public final class ServerProcess implements AutoCloseable {

  private static final double TICKS_PER_SECOND = 100;

  /** The used bytes of the heap's spaces; metaspace is reported separately. */
  private static final Pattern HEAP_USED = Pattern.compile("(?:heap|generation) +total[^\\n]*?, used (\\d+)K");

  private final String name;
  private final Process process;
  private final Path log;
  private final int port;
  private final long startedNanos = System.nanoTime();

  private ServerProcess(String name, Process process, Path log, int port) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * Starts the command; its output goes to {@code directory/name.log}.
   *
   * @param port on which it will listen at 127.0.0.1
   */
  public static ServerProcess start(
      String name, Path directory, Map<String, String> environment, List<String> command, int port) throws IOException {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    ServerProcess server = new ServerProcess(name, builder.start(), log, port);
    // Ends the servers also when a benchmark is interrupted.
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end-" + name));
    return server;
  }

  /** A server that a fixture started and ends; only its CPU time and memory are read. */
  public static ServerProcess watched(String name, Process process, int port) {
    return new ServerProcess(name, process, Path.of("/dev/null"), port);
  }

  public String name() {
    return name;
  }

  public int port() {
    return port;
  }

  /** The time of its start ({@link System#nanoTime}). */
  public long startedNanos() {
    return startedNanos;
  }

  public ServerProcess awaitPort() throws IOException, InterruptedException {
    return await(this::isListening, Duration.ofSeconds(60));
  }

  private boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Waits until {@code ready}.
   *
   * @throws IOException with the end of the log, if the process ends or the time is over
   */
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

  /** User and system time of the process and its descendants so far, in seconds. */
  public double cpuSeconds() throws IOException {
    double seconds = 0;
    for (ProcessHandle each : tree()) {
      seconds += cpuSeconds(each.pid());
    }
    return seconds;
  }

  /** Includes the time of its ended children (proc(5), fields 14 to 17 of stat). */
  private static double cpuSeconds(long pid) throws IOException {
    String stat;
    try {
      stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    } catch (NoSuchFileException e) {
      // The process has just ended; its time is included in its parent's.
      return 0;
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long ticks = 0;
    for (int field = 11; field <= 14; field++) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks / TICKS_PER_SECOND;
  }

  /** Resident memory of the process in bytes, without its descendants (proc(5), VmRSS of status). */
  public long residentBytes() throws IOException {
    return residentBytes(process.pid());
  }

  /** Resident memory including its descendants; shared pages are counted for each. */
  public long treeResidentBytes() throws IOException {
    long bytes = 0;
    for (ProcessHandle each : tree()) {
      bytes += residentBytes(each.pid());
    }
    return bytes;
  }

  private long residentBytes(long pid) throws IOException {
    return 1024 * status(pid, "VmRSS:");
  }

  private long status(long pid, String field) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith(field)) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no " + field + " for " + name);
  }

  /** The heap of a JVM in bytes that is used after full collections, according to jcmd. */
  public long heapBytes() throws IOException, InterruptedException {
    for (int i = 0; i < 3; i++) {
      jcmd("GC.run");
    }
    Matcher used = HEAP_USED.matcher(jcmd("GC.heap_info"));
    long bytes = 0;
    while (used.find()) {
      bytes += Long.parseLong(used.group(1)) * 1024;
    }
    return bytes;
  }

  /** The memory of a JVM that was started with {@code -XX:NativeMemoryTracking=summary}, by category, as jcmd writes it. */
  public String nativeMemory() throws IOException, InterruptedException {
    return jcmd("VM.native_memory");
  }

  /** The number of its file descriptors (proc(5), fd). */
  public long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return files.count();
    }
  }

  /** The number of its platform threads (proc(5), Threads of status). */
  public long threads() throws IOException {
    return status(process.pid(), "Threads:");
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    return Commands.output(List.of(jcmd, Long.toString(process.pid()), command));
  }

  private List<ProcessHandle> tree() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The complete output so far. */
  public String output() throws IOException {
    return Files.readString(log, StandardCharsets.UTF_8);
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

  /** Ends the process and its children with SIGKILL. */
  public void kill() throws InterruptedException {
    tree().forEach(ProcessHandle::destroyForcibly);
    process.waitFor();
  }

  /** Ends the process with SIGTERM, and after 10 s with SIGKILL. */
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

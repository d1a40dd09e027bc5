package dev.gatehouse.common.valkey;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig.Security;
import dev.gatehouse.common.node.ValkeyConfig.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/**
 * A real {@code valkey-server} of Debian's backports on a free port of loopback, with its files in memory where possible. Where it is not
 * installed the test is skipped by name, and fails under {@code CI=true}.
 */
public final class ValkeyServer implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/bin/valkey-server");

  private final Path home;
  private final int port;
  private final List<String> settings;
  private Process process;

  private ValkeyServer(Path home, int port, List<String> settings) {
    this.home = home;
    this.port = port;
    this.settings = settings;
    this.process = run();
  }

  /** Starts a primary that keeps everything on disk, with further settings, as on the command line. */
  public static ValkeyServer start(String... settings) {
    requireInstalled();
    try {
      Path memory = Path.of("/dev/shm");
      Path home =
          Files.isWritable(memory)
              ? Files.createTempDirectory(memory, "gatehouse-valkey")
              : Files.createTempDirectory("gatehouse-valkey");
      return new ValkeyServer(home, freePort(), List.of(settings)).awaitAnswer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a primary in an empty folder, which may be a disk of its own. */
  static ValkeyServer startIn(Path home, List<String> settings) throws IOException {
    requireInstalled();
    return new ValkeyServer(home, freePort(), settings).awaitAnswer();
  }

  /** Starts a replica and waits until it follows. */
  public static ValkeyServer replicaOf(ValkeyServer primary) {
    return replicaOf(primary.port);
  }

  /** Starts a replica of what is reached by that port. */
  static ValkeyServer replicaOf(int port, String... settings) {
    ValkeyServer replica =
        start(Stream.concat(Stream.of("--replicaof", "127.0.0.1 " + port), Arrays.stream(settings)).toArray(String[]::new));
    replica.await("master_link_status:up");
    return replica;
  }

  public static void requireInstalled() {
    boolean installed = Files.isExecutable(PROGRAM);
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("valkey-server is not installed: apt-get install -t bookworm-backports valkey-server");
    }
    assumeTrue(installed, "skipped: valkey-server is not installed (apt-get install -t bookworm-backports valkey-server)");
  }

  private Process run() {
    List<String> command =
        new ArrayList<>(
            List.of(
                PROGRAM.toString(), "--port", String.valueOf(port), "--bind", "127.0.0.1", "--dir", home.toString(),
                "--appendonly", "yes", "--appendfsync", "always", "--save", "", "--repl-diskless-sync-delay", "0"));
    command.addAll(settings);
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(home.resolve("log").toFile()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path home() {
    return home;
  }

  public int port() {
    return port;
  }

  /** Returns the process that runs now. */
  public Process process() {
    return process;
  }

  /** Returns the configuration of nodes that use this server, in a namespace. */
  public ValkeyConfig config(String namespace, Acknowledge acknowledge) {
    return new ValkeyConfig(
        new Place.Direct(new Server("127.0.0.1", port)), Optional.empty(), new Security.Plain(), acknowledge,
        Duration.ofSeconds(60), Duration.ofSeconds(2), namespace);
  }

  /** Kills the process as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Starts the server again with the data that are on disk. */
  public void startAgain() {
    process = run();
    awaitAnswer();
  }

  /** Stops the process without ending it (SIGSTOP), or lets it go on (SIGCONT). */
  public void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes the data of a server that does not run. */
  public void forgetEverything() {
    remove(home.resolve("appendonlydir"));
  }

  /** Returns all bytes that the server wrote to its disk. */
  String dump() {
    StringBuilder all = new StringBuilder();
    try (var files = Files.walk(home.resolve("appendonlydir"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.toString();
  }

  private ValkeyServer awaitAnswer() {
    return await("loading:0");
  }

  ValkeyServer await(String line) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    String answer = "";
    while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
      try {
        answer = command("INFO", "everything");
        if (answer.contains(line) || answer.contains("NOAUTH")) {
          return this;
        }
      } catch (UncheckedIOException e) {
        // It does not listen yet.
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    throw new IllegalStateException("The server does not reach " + line + ": " + answer);
  }

  /** Executes a command and returns the answer as it came. */
  public String command(String... words) {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write((request + "*1\r\n$4\r\nQUIT\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    kill();
    remove(home);
  }

  private static boolean isMounted(Path folder) throws IOException {
    return !Files.getFileStore(folder).equals(Files.getFileStore(folder.toAbsolutePath().getParent()));
  }

  private static void remove(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        // A folder that is a disk of its own stays until it is unmounted.
        if (!file.equals(folder) || !isMounted(folder)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.gatehouse.common.db;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/**
 * A real PostgreSQL (Debian's package {@code postgresql}) with a new cluster in a temporary folder, as an ordinary process of this test
 * on a free port of loopback. Where it is not installed the test is skipped by name, and fails under {@code CI=true}. Run as root, it
 * runs as the user {@code postgres}, because it refuses root.
 */
final class Postgres implements AutoCloseable {

  private static final long START_SECONDS = 30;
  private static final List<String> AS_POSTGRES =
      ProcessHandle.current().info().user().filter("root"::equals).isPresent()
          ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
          : List.of();

  private final Path home;
  private final int port;
  private final Process process;

  private Postgres(Path home, int port, Process process) {
    this.home = home;
    this.port = port;
    this.process = process;
  }

  /** Starts a server; its data need not survive the machine. */
  static Postgres start() throws IOException, InterruptedException {
    Path programs = programs();
    Path home = Files.createTempDirectory("gatehouse-postgres");
    if (!AS_POSTGRES.isEmpty()) {
      Files.setOwner(home, home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
    }
    String cluster = home.resolve("cluster").toString();
    Process init =
        process(home, programs.resolve("initdb"), "-D", cluster, "-U", "gatehouse", "-A", "trust", "-E", "UTF8", "--no-sync",
            "--no-instructions");
    if (init.waitFor() != 0) {
      throw new IOException(Files.readString(home.resolve("log")));
    }
    int port = FreePorts.one();
    Process server =
        process(home, programs.resolve("postgres"), "-D", cluster, "-p", String.valueOf(port), "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories=" + home, "-c", "fsync=off");
    Postgres started = new Postgres(home, port, server);
    started.await(programs);
    return started;
  }

  /** Returns the folder of the programs; skips the test by name if there is none. */
  private static Path programs() throws IOException {
    Path versions = Path.of("/usr/lib/postgresql");
    Optional<Path> found = Optional.empty();
    if (Files.isDirectory(versions)) {
      try (Stream<Path> all = Files.list(versions)) {
        found = all.map(version -> version.resolve("bin")).filter(bin -> Files.isExecutable(bin.resolve("initdb"))).findFirst();
      }
    }
    if (found.isEmpty() && "true".equals(System.getenv("CI"))) {
      Assertions.fail("PostgreSQL is not installed: apt-get install postgresql");
    }
    assumeTrue(found.isPresent(), "skipped: PostgreSQL is not installed (apt-get install postgresql)");
    return found.orElseThrow();
  }

  private static Process process(Path home, Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(AS_POSTGRES);
    command.add(program.toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(home.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()))
        .start();
  }

  private void await(Path programs) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (process(home, programs.resolve("pg_isready"), "-h", "127.0.0.1", "-p", String.valueOf(port)).waitFor() != 0) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException(Files.readString(home.resolve("log")));
      }
      Thread.onSpinWait();
    }
  }

  /** Returns the address of an empty database. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      try (Stream<Path> all = Files.walk(home)) {
        all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.gatehouse.common.db;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.realm.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;

/**
 * A real PostgreSQL (Debian's package {@code postgresql}) with a new cluster in a temporary folder, as an ordinary process of this test
 * on a free port of loopback. Where it is not installed the test is skipped by name, and fails under {@code CI=true}. Run as root, it
 * runs as the user {@code postgres}, because it refuses root.
 */
public final class Postgres implements AutoCloseable {

  private static final long START_SECONDS = 30;

  /** Of the lock file, from 0. */
  private static final int STATUS_LINE = 7;

  private static final List<String> AS_POSTGRES =
      ProcessHandle.current().info().user().filter("root"::equals).isPresent()
          ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
          : List.of();

  private static final String PASSWORD = "example-password";

  private static @Nullable Path template;
  private static @Nullable Path withTables;

  private final Path programs;
  private final Path home;
  private final int port;
  private final List<String> settings;
  private Process process;

  private Postgres(Path programs, Path home, int port, List<String> settings) throws IOException {
    this.programs = programs;
    this.home = home;
    this.port = port;
    this.settings = List.copyOf(settings);
    this.process = launch();
  }

  /**
   * Starts a server; its data need not survive the machine.
   *
   * @param settings lines for {@code -c}
   */
  public static Postgres start(String... settings) throws IOException, InterruptedException {
    return startIn(home(), settings);
  }

  /** The same, with our tables, as a node leaves them that opened it and ended: to make them takes longer than to copy them. */
  public static Postgres withTables(String... settings) throws IOException, InterruptedException {
    Path programs = programs();
    return startCopy(programs, withTables(programs), home(), settings);
  }

  /** Starts a server in an empty folder, which may be a disk of its own. */
  public static Postgres startIn(Path home, String... settings) throws IOException, InterruptedException {
    Path programs = programs();
    return startCopy(programs, template(programs), home, settings);
  }

  private static Postgres startCopy(Path programs, Path cluster, Path home, String... settings) throws IOException, InterruptedException {
    own(home);
    Process copy = new ProcessBuilder("cp", "-a", cluster.toString(), home.resolve("cluster").toString()).inheritIO().start();
    if (copy.waitFor() != 0) {
      throw new IOException("A cluster of PostgreSQL cannot be copied to " + home);
    }
    return started(programs, home, settings);
  }

  private static synchronized Path withTables(Path programs) throws IOException, InterruptedException {
    Path made = withTables;
    if (made == null) {
      Path home = home();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteAll(home)));
      Postgres server = startCopy(programs, template(programs), home);
      try {
        PostgresDatabase.open(server.config()).close();
      } catch (PostgresUnusable e) {
        throw new IOException(e);
      } finally {
        server.stop();
      }
      made = home.resolve("cluster");
      withTables = made;
    }
    return made;
  }

  /** Returns a new cluster that each server of this JVM begins with a copy of: making one takes ten times as long. */
  private static synchronized Path template(Path programs) throws IOException, InterruptedException {
    Path made = template;
    if (made == null) {
      Path home = home();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteAll(home)));
      Path password = Files.writeString(home.resolve("password"), PASSWORD);
      own(password);
      made = home.resolve("cluster");
      Process init =
          process(home, programs.resolve("initdb"), "-D", made.toString(), "-U", "gatehouse", "-A", "scram-sha-256",
              "--pwfile=" + password, "-E", "UTF8", "--no-sync", "--no-instructions");
      if (init.waitFor() != 0) {
        throw new IOException(Files.readString(home.resolve("log")));
      }
      template = made;
    }
    return made;
  }

  /** Starts a standby of this server, which is asynchronous unless this server is told to wait for it. */
  public Postgres standby(String... further) throws IOException, InterruptedException {
    return standby(port, further);
  }

  /** The same, through a line to this server. */
  public Postgres standby(int line, String... further) throws IOException, InterruptedException {
    Path copy = home();
    ProcessBuilder backup =
        builder(copy, programs.resolve("pg_basebackup"), "-D", copy.resolve("cluster").toString(), "-R", "-X", "stream", "--no-sync",
            "-d", "host=127.0.0.1 port=" + line + " user=gatehouse password=" + PASSWORD + " application_name=standby");
    if (backup.start().waitFor() != 0) {
      throw new IOException(Files.readString(copy.resolve("log")));
    }
    return started(programs, copy, further);
  }

  private static Postgres started(Path programs, Path home, String... settings) throws IOException, InterruptedException {
    Postgres started = new Postgres(programs, home, FreePorts.one(), List.of(settings));
    started.await();
    return started;
  }

  private static Path home() throws IOException {
    Path memory = Path.of("/dev/shm");
    String name = "gatehouse-postgres";
    Path home = Files.isWritable(memory) ? Files.createTempDirectory(memory, name) : Files.createTempDirectory(name);
    own(home);
    return home;
  }

  private static void own(Path file) throws IOException {
    if (!AS_POSTGRES.isEmpty()) {
      Files.setOwner(file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
    }
  }

  private Process launch() throws IOException {
    List<String> arguments = new ArrayList<>();
    for (String setting : settings) {
      arguments.addAll(List.of("-c", setting));
    }
    arguments.addAll(
        List.of("-D", home.resolve("cluster").toString(), "-p", String.valueOf(port), "-c", "listen_addresses=127.0.0.1", "-c",
            "unix_socket_directories=" + home, "-c", "fsync=off"));
    return process(home, programs.resolve("postgres"), arguments.toArray(String[]::new));
  }

  /** Ends the server as {@code kill -9} does, and everything that it runs; nothing of that is there any more afterwards. */
  public void kill() throws InterruptedException {
    new ProcessTree(process).kill();
  }

  /** Starts the server again after {@link #kill}. */
  public void startAgain() throws IOException, InterruptedException {
    Files.deleteIfExists(home.resolve("cluster/postmaster.pid"));
    process = launch();
    await();
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Makes a standby take writes. */
  public void promote() throws IOException, InterruptedException {
    if (process(home, programs.resolve("pg_ctl"), "promote", "-w", "-D", home.resolve("cluster").toString()).waitFor() != 0) {
      throw new IOException(Files.readString(home.resolve("log")));
    }
  }

  /** Stops the server and everything that it runs without a word, as a machine that hangs; {@link #resume} goes on. */
  public void pause() throws IOException, InterruptedException {
    new ProcessTree(process).signal("-STOP");
  }

  public void resume() throws IOException, InterruptedException {
    new ProcessTree(process).signal("-CONT");
  }

  /** Returns the configuration of a node for this server. */
  public PostgresConfig config() {
    return config(PASSWORD, this);
  }

  /** Returns the configuration of a node with that password, for several servers of which one takes writes. */
  public static PostgresConfig config(String password, Postgres... servers) {
    List<InetSocketAddress> addresses =
        Stream.of(servers).map(server -> InetSocketAddress.createUnresolved("127.0.0.1", server.port)).toList();
    return new PostgresConfig(addresses, "postgres", "gatehouse", new Secret(password), 8, true, Optional.empty());
  }

  /** Returns the password of the user. */
  public static String password() {
    return PASSWORD;
  }

  public int port() {
    return port;
  }

  /** Returns the process that runs now; the servers of connections are its children. */
  public Process process() {
    return process;
  }

  /** Executes statements as the owner. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "gatehouse", PASSWORD);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
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
    return builder(home, program, arguments).start();
  }

  private static ProcessBuilder builder(Path home, Path program, String... arguments) {
    List<String> command = new ArrayList<>(AS_POSTGRES);
    command.add(program.toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(home.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()));
  }

  private void await() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        String log = Files.readString(home.resolve("log"));
        // The log goes with the folder.
        close();
        throw new IOException(log);
      }
      Thread.sleep(10);
    }
  }

  /** Whether the server says in its lock file that it takes connections, which {@code pg_ctl} waits for: asking it would take a process. */
  private boolean isReady() throws IOException {
    try {
      List<String> lines = Files.readAllLines(home.resolve("cluster/postmaster.pid"));
      return lines.size() > STATUS_LINE && lines.get(STATUS_LINE).startsWith("ready");
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() {
    // A server that did not start has deleted it.
    if (stop() && Files.exists(home)) {
      deleteAll(home);
    }
  }

  /** Ends the server, and returns whether it has ended. */
  private boolean stop() {
    // Fast shutdown: open connections are ended.
    try {
      new ProcessTree(process).signalServer("-INT");
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void deleteAll(Path home) {
    try (Stream<Path> all = Files.walk(home)) {
      all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

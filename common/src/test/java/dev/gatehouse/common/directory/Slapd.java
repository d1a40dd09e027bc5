package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/**
 * A real slapd (Debian's package {@code slapd} 2.5) with mdb, the indexes that we search by, and the password policy
 * overlay, as an ordinary process of this test on a free port of loopback, its data in a temporary folder, loaded through
 * slapadd. Where slapd is not installed the test is skipped by name, and fails under {@code CI=true}.
 *
 * <pre>{@code
 * try (Slapd slapd = Slapd.start(TestPeople.LDIF)) { … TestPeople.config(slapd.port()) … }
 * }</pre>
 *
 * <p>Run as root, slapd stays root: its data is ours to delete.
 */
public final class Slapd implements TestDirectoryServer {

  /** The administrator's DN; password {@code admin}. */
  public static final String ADMIN = "cn=admin," + TestPeople.BASE;

  /** Settings with which the service account may write links into people's entries. */
  public static final List<String> FEDERATION =
      List.of(
          "access to attrs=gatehouseFederation,objectClass by dn.exact=" + TestPeople.SERVICE + " write by * read");

  private static final Path PROGRAM = Path.of("/usr/sbin/slapd");
  private static final Path LOADER = Path.of("/usr/sbin/slapadd");
  private static final long START_SECONDS = 20;

  private final Path home;
  private final int port;
  private Process process;

  private Slapd(Path home, int port) throws IOException {
    this.home = home;
    this.port = port;
    this.process = launch();
  }

  /** Starts a server with these entries, without a password policy unless an entry names one. */
  public static Slapd start(String... ldif) {
    return start(List.of(), ldif);
  }

  /**
   * The same with more lines for the database's part of slapd.conf: {@code access …} rules, which come before ours, and
   * {@code ppolicy_default …} (the overlay is there already).
   */
  public static Slapd start(List<String> settings, String... ldif) {
    requireInstalled();
    try {
      Path home = Files.createTempDirectory("gatehouse-slapd");
      Path entries = home.resolve("entries.ldif");
      Files.writeString(entries, String.join("\n", ldif));
      return start(home, settings, entries);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As above, with the entries in a file, which may be large. */
  public static Slapd start(Path entries) {
    requireInstalled();
    try {
      return start(Files.createTempDirectory("gatehouse-slapd"), List.of(), entries);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server with these entries that others may follow (RFC 4533); changes are made here. */
  public static Slapd startProvider(String... ldif) {
    return start(List.of("overlay syncprov"), ldif);
  }

  /** Starts a server that follows a provider, and returns once it has its entries. */
  public static Slapd replicaOf(Slapd provider) {
    String settings =
        """
        syncrepl rid=001 provider=ldap://127.0.0.1:%1$d type=refreshAndPersist retry="1 +" searchbase="%2$s"\
         bindmethod=simple binddn="%3$s" credentials=admin
        updateref ldap://127.0.0.1:%1$d"""
            .formatted(provider.port(), TestPeople.BASE, ADMIN);
    Slapd replica = start(List.of(settings), "");
    replica.awaitAllOf(provider);
    return replica;
  }

  /** Waits until every change of a provider has arrived: both name the same last change. */
  public void awaitAllOf(Slapd provider) {
    Eventually.holds(() -> state().equals(provider.state()));
  }

  private List<String> state() {
    try (LDAPConnection connection = administrator()) {
      Entry base = connection.getEntry(TestPeople.BASE, "contextCSN");
      return base == null || !base.hasAttribute("contextCSN") ? List.of(String.valueOf(port)) : List.of(base.getAttributeValues("contextCSN"));
    } catch (LDAPException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Replaces a person's password, as an administrator of the directory does. */
  public void setPassword(String dn, String password) throws LDAPException {
    modify(dn, new Modification(ModificationType.REPLACE, "userPassword", password));
  }

  /** Changes an entry, as an administrator of the directory does. */
  public void modify(String dn, Modification change) throws LDAPException {
    try (LDAPConnection connection = administrator()) {
      connection.modify(dn, change);
    }
  }

  private LDAPConnection administrator() throws LDAPException {
    return new LDAPConnection("127.0.0.1", port, ADMIN, "admin");
  }

  private static Slapd start(Path home, List<String> settings, Path entries) throws IOException {
    Files.createDirectories(home.resolve("data"));
    Files.writeString(home.resolve("slapd.conf"), configuration(home, settings));
    load(home, entries);
    Slapd slapd = new Slapd(home, FreePorts.one());
    try {
      slapd.awaitListening();
    } catch (RuntimeException | Error e) {
      slapd.close();
      throw e;
    }
    return slapd;
  }

  /** Skips the test by name if there is no slapd; fails it under {@code CI=true}. */
  public static void requireInstalled() {
    boolean installed = Files.isExecutable(PROGRAM) && Files.isExecutable(LOADER);
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("slapd is not installed: apt-get install slapd");
    }
    assumeTrue(installed, "skipped: slapd is not installed (apt-get install slapd)");
  }

  private static String configuration(Path home, List<String> settings) {
    return """
        include /etc/ldap/schema/core.schema
        include /etc/ldap/schema/cosine.schema
        include /etc/ldap/schema/inetorgperson.schema
        include %5$s
        pidfile %1$s/slapd.pid
        modulepath /usr/lib/ldap
        moduleload back_mdb
        moduleload ppolicy
        moduleload syncprov
        moduleload argon2
        moduleload memberof
        sizelimit 1000
        database mdb
        suffix "%2$s"
        rootdn "cn=admin,%2$s"
        rootpw admin
        directory %1$s/data
        maxsize 8589934592
        # A test's data need not survive the machine.
        dbnosync
        index objectClass,uid,mail,member,entryUUID,gatehouseFederation eq
        %4$s
        access to attrs=userPassword by self write by anonymous auth by * none
        access to * by * read
        overlay ppolicy
        ppolicy_use_lockout
        ppolicy_hash_cleartext
        %3$s
        """
        .formatted(
            home,
            TestPeople.BASE,
            settings.stream().filter(line -> !line.startsWith("access")).collect(Collectors.joining("\n")),
            // The first matching rule applies, so a test's rules come before ours.
            settings.stream().filter(line -> line.startsWith("access")).collect(Collectors.joining("\n")),
            schema());
  }

  /** The schema that we ship; tests run in a module's folder. */
  private static Path schema() {
    Path ours = Path.of("docker", "directory", "gatehouse.schema");
    Path above = Path.of("").toAbsolutePath().resolveSibling(ours);
    return Files.exists(above) ? above : ours.toAbsolutePath();
  }

  private static void load(Path home, Path entries) throws IOException {
    Path log = home.resolve("slapadd.log");
    Process loader =
        new ProcessBuilder(
                LOADER.toString(), "-q", "-f", home.resolve("slapd.conf").toString(), "-l", entries.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(loader.waitFor(5, TimeUnit.MINUTES)).as("slapadd ended").isTrue();
    } catch (InterruptedException e) {
      loader.destroyForcibly();
      throw new IllegalStateException(e);
    }
    assertThat(loader.exitValue()).as("slapadd: %s", Files.readString(log)).isZero();
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(
            PROGRAM.toString(),
            "-d",
            "0",
            "-f",
            home.resolve("slapd.conf").toString(),
            "-h",
            "ldap://127.0.0.1:" + port)
        .redirectErrorStream(true)
        .redirectOutput(home.resolve("slapd.log").toFile())
        .start();
  }

  private void awaitListening() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < end && process.isAlive()) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
        return;
      } catch (IOException notYet) {
        sleepShortly();
      }
    }
    throw new IllegalStateException("slapd does not listen; see " + home.resolve("slapd.log"));
  }

  private static void sleepShortly() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int port() {
    return port;
  }

  /** Returns the process, for measurements. */
  public long pid() {
    return process.pid();
  }

  /**
   * Freezes the server: the kernel still accepts connections, but nothing answers. The kernel stops the threads one after another some
   * time after the signal, on a busy machine some milliseconds: until then a server answers.
   */
  public void freeze() {
    signal("-STOP");
    Eventually.holds(this::isFrozen);
  }

  /** Whether the kernel has stopped every thread (proc_pid_stat(5)). */
  private boolean isFrozen() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid()), "task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
    }
    return true;
  }

  public void thaw() {
    signal("-CONT");
  }

  private void signal(String name) {
    try {
      assertThat(new ProcessBuilder("kill", name, String.valueOf(pid())).start().waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Ends the server as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly();
    stop();
  }

  @Override
  public void stop() {
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

  @Override
  public void restart() {
    try {
      process = launch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitListening();
  }

  @Override
  public void close() {
    stop();
    try (Stream<Path> files = Files.walk(home)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

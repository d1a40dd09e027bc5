package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.process.Servers;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that check one-time passwords with a database each: the commands, RADIUS, what a replica answers, and a nomination. */
@Timeout(300)
class OtpServersIT {

  private static final String MASTER = Base64.getEncoder().encodeToString(new byte[32]);
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final PersonId CAROL = new PersonId("5f2b1d58-8d0c-4b6e-9d52-0c3f4b1c0103");

  @AutoClose private final Servers servers = new Servers();
  @AutoClose private final HttpClient http = HttpClient.newHttpClient();
  private final List<Integer> ports = FreePorts.take(6);
  @TempDir private Path folder;

  private record Server(Path config, int idp, int radius, int admin) {}

  @Test
  void aReplicaChecksPasscodesAndTakesOver() throws Exception {
    int directory = servers.begun(DemoDirectory.start(0)).port();
    int valkey = servers.begun(ValkeyServer.start()).port();
    Postgres first = servers.begun(Postgres.start("wal_level=logical"));
    Postgres second = servers.begun(Postgres.start("wal_level=logical", "max_slot_wal_keep_size=1GB"));
    Server berlin = server("berlin", "primary", first, first, 0, valkey);
    Files.writeString(
        Files.createDirectories(berlin.config().resolve("realms")).resolve("office.yaml"),
        Files.readString(Path.of("src/test/resources/shared/realms/office.yaml"))
                .lines()
                .takeWhile(line -> !line.startsWith("sp:") && !line.startsWith("partners:"))
                .reduce("", (all, line) -> all + line + "\n")
                .replace("${PUBLIC_IDP}", String.valueOf(berlin.idp()))
            + "  contracts: {token: {}}\n"
            + "radius: {clients: {vpn: {addresses: [127.0.0.1], secret: demo-secret}}}\n"
            + "directory: {urls: [\"ldap://127.0.0.1:" + directory + "\"], base: \"ou=people,dc=example,dc=org\", "
            + "filter: \"(&(objectClass=inetOrgPerson)(uid={name}))\"}\n");
    Server paris = server("paris", "replica", second, first, 3, valkey);
    RunningNode primary = RunningNode.start(berlin.config(), Map.of());
    try {
      primary.get(TokenSeeds.class).ensure("office", "carols", SEED, CAROL, "2468");
      assertThatThrownBy(() -> RunningNode.start(paris.config(), Map.of())).hasStackTraceContaining("give the command ./gatehouse otp push");
      assertThat(command(1, "check", "--config", berlin.config().toString())).contains("max_slot_wal_keep_size = -1");
      assertThat(command(1, "otp", "push", "--config", paris.config().toString())).contains("max_slot_wal_keep_size = -1");
      first.execute("alter system set max_slot_wal_keep_size = '1GB'", "select pg_reload_conf()");
      Eventually.holds(() -> !command("check", "--config", berlin.config().toString()).contains("max_slot_wal_keep_size"));
      assertThat(command(0, "otp", "push", "--config", paris.config().toString())).contains("Copied 13 tables of berlin (epoch 1)");
      try (RunningNode replica = RunningNode.start(paris.config(), Map.of())) {
        awaitLongStep();
        String passcode = "2468" + code(0);
        Eventually.holds(() -> radius(paris, passcode).contains("Received Access-Accept"));
        assertThat(radius(berlin, passcode)).contains("Received Access-Reject");
        assertThat(status(paris, "/realms/office/login")).as("a replica shows no pages").isEqualTo(404);
        assertThat(status(berlin, "/realms/office/.well-known/openid-configuration")).isEqualTo(200);
        assertThat(status(paris, "/realms/office/.well-known/openid-configuration")).isEqualTo(404);
        assertThat(command(0, "otp", "status", "--config", berlin.config().toString()))
            .contains("primary berlin, epoch 1 (this server)", "replica paris: connected");
        assertThat(epoch(berlin)).isEqualTo("1");
        Eventually.holds(() -> epoch(paris).equals("1"));
        assertThat(command(1, "otp", "forget", "paris", "--config", berlin.config().toString())).contains("paris is connected");
        Eventually.holds(() -> events(first, "PasscodeDecided") >= 2);
        assertThat(command(1, "otp", "nominate", "--config", paris.config().toString()))
            .contains("The primary berlin runs").doesNotContain("The node was not started");

        primary.close();
        first.kill();
        assertThat(command(1, "otp", "nominate", "--config", paris.config().toString())).contains("With --confirm it is done");
        long begun = System.nanoTime();
        assertThat(command(0, "otp", "nominate", "--config", paris.config().toString(), "--confirm")).contains("at epoch 2");
        String next = "2468" + code(1);
        Eventually.holds(() -> radius(paris, next).contains("Received Access-Accept"));
        System.out.println("From the nomination to an authentication: " + (System.nanoTime() - begun) / 1_000_000 + " ms");
        assertThat(epoch(paris)).isEqualTo("2");
        assertThat(radius(paris, next)).contains("Received Access-Reject");
        first.startAgain();
        assertThatThrownBy(() -> RunningNode.start(berlin.config(), Map.of())).hasStackTraceContaining("paris is, since epoch 2");
        assertThat(replica.node().isOtpReplica()).isTrue();
      }
    } finally {
      primary.close();
    }
  }

  private Server server(String name, String role, Postgres own, Postgres primary, int port, int valkey) throws IOException {
    Server server = new Server(folder.resolve(name), ports.get(port), ports.get(port + 1), ports.get(port + 2));
    Files.writeString(
        Files.createDirectories(server.config()).resolve("gatehouse.yaml"),
        """
        roles: [idp]
        listeners:
          idp: {address: 127.0.0.1, port: %d}
          radius: {address: 127.0.0.1, port: %d, realm: office}
          admin: {port: %d}
        storage: shared
        data: data
        masterKey: %s
        postgresql: {url: "postgresql://127.0.0.1:%d/postgres", user: gatehouse, password: "%s"}
        valkey: {server: "127.0.0.1:%d", tls: false, acknowledge: local}
        otp:
          role: %s
          server: %s
          servers:
            berlin: {url: "postgresql://127.0.0.1:%d/postgres", user: gatehouse, password: "%s"}
        """
            .formatted(
                server.idp(), server.radius(), server.admin(), MASTER, own.port(), Postgres.password(), valkey, role, name, primary.port(),
                Postgres.password()));
    return server;
  }

  private static String command(int expected, String... words) {
    StringWriter said = new StringWriter();
    assertThat(execute(said, words)).as(said.toString()).isEqualTo(expected);
    return said.toString();
  }

  private static String command(String... words) {
    StringWriter said = new StringWriter();
    execute(said, words);
    return said.toString();
  }

  private static int execute(StringWriter said, String... words) {
    PrintWriter out = new PrintWriter(said, true);
    return Launcher.commandLine().setOut(out).setErr(out).execute(words);
  }

  /** @param steps after the present one */
  private static String code(int steps) throws GeneralSecurityException {
    SecretKeySpec seed = new SecretKeySpec(SEED, "RAW");
    return new TimeBasedOneTimePasswordGenerator().generateOneTimePasswordString(seed, Instant.now().plusSeconds(30L * steps));
  }

  /**
   * Waits until ten seconds of the step of time are left. A code that is answered in the next step makes the token one that is late, of
   * which codes of the step after that one do not count.
   */
  private static void awaitLongStep() {
    Eventually.holds(() -> Instant.now().getEpochSecond() % 30 < 20);
  }

  /** Asks again with the same packet, as VPN gateways do: an answer that came too late has used the passcode up. */
  private static String radius(Server server, String passcode) {
    try {
      Process process =
          new ProcessBuilder("/usr/bin/radclient", "-x", "-r", "3", "-t", "3", "127.0.0.1:" + server.radius(), "auth", "demo-secret")
              .redirectErrorStream(true)
              .start();
      try (Writer request = process.outputWriter()) {
        request.write("User-Name = \"carol\"\nUser-Password = \"" + passcode + "\"\nMessage-Authenticator = 0x00\n");
      }
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int status(Server server, String path) throws IOException, InterruptedException {
    return http.send(request(server, path).build(), BodyHandlers.discarding()).statusCode();
  }

  private HttpRequest.Builder request(Server server, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.idp() + path)).header("Host", "idp.localhost:" + ports.getFirst());
  }

  /** Returns the epoch that a refused agent is told. */
  private String epoch(Server server) {
    HttpRequest request = request(server, "/realms/office/otp/v1/authentications").POST(HttpRequest.BodyPublishers.ofString("name=carol")).build();
    try {
      return http.send(request, BodyHandlers.discarding()).headers().firstValue("Gatehouse-Epoch").orElse("none");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Counts events in the database of the primary, of all servers. */
  private static long events(Postgres primary, String event) {
    try (Connection connection =
            DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + primary.port() + "/postgres", "gatehouse", Postgres.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from audit_line where line like '%\"" + event + "\"%'")) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

package dev.gatehouse.perf.otp;

import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.postgres.DatabaseKeyPlace;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.idp.otp.PinCost;
import dev.gatehouse.idp.otp.PinHashes;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;

/**
 * A primary and a replica as operators run them: processes of {@code ./gatehouse run} with a PostgreSQL each, and a Valkey for both. The
 * primary and its database are killed, and the replica is nominated by the command.
 */
final class NominatedServer extends Resources {

  private static final byte[] MASTER = new byte[32];
  private static final String PRIMARY = "berlin";
  private static final String REPLICA = "paris";

  /** Who is asked about: one before the nomination, and one after it. */
  private static final int ASKED = 2;

  private static final int SLAPD_PEOPLE = 100;
  private static final long PAUSE_MILLIS = 10;
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /**
   * Since the command was given.
   *
   * @param commandSeconds until it has ended
   * @param nominationSeconds until the server has accepted a passcode as the primary
   */
  record Times(double commandSeconds, double nominationSeconds) {}

  /** The parts that both servers use. */
  private record Shared(Postgres primary, int valkey, int slapd) {}

  private record Member(GatehouseNode.Configured node, int radius) {}

  private NominatedServer(Path work) {
    super(work);
  }

  /** @param people with a token and a PIN each */
  static Times measure(int people) throws Exception {
    try (NominatedServer servers = new NominatedServer(Files.createTempDirectory("gatehouse-nominate-"))) {
      return servers.run(Build.here(), people);
    }
  }

  private Times run(Build build, int people) throws Exception {
    int slapd = closeAtEnd(SlapdServer.start(work(), SLAPD_PEOPLE)).port();
    int valkey = closeAtEnd(ValkeyServer.start()).port();
    Postgres first = closeAtEnd(Postgres.start(OtpServersRun.SETTINGS));
    Postgres second = closeAtEnd(Postgres.start(OtpServersRun.SETTINGS));
    Shared shared = new Shared(first, valkey, slapd);
    Member berlin = member(PRIMARY, "primary", first, shared);
    GatehouseNode primary = closeAtEnd(berlin.node().start(build).await());
    fill(first, people);
    Member paris = member(REPLICA, "replica", second, shared);
    String config = paris.node().config().toString();
    Commands.output(build.command("otp", "push", "--config", config));
    GatehouseNode replica = closeAtEnd(paris.node().start(build).await());
    try (RadiusUser vpn = new RadiusUser(paris.radius(), new PeopleInTurn(1, ASKED), new WireBytes())) {
      requireAccepted(vpn, 1);
      primary.process().kill();
      first.kill();
      long begun = System.nanoTime();
      Commands.output(build.command("otp", "nominate", "--config", config, "--confirm"));
      double command = seconds(begun);
      // It answers as a replica, too: only this tells that it is the primary.
      awaitLog(replica.process(), "is PRIMARY now");
      requireAccepted(vpn, ASKED);
      return new Times(command, seconds(begun));
    }
  }

  private Member member(String name, String role, Postgres own, Shared shared) throws IOException {
    int port = FreePorts.take();
    int radius = FreePorts.take();
    String listeners =
        GatehouseNode.listener("idp", port) + "\n  radius: {realm: " + OtpPeople.REALM + ", address: 127.0.0.1, port: " + radius + "}";
    String storage =
        """
        storage: shared
        masterKey: %s
        postgresql: {url: "postgresql://127.0.0.1:%d/postgres", user: gatehouse, password: "%s"}
        valkey: {server: "127.0.0.1:%d", tls: false, acknowledge: local}
        otp:
          role: %s
          server: %s
          servers:
            %s: {url: "postgresql://127.0.0.1:%d/postgres", user: gatehouse, password: "%s"}
        """
            .formatted(
                Base64.getEncoder().encodeToString(MASTER), own.port(), Postgres.password(), shared.valkey(), role, name, PRIMARY,
                shared.primary().port(), Postgres.password());
    // The replica gets its realms from the primary.
    Map<String, String> realms = role.equals("primary") ? Map.of(OtpPeople.REALM, realm(port, shared.slapd())) : Map.of();
    return new Member(GatehouseNode.configure(name, work(), "[idp]", listeners, storage, port, realms), radius);
  }

  private static String realm(int port, int slapd) {
    return """
        idp:
          publicUrl: http://127.0.0.1:%d
          contracts:
            token: {}
        radius:
          clients:
            vpn: {addresses: [127.0.0.1], secret: %s}
        %s  idAttribute: uid
        """
        .formatted(port, RadiusUser.SECRET, GatehouseNode.directory(slapd, "uid: uid, cn: cn"));
  }

  /** Gives those who are asked about tokens that work, and all others rows that are as long. */
  private static void fill(Postgres primary, int people) throws Exception {
    SecureRandom random = new SecureRandom();
    try (PostgresDatabase database = PostgresDatabase.open(primary.config())) {
      DatabaseKeyPlace keys = new DatabaseKeyPlace(database, SealingKey.of(MASTER, random), InstantSource.system());
      SealingKey sealing = new SealingKey(keys, random);
      TokenSeeds seeds = new TokenSeeds(new JdbcTokens(database), new PinHashes(sealing, random, PinCost.USUAL), sealing);
      for (int n = 1; n <= ASKED; n++) {
        seeds.ensure(OtpPeople.REALM, OtpPeople.serial(n), OtpPeople.seed(n), new PersonId(People.name(n)), OtpPeople.PIN);
      }
    }
    primary.execute(OtpServersRun.people(people));
  }

  private static void requireAccepted(RadiusUser vpn, int person) throws IOException {
    PacketCode answer = vpn.ask(People.name(person), OtpPeople.passcode(person, OtpPeople.step()));
    if (answer != PacketCode.ACCESS_ACCEPT) {
      throw new IOException("The passcode of " + People.name(person) + " was not accepted: " + answer);
    }
  }

  private static void awaitLog(ServerProcess server, String text) throws IOException, InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!server.logContains(text)) {
      if (!server.isAlive() || System.nanoTime() > end) {
        throw new IOException("The log of " + server.name() + " does not say '" + text + "':\n" + server.output());
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}

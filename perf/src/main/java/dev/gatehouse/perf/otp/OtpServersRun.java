package dev.gatehouse.perf.otp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.OtpServerConfig.Role;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.Tokens.Use;
import dev.gatehouse.common.otp.Tokens.Used;
import dev.gatehouse.common.otp.replica.OtpNomination;
import dev.gatehouse.common.otp.replica.OtpPush;
import dev.gatehouse.common.otp.replica.OtpServer;
import dev.gatehouse.common.postgres.Deployment;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.perf.harness.Resources;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** A primary and a replica in this process, each with a PostgreSQL of its own, and a Valkey for both. */
final class OtpServersRun extends Resources {

  static final int BATCH = 100;

  private static final String REALM = "bench";
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(5));
  private static final AuditLog UNRECORDED = event -> {};
  private static final Duration LIFE = Duration.ofMinutes(20);
  private static final int MOST_WRONG = 10;

  /** What was measured. */
  record Measured(
      double pushSeconds, double changeP50, double changeP99, Uses uses, Map<String, Double> bytesByKind, double newPeopleSeconds,
      double nominationSeconds) {}

  /** Bytes of one authentication: rows in batches, each row alone, and at the replica, which brings its rows to the primary. */
  record Uses(double batched, double alone, double atReplica) {}

  private final Postgres berlin = closeAtEnd(Postgres.start("wal_level=logical", "max_wal_size=4GB", "max_slot_wal_keep_size=64GB"));
  private final Postgres paris = closeAtEnd(Postgres.start("wal_level=logical", "max_wal_size=4GB", "max_slot_wal_keep_size=64GB"));
  private final ValkeyServer valkey = closeAtEnd(ValkeyServer.start());
  private final CountedLine line = closeAtEnd(new CountedLine(berlin.port()));
  private final InstallationRecord installation;

  OtpServersRun(int people) throws Exception {
    super(Path.of(""));
    try (PostgresDatabase database = PostgresDatabase.open(berlin.config())) {
      Deployment deployment = new Deployment(database);
      installation = deployment.require("gatehouse", SEALING, Optional.empty(), new SecureRandom()).finished();
      deployment.finish(installation);
    }
    berlin.execute(
        "insert into configuration_revision values (1, 'bench', 'bench', now())", "insert into configuration_in_use values (1, 1)",
        // As long as those that a node seals.
        "insert into otp_token (realm, serial, kind, hash, digits, period, sealed_seed, state, person_id, last_used, drift) select '" + REALM
            + "', 't' || n, 'TOTP', 'SHA1', 6, 30, decode(repeat(md5(n::text), 2), 'hex') || decode(md5(n::text), 'hex'), 'ENABLED', 'p' || n, -1, 0"
            + " from generate_series(1, " + people + ") n",
        "insert into otp_person (realm, person_id, sealed_pins, new_pin, wrong_passcodes) select '" + REALM
            + "', 'p' || n, decode(repeat(md5(n::text), 6), 'hex'), false, 0 from generate_series(1, " + people + ") n");
  }

  Measured measure(int changes, int uses) throws Exception {
    OtpServer primary = server(Role.PRIMARY, "berlin", berlin, stores());
    long begun = System.nanoTime();
    try (PostgresDatabase own = PostgresDatabase.open(paris.config())) {
      new OtpPush(config(Role.REPLICA, "paris"), own).run(false, System.err::println);
    }
    double push = seconds(begun);
    ValkeyStores stores = stores();
    OtpServer replica = server(Role.REPLICA, "paris", paris, stores);
    await(() -> replica.problem().isEmpty());
    List<Double> times = changes(primary.tokens(), replica.tokens(), changes);
    double bytes = bytes(primary.tokens(), replica.tokens(), 1, uses, BATCH);
    double alone = bytes(primary.tokens(), replica.tokens(), uses + 1, uses / 10, 1);
    double atReplica = bytes(replica.tokens(), replica.tokens(), 2 * uses + 1, uses, BATCH);
    ReplicatedChanges kinds = new ReplicatedChanges(primary.tokens(), replica.tokens(), line);
    Map<String, Double> bytesByKind = kinds.bytes(changes);
    double newPeople = kinds.newPeople();
    double nomination = nominate(replica, stores);
    return new Measured(
        push, times.get(times.size() / 2), times.get(Math.max(0, times.size() * 99 / 100 - 1)), new Uses(bytes, alone, atReplica), bytesByKind,
        newPeople, nomination);
  }

  private static List<Double> changes(Tokens primary, Tokens replica, int changes) throws InterruptedException {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < changes; i++) {
      Token.State to = i % 2 == 0 ? Token.State.DISABLED : Token.State.ENABLED;
      primary.change(REALM, "t1", to);
      long begun = System.nanoTime();
      await(() -> replica.find(REALM, "t1").orElseThrow().state() == to);
      times.add(seconds(begun));
    }
    primary.change(REALM, "t1", Token.State.ENABLED);
    Collections.sort(times);
    return times;
  }

  /** Lets tokens be used, and returns the bytes of each use. */
  private double bytes(Tokens by, Tokens replica, int first, int uses, int batch) throws InterruptedException {
    long step = Instant.now().getEpochSecond() / 30;
    Thread.sleep(2_000);
    long quiet = line.bytes();
    long quietBegun = System.nanoTime();
    Thread.sleep(10_000);
    double quietPerSecond = (line.bytes() - quiet) / seconds(quietBegun);
    long before = line.bytes();
    long begun = System.nanoTime();
    for (int n = first; n < first + uses; n += batch) {
      List<Used> used = new ArrayList<>();
      for (int each = n; each < Math.min(n + batch, first + uses); each++) {
        Token token = by.find(REALM, "t" + each).orElseThrow();
        used.add(new Used(token, new Use(token.serial(), new PersonId("p" + each), step, 0, Instant.now())));
      }
      by.keepUses(REALM, used);
    }
    String last = "t" + (first + uses - 1);
    await(() -> replica.find(REALM, last).orElseThrow().lastUsed() == step);
    // What servers that check nobody say to each other is not of authentications.
    return (line.bytes() - before - quietPerSecond * seconds(begun)) / uses;
  }

  private double nominate(OtpServer replica, ValkeyStores stores) throws Exception {
    long step = Instant.now().plusSeconds(3_600).getEpochSecond() / 30;
    berlin.kill();
    long begun = System.nanoTime();
    // As the command does: with connections of its own.
    try (PostgresDatabase own = PostgresDatabase.open(paris.config())) {
      new OtpNomination(config(Role.REPLICA, "paris"), own, stores(), InstantSource.system()).run(true, false, System.err::println);
    }
    await(replica::isPrimary);
    Tokens tokens = replica.tokens();
    Token token = tokens.find(REALM, "t2").orElseThrow();
    Use use = new Use("t2", new PersonId("p2"), step, 0, Instant.now());
    boolean counts =
        tokens.marks(stores.replayCache()).firstSeen(new ReplayKey(REALM, "otp-token", "t2 " + step), Instant.now().plus(LIFE))
            && tokens.counts(REALM, new Used(token, use), Instant.now(), MOST_WRONG).isPresent();
    double seconds = seconds(begun);
    if (!counts) {
      throw new IllegalStateException("The code did not count after the nomination");
    }
    return seconds;
  }

  private OtpServerConfig config(Role role, String name) {
    PostgresConfig direct = berlin.config();
    PostgresConfig counted =
        new PostgresConfig(
            List.of(InetSocketAddress.createUnresolved("127.0.0.1", line.port())), direct.database(), direct.user(), direct.password(), 8, true,
            Optional.empty());
    return new OtpServerConfig(role, name, Map.of("berlin", counted, "paris", paris.config()), Duration.ZERO);
  }

  private ValkeyStores stores() throws InterruptedException {
    ValkeyStores stores =
        closeAtEnd(
            new ValkeyStores(
                valkey.config("bench", Acknowledge.LOCAL),
                new ValkeyStores.Node(SEALING, InstantSource.system(), new Random(), MetricFamilies.unpublished()), probe -> Optional.empty()));
    await(() -> stores.problem().isEmpty());
    return stores;
  }

  private OtpServer server(Role role, String name, Postgres postgres, ValkeyStores stores) throws Exception {
    PostgresDatabase database = closeAtEnd(PostgresDatabase.open(postgres.config()));
    return closeAtEnd(new OtpServer(config(role, name), database, installation, stores, UNRECORDED, InstantSource.system()));
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    while (!holds(condition)) {
      Thread.sleep(1);
    }
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (StoreUnavailable e) {
      return false;
    }
  }
}

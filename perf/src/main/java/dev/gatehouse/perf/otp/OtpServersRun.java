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
import dev.gatehouse.common.otp.replica.OtpPush;
import dev.gatehouse.common.otp.replica.OtpServer;
import dev.gatehouse.common.postgres.Deployment;
import dev.gatehouse.common.postgres.PostgresDatabase;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** A primary and replicas in this process, each with a PostgreSQL of its own, and a Valkey for all. */
final class OtpServersRun extends Resources {

  static final int BATCH = 100;

  private static final String REALM = "bench";
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(5));
  private static final AuditLog UNRECORDED = event -> {};
  private static final String PRIMARY = "berlin";

  /** Of each PostgreSQL; slots, senders and connections are enough for ten replicas and their copies. */
  static final String[] SETTINGS = {
    "wal_level=logical", "max_wal_size=4GB", "max_slot_wal_keep_size=64GB", "max_replication_slots=40", "max_wal_senders=40",
    "max_connections=300"
  };

  /**
   * What was measured.
   *
   * @param pushSeconds of the first replica, to which also all but {@code changes} belongs
   */
  record Measured(double pushSeconds, Changes changes, Uses uses, Map<String, Double> bytesByKind, double newPeopleSeconds) {}

  /**
   * A change of the primary, until it is valid at every replica.
   *
   * @param slowestReplica its number, from 1
   * @param slowestP99 of that replica alone
   */
  record Changes(int replicas, double changeP50, double changeP99, int slowestReplica, double slowestP99) {}

  /** Bytes of one authentication: rows in batches, each row alone, and at the replica, which brings its rows to the primary. */
  record Uses(double batched, double alone, double atReplica) {}

  private final Postgres berlin = closeAtEnd(Postgres.start(SETTINGS));
  private final Map<String, Postgres> replicas = new LinkedHashMap<>();
  private final ValkeyServer valkey = closeAtEnd(ValkeyServer.start());
  private final CountedLine line = closeAtEnd(new CountedLine(berlin.port()));
  private final InstallationRecord installation;

  OtpServersRun(int people, int replicas) throws Exception {
    super(Path.of(""));
    for (int n = 1; n <= replicas; n++) {
      this.replicas.put(name(n), closeAtEnd(Postgres.start(SETTINGS)));
    }
    try (PostgresDatabase database = PostgresDatabase.open(berlin.config())) {
      Deployment deployment = new Deployment(database);
      installation = deployment.require("gatehouse", SEALING, Optional.empty(), new SecureRandom()).finished();
      deployment.finish(installation);
    }
    berlin.execute(
        "insert into configuration_revision values (1, 'bench', 'bench', now())", "insert into configuration_in_use values (1, 1)");
    berlin.execute(people(people));
  }

  private static String name(int replica) {
    return "replica" + replica;
  }

  /** Statements for as many tokens and PINs, which are as long as those that a node seals. */
  static String[] people(int people) {
    return new String[] {
      "insert into otp_token (realm, serial, kind, hash, digits, period, sealed_seed, state, person_id, last_used, drift) select '" + REALM
          + "', 't' || n, 'TOTP', 'SHA1', 6, 30, decode(repeat(md5(n::text), 2), 'hex') || decode(md5(n::text), 'hex'), 'ENABLED', 'p' || n, -1, 0"
          + " from generate_series(1, " + people + ") n",
      "insert into otp_person (realm, person_id, sealed_pins, new_pin, wrong_passcodes) select '" + REALM
          + "', 'p' || n, decode(repeat(md5(n::text), 6), 'hex'), false, 0 from generate_series(1, " + people + ") n"
    };
  }

  Measured measure(int changes, int uses) throws Exception {
    Tokens primary = server(Role.PRIMARY, PRIMARY, berlin).tokens();
    List<Double> pushes = new ArrayList<>();
    List<OtpServer> servers = new ArrayList<>();
    for (Map.Entry<String, Postgres> replica : replicas.entrySet()) {
      pushes.add(push(replica.getKey(), replica.getValue()));
      servers.add(server(Role.REPLICA, replica.getKey(), replica.getValue()));
    }
    for (OtpServer server : servers) {
      await(() -> server.problem().isEmpty());
    }
    Tokens replica = servers.getFirst().tokens();
    Changes times = changes(primary, servers.stream().map(OtpServer::tokens).toList(), changes);
    double bytes = bytes(primary, replica, 1, uses, BATCH);
    double alone = bytes(primary, replica, uses + 1, uses / 10, 1);
    double atReplica = bytes(replica, replica, 2 * uses + 1, uses, BATCH);
    ReplicatedChanges kinds = new ReplicatedChanges(primary, replica, line);
    Map<String, Double> bytesByKind = kinds.bytes(changes);
    return new Measured(pushes.getFirst(), times, new Uses(bytes, alone, atReplica), bytesByKind, kinds.newPeople());
  }

  private double push(String name, Postgres postgres) throws Exception {
    long begun = System.nanoTime();
    try (PostgresDatabase own = PostgresDatabase.open(postgres.config())) {
      new OtpPush(config(Role.REPLICA, name), own).run(false, System.err::println);
    }
    return seconds(begun);
  }

  private static Changes changes(Tokens primary, List<Tokens> replicas, int changes) throws InterruptedException {
    ReplicaTimes times = new ReplicaTimes();
    for (int i = 0; i < changes; i++) {
      Token.State to = i % 2 == 0 ? Token.State.DISABLED : Token.State.ENABLED;
      primary.change(REALM, "t1", to);
      times.add(untilSeen(replicas, to, System.nanoTime()));
    }
    primary.change(REALM, "t1", Token.State.ENABLED);
    ReplicaTimes.Slowest slowest = times.slowest();
    return new Changes(replicas.size(), times.everywhere(0.5), times.everywhere(0.99), slowest.replica() + 1, slowest.p99());
  }

  /** Looks at each replica in turn until all have the state, and returns the seconds of each. */
  private static double[] untilSeen(List<Tokens> replicas, Token.State state, long begun) throws InterruptedException {
    double[] times = new double[replicas.size()];
    int left = times.length;
    while (left > 0) {
      for (int i = 0; i < times.length; i++) {
        Tokens replica = replicas.get(i);
        if (times[i] == 0 && holds(() -> replica.find(REALM, "t1").orElseThrow().state() == state)) {
          times[i] = seconds(begun);
          left--;
        }
      }
      if (left > 0) {
        Thread.sleep(1);
      }
    }
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

  /** The first replica reaches the primary by the line that counts, and others beside it. */
  private OtpServerConfig config(Role role, String name) {
    PostgresConfig direct = berlin.config();
    PostgresConfig counted =
        new PostgresConfig(
            List.of(InetSocketAddress.createUnresolved("127.0.0.1", line.port())), direct.database(), direct.user(), direct.password(), 8, true,
            Optional.empty());
    boolean isCounted = role == Role.PRIMARY || name.equals(name(1));
    Map<String, PostgresConfig> servers = new LinkedHashMap<>();
    servers.put(PRIMARY, isCounted ? counted : direct);
    replicas.forEach((replica, postgres) -> servers.put(replica, postgres.config()));
    return new OtpServerConfig(role, name, servers, Duration.ZERO);
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

  private OtpServer server(Role role, String name, Postgres postgres) throws Exception {
    PostgresDatabase database = closeAtEnd(PostgresDatabase.open(postgres.config()));
    return closeAtEnd(new OtpServer(config(role, name), database, installation, stores(), UNRECORDED, InstantSource.system()));
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

package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.faults.CutLine;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.OtpServerConfig.Role;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.replica.OtpForget;
import dev.gatehouse.common.otp.replica.OtpNomination;
import dev.gatehouse.common.otp.replica.OtpPush;
import dev.gatehouse.common.otp.replica.OtpServer;
import dev.gatehouse.common.otp.replica.OtpStatus;
import dev.gatehouse.common.postgres.Deployment;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Servers of one-time passwords with a real PostgreSQL each, a real Valkey for all, and lines between them that can be cut. */
final class OtpServers implements AutoCloseable {

  static final String REALM = "demo";
  static final PersonId CAROL = new PersonId("carol");
  static final TokenType HOTP = new TokenType(TokenType.Kind.HOTP, TokenType.Hash.SHA1, 6, 0);
  static final int MOST = 5;
  private static final SealingKey SEALING = SealingKey.inMemory(new Random(5));

  final ValkeyServer valkey = ValkeyServer.start();
  private final Map<String, Postgres> clusters = new TreeMap<>();

  /** To the database of each server, for the others. */
  final Map<String, CutLine> lines = new TreeMap<>();

  private final List<Server> running = new ArrayList<>();
  private InstallationRecord installation;

  /** @param names of the servers; the first one is the primary */
  OtpServers(String... names) throws Exception {
    for (String name : names) {
      // What the guide asks for: above the number of replicas.
      String most = String.valueOf(Math.max(10, names.length));
      Postgres cluster = Postgres.withTables("wal_level=logical", "max_worker_processes=20", "max_logical_replication_workers=10",
          "max_slot_wal_keep_size=1GB", "max_replication_slots=" + most, "max_wal_senders=" + most, "wal_retrieve_retry_interval=100ms");
      clusters.put(name, cluster);
      lines.put(name, new CutLine(cluster.port()));
    }
    try (PostgresDatabase primary = PostgresDatabase.open(config(names[0]))) {
      Deployment deployment = new Deployment(primary);
      installation = deployment.require("gatehouse", SEALING, Optional.empty(), new SecureRandom()).finished();
      deployment.finish(installation);
    }
    cluster(names[0])
        .execute(
            "insert into configuration_revision values (1, 'test', 'test', now())", "insert into configuration_in_use values (1, 1)",
            "insert into key_file values ('sealing', 'x', 1, now())", "update deployment set keys_version = 1, key_files = 1");
  }

  Postgres cluster(String name) {
    return Objects.requireNonNull(clusters.get(name));
  }

  PostgresConfig config(String name) {
    return cluster(name).config();
  }

  private PostgresConfig overLine(String name) {
    PostgresConfig direct = config(name);
    InetSocketAddress line = InetSocketAddress.createUnresolved("127.0.0.1", Objects.requireNonNull(lines.get(name)).port());
    return new PostgresConfig(List.of(line), direct.database(), direct.user(), direct.password(), 8, true, Optional.empty());
  }

  OtpServerConfig server(Role role, String name, Duration isolated) {
    Map<String, PostgresConfig> all = new TreeMap<>();
    clusters.keySet().forEach(one -> all.put(one, overLine(one)));
    return new OtpServerConfig(role, name, all, isolated);
  }

  /** Copies the primary's tables, as the command does; returns what it said. */
  List<String> push(String name, boolean replaces) throws Exception {
    List<String> said = new ArrayList<>();
    try (PostgresDatabase own = PostgresDatabase.open(config(name))) {
      new OtpPush(server(Role.REPLICA, name, Duration.ZERO), own).run(replaces, said::add);
    }
    return said;
  }

  /** What the command says at a server. */
  List<String> status(Role role, String name) throws Exception {
    try (PostgresDatabase own = PostgresDatabase.open(config(name))) {
      return OtpStatus.lines(server(role, name, Duration.ZERO), own);
    }
  }

  /** Makes a replica the primary, as the command does. */
  List<String> nominate(String name) throws Exception {
    List<String> said = new ArrayList<>();
    nominate(name, false, said::add);
    return said;
  }

  /** The same, with an ear for what it says while it is not done. */
  void nominate(String name, boolean comparesByTime, Consumer<String> said) throws Exception {
    nominate(name, comparesByTime, said, stores -> stores);
  }

  /** The same, and the answer of the command that raises the epoch is lost. Meanwhile the command is given a second time. */
  List<String> nominateTwiceAndLoseTheAnswer(String name) throws Exception {
    List<String> said = new ArrayList<>();
    Consumer<String> ear =
        sentence -> {
          said.add(sentence);
          if (sentence.startsWith("No replica that answers has more")) {
            assertThatThrownBy(() -> nominate(name)).hasMessageContaining("Another ./gatehouse otp nominate runs at this server");
          }
        };
    nominate(name, false, ear, OtpServers::losing);
    return said;
  }

  private void nominate(String name, boolean comparesByTime, Consumer<String> said, UnaryOperator<Stores> line) throws Exception {
    try (PostgresDatabase own = PostgresDatabase.open(config(name));
        ValkeyStores stores = stores(valkey.port())) {
      await(() -> stores.problem().isEmpty());
      new OtpNomination(server(Role.REPLICA, name, Duration.ZERO), own, line.apply(stores), InstantSource.system())
          .run(true, comparesByTime, said);
    }
  }

  /** Stores that do what they are told, and lose the answer to changes that are written later. */
  private static Stores losing(Stores stores) {
    return proxy(
        Stores.class, stores,
        (method, result) ->
            switch (result) {
              case Stores ends -> losing(ends);
              case SingleUseStore<?> store -> proxy(SingleUseStore.class, store, OtpServers::lose);
              default -> result;
            });
  }

  private static Object lose(Method method, Object result) {
    if (method.getName().equals("updateLater")) {
      throw new StoreUnavailable("the answer was lost");
    }
    return result;
  }

  private static <T> T proxy(Class<T> type, Object behind, BiFunction<Method, Object, Object> then) {
    InvocationHandler handler =
        (self, method, arguments) -> {
          try {
            return then.apply(method, Objects.requireNonNullElse(method.invoke(behind, arguments), Optional.empty()));
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Forgets a replica, as the command does at that server. */
  List<String> forget(String at, String replica, boolean confirmed) throws Exception {
    List<String> said = new ArrayList<>();
    try (PostgresDatabase own = PostgresDatabase.open(config(at))) {
      new OtpForget(server(Role.PRIMARY, at, Duration.ZERO), own, InstantSource.system()).run(replica, confirmed, said::add);
    }
    return said;
  }

  /** Cuts the primary off from its replicas at a moment when all have the same of it. */
  void cutWhileEqual(String primary, String... replicas) throws Exception {
    CutLine line = Objects.requireNonNull(lines.get(primary));
    while (true) {
      line.cut();
      for (int i = 0, same = 0; i < 100; i++) {
        Thread.sleep(20);
        same = positions(replicas).size() == 1 ? same + 1 : 0;
        if (same == 20) {
          return;
        }
      }
      // One got a heartbeat more.
      line.repair();
      await(() -> !positions(replicas).contains(0L));
    }
  }

  /** Returns where replicas are in the log of their primary. */
  Set<Long> positions(String... replicas) {
    Set<Long> found = new TreeSet<>();
    for (String replica : replicas) {
      found.add(number(replica, "select coalesce(max(remote_lsn - '0/0'::pg_lsn), 0)::bigint from pg_replication_origin_status"));
    }
    return found;
  }

  long number(String server, String sql) {
    try (Connection connection =
            DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + cluster(server).port() + "/postgres", "gatehouse", Postgres.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private ValkeyStores stores(int port) {
    ValkeyConfig direct = valkey.config("otp", Acknowledge.LOCAL);
    ValkeyConfig config =
        new ValkeyConfig(
            new Place.Direct(new ValkeyConfig.Server("127.0.0.1", port)), direct.account(), direct.security(), direct.acknowledge(),
            direct.staleness(), Duration.ofSeconds(3), direct.namespace());
    return new ValkeyStores(
        config, new ValkeyStores.Node(SEALING, InstantSource.system(), new Random(), MetricFamilies.unpublished()),
        probe -> Optional.empty());
  }

  Server start(Role role, String name, Duration isolated) throws Exception {
    Server started = new Server(role, name, isolated);
    running.add(started);
    return started;
  }

  /** A server without its edges. */
  final class Server implements AutoCloseable {

    final PostgresDatabase database;
    final CutLine toValkey;
    final ValkeyStores stores;
    final RecordingAuditLog audit = new RecordingAuditLog();
    final OtpServer server;
    final Tokens tokens;
    final CodeUses uses;

    private Server(Role role, String name, Duration isolated) throws Exception {
      this.database = PostgresDatabase.open(config(name));
      this.toValkey = new CutLine(valkey.port());
      this.stores = stores(toValkey.port());
      await(() -> stores.problem().isEmpty());
      this.server = new OtpServer(server(role, name, isolated), database, installation, stores, audit, InstantSource.system());
      this.tokens = server.tokens();
      this.uses = new CodeUses(tokens, tokens.marks(stores.replayCache()), InstantSource.system());
    }

    /** Uses a code of a token that is the person's, as a login does. */
    boolean use(String serial, PersonId person, long step) {
      return use(uses, serial, person, step);
    }

    /** The memory of another node over the same database and marks. */
    CodeUses anotherNode() {
      return new CodeUses(tokens, tokens.marks(stores.replayCache()), InstantSource.system());
    }

    boolean use(CodeUses by, String serial, PersonId person, long step) {
      Token token = by.current(REALM, tokens.find(REALM, serial).orElseThrow());
      return by.use(REALM, token, new Tokens.Use(serial, person, step, 0, Instant.now()), MOST).isPresent();
    }

    boolean serves() {
      return server.problem().isEmpty();
    }

    List<String> changes() {
      return audit.events(AuditEvent.OtpServerChanged.class).stream().map(AuditEvent.OtpServerChanged::change).toList();
    }

    @Override
    public void close() throws Exception {
      running.remove(this);
      uses.write();
      server.close();
      stores.close();
      toValkey.close();
      database.close();
    }
  }

  /** Returns a time step that is later than those whose marks a new store may lack. */
  static long step() {
    return Instant.now().plusSeconds(3_600).getEpochSecond() / 30;
  }

  /** Returns the number that a server's own database answers. */
  static long row(Server server, String sql) {
    return JdbcClient.create(server.database.dataSource()).sql(sql).query(Long.class).single();
  }

  /** Gives a token to a person, at a primary. */
  static void assign(Tokens tokens, String serial, PersonId person) {
    tokens.add(REALM, List.of(Token.created(serial, TokenType.USUAL, serial.getBytes(StandardCharsets.UTF_8), -1, Optional.empty())));
    tokens.assign(REALM, serial, person);
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("It did not come about within a minute");
      }
      Thread.sleep(5);
    }
  }

  @Override
  public void close() throws Exception {
    for (Server server : List.copyOf(running)) {
      server.close();
    }
    for (CutLine line : lines.values()) {
      line.close();
    }
    clusters.values().forEach(Postgres::close);
    valkey.close();
  }
}

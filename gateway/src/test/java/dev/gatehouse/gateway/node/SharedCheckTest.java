package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Health;

/** Shared stores that are wrong: {@code ./gatehouse check} and a start say the same, and check changes nothing. */
@Timeout(300)
class SharedCheckTest {

  private static final String VERSION = "2";
  /** A refusal is known at the first try; only what is right may take longer. */
  private static final Duration UNTIL_REFUSED = Duration.ofMillis(300);

  private static final Duration UNTIL_CONNECTED = Duration.ofSeconds(20);
  private static final InstantSource TIME = InstantSource.system();
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final AtomicInteger CASES = new AtomicInteger();
  private static final List<AutoCloseable> SERVERS = new ArrayList<>();

  @TempDir private static Path folder;
  private static Postgres postgres;
  private static ValkeyServer valkey;

  /** What is wrong, and what is said of it. */
  private enum Wrong {
    OTHER_DEPLOYMENT("belongs to the deployment gatehouse, and this node to other: correct postgresql.url, or deployment"),
    OTHER_MASTER_KEY("holds keys that another master key sealed: write the masterKey of this deployment"),
    OTHER_INSTALLATION("holds another installation: correct postgresql.url"),
    OLDER_DATABASE("is an older copy (generation 1 after 7): connect the newer one"),
    EMPTY_DATABASE("is empty, but this node belongs to an installation: correct postgresql.url"),
    TABLES_OF_SOMETHING_ELSE("has tables of something else: give each deployment a database of its own"),
    CHANGED_TABLES("has tables that this program cannot use (", "use the version of Gatehouse that made them"),
    UNREADABLE_RECORD("has no readable record of the installation: restore a whole backup"),
    SAME_INDEX("knows another node that runs with index 0, on host b: give each node its own index"),
    DATABASE_PASSWORD("refuses the user gatehouse", "correct postgresql.user and postgresql.password"),
    NO_DATABASE("has no database nowhere: create it"),
    DATABASE_ADDRESS("does not answer (", "start it, or correct postgresql.url"),
    DATABASE_TLS("offers no TLS that can be trusted", "name its authority in postgresql.ca"),
    NAMESPACE_OF_ANOTHER_DEPLOYMENT(
        "another deployment is in the namespace gatehouse: give each deployment its own name (deployment in gatehouse.yaml)"),
    EMPTY_VALKEY("it is empty, although this installation is not new", "recover --accept-loss valkey"),
    OLDER_VALKEY("its data are older than what it acknowledged", "recover --accept-loss valkey"),
    VALKEY_PASSWORD("no connection to 127.0.0.1:", "correct valkey.user and valkey.password"),
    VALKEY_ADDRESS("no connection to 127.0.0.1:1", "start it, or correct valkey.server"),
    VALKEY_TLS("no connection to 127.0.0.1:", "correct valkey.server, which needs the port that speaks TLS"),
    MOVED("were moved to embedded stores: write storage: embedded, or move them back");

    private final String[] sentence;

    Wrong(String... sentence) {
      this.sentence = sentence;
    }
  }

  /** One deployment; a copy of its database is a case. */
  @BeforeAll
  static void start() throws Exception {
    CryptoProviders.install();
    postgres = Postgres.start();
    SERVERS.add(postgres);
    valkey = ValkeyServer.start();
    SERVERS.add(valkey);
    open(new Case("postgres", new Data("data")).node(), UNTIL_CONNECTED);
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable server : SERVERS) {
      server.close();
    }
    SERVERS.clear();
  }

  /** The data folder of a node. */
  private record Data(String name) {
    Path path() {
      return folder.resolve(name);
    }

    /** A copy of that of the node that made the deployment. */
    static Data known() throws IOException {
      Data data = new Data("data" + CASES.incrementAndGet());
      FileRecordLocation record = new FileRecordLocation(folder.resolve("data/keys"));
      new FileRecordLocation(data.path().resolve("keys")).write(record.read().orElseThrow());
      return data;
    }

    InstallationRecord record() {
      return new FileRecordLocation(path().resolve("keys")).read().flatMap(InstallationRecord::parse).orElseThrow();
    }

    void record(InstallationRecord record) {
      new FileRecordLocation(path().resolve("keys")).write(record.format());
    }
  }

  private static final class Case {
    private final Map<String, String> environment = new HashMap<>();
    private final Data data;
    private String text;

    Case(String database, Data data) throws IOException {
      this.data = data;
      this.text = Files.readString(Path.of("src/test/resources/shared/gatehouse.yaml")).replace("/postgres\"", "/" + database + "\"");
      environment.put("INDEX", "0");
      environment.put("DATA", data.path().toString());
      environment.put("POSTGRES_PORT", String.valueOf(postgres.port()));
      environment.put("POSTGRES_PASSWORD", Postgres.password());
      environment.put("VALKEY_PORT", String.valueOf(valkey.port()));
      environment.put("MASTER_KEY", Base64.getEncoder().encodeToString(new byte[32]));
      for (String port : new String[] {"IDP_PORT", "APP_PORT", "ADMIN_PORT"}) {
        environment.put(port, "0");
      }
    }

    /** A copy of the deployment, in which something is changed. */
    static Case copied(String... changes) throws Exception {
      String database = "copy" + CASES.incrementAndGet();
      postgres.execute("create database " + database + " template postgres");
      sql(database, changes);
      return new Case(database, Data.known());
    }

    static Case empty(Data data) throws Exception {
      String database = "empty" + CASES.incrementAndGet();
      postgres.execute("create database " + database);
      return new Case(database, data);
    }

    Case with(String key, String value) {
      environment.put(key, value);
      return this;
    }

    Case replaced(String from, String to) {
      assertThat(text).contains(from);
      text = text.replace(from, to);
      return this;
    }

    Node node() throws Exception {
      Path configuration = Files.createDirectories(folder.resolve("configuration" + CASES.incrementAndGet()));
      Files.writeString(configuration.resolve("gatehouse.yaml"), text);
      return new ConfigurationFiles(configuration, environment).loadNode().node();
    }
  }

  private static void sql(String database, String... statements) throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + database, "gatehouse", Postgres.password());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private Case of(Wrong wrong) throws Exception {
    byte[] other = new byte[32];
    other[0] = 1;
    return switch (wrong) {
      case OTHER_DEPLOYMENT -> Case.copied().replaced("index:", "deployment: other\nindex:");
      case OTHER_MASTER_KEY -> Case.copied().with("MASTER_KEY", Base64.getEncoder().encodeToString(other));
      case OTHER_INSTALLATION -> {
        Case copy = Case.copied();
        copy.data.record(InstallationRecord.create(RANDOM));
        yield copy;
      }
      case OLDER_DATABASE -> {
        Case copy = Case.copied();
        copy.data.record(new InstallationRecord(copy.data.record().id(), 7, Optional.empty()));
        yield copy;
      }
      case EMPTY_DATABASE -> Case.empty(Data.known());
      case TABLES_OF_SOMETHING_ELSE -> {
        Case empty = Case.empty(new Data("fresh" + CASES.incrementAndGet()));
        sql(empty.text.replaceAll("(?s).*/(empty\\d+)\".*", "$1"), "create table theirs (it integer)");
        yield empty;
      }
      case CHANGED_TABLES -> Case.copied("update flyway_schema_history set checksum = 1 where version = '15'");
      case UNREADABLE_RECORD -> Case.copied("update installation set record = 'damaged'");
      case SAME_INDEX -> Case.copied("insert into node (instance, number, host, version, revision, seen_at) values ('x', 0, 'host b', '2', 0, now() + interval '1 hour')");
      case DATABASE_PASSWORD -> Case.copied().with("POSTGRES_PASSWORD", "wrong");
      case NO_DATABASE -> new Case("nowhere", Data.known());
      case DATABASE_ADDRESS -> Case.copied().with("POSTGRES_PORT", "1");
      case DATABASE_TLS -> Case.copied().replaced("user: gatehouse, password", "user: gatehouse, tls: true, password");
      case NAMESPACE_OF_ANOTHER_DEPLOYMENT -> Case.empty(new Data("fresh" + CASES.incrementAndGet()));
      case EMPTY_VALKEY -> {
        valkey.command("RENAME", "gatehouse:installation", "kept");
        yield Case.copied();
      }
      case OLDER_VALKEY -> Case.copied("update deployment set sequence = 1000000000");
      case VALKEY_PASSWORD -> Case.copied().replaced("tls: false, acknowledge", "user: nobody, password: wrong, tls: false, acknowledge");
      case VALKEY_ADDRESS -> Case.copied().with("VALKEY_PORT", "1");
      case VALKEY_TLS -> Case.copied().replaced("tls: false, acknowledge", "tls: true, acknowledge");
      case MOVED -> {
        Case copy = Case.copied();
        new MoveMark(copy.data.path()).write(new MoveMark.State(MoveMark.Target.EMBEDDED, true));
        yield copy;
      }
    };
  }

  @ParameterizedTest
  @EnumSource(Wrong.class)
  void checkAndStartSayWhatIsWrongAndWhatWouldBeRight(Wrong wrong) throws Exception {
    Node node = of(wrong).node();
    try {
      StringWriter printed = new StringWriter();
      assertThat(SharedCheck.of(node, new PrintWriter(printed), VERSION))
          .singleElement()
          .asString()
          .contains(wrong.sentence)
          .hasLineCount(1);
      assertThatThrownBy(() -> open(node, UNTIL_REFUSED)).message().contains(wrong.sentence).hasLineCount(1);
    } finally {
      valkey.command("RENAME", "kept", "gatehouse:installation");
    }
  }

  @Test
  void whatIsRightHasNoProblemAndIsNotChanged() throws Exception {
    Case copy = Case.copied();
    String keys = valkey.command("KEYS", "*");
    assertThat(notes(copy)).contains("note: PostgreSQL: version ", "note: PostgreSQL: its tables are of version ", "note: Valkey: Valkey ");
    Case fresh = Case.empty(new Data("fresh" + CASES.incrementAndGet())).replaced("index:", "deployment: fresh\nindex:");
    assertThat(notes(fresh)).contains("it is empty: the first node that starts creates the tables");
    assertThat(notes(fresh)).as("as before").contains("it is empty: the first node that starts creates the tables");
    assertThat(Files.exists(fresh.data.path())).isFalse();
    Case moving = Case.empty(Data.known()).replaced("index:", "deployment: moving\nindex:");
    Files.createDirectories(moving.data.path().resolve("h2"));
    assertThat(notes(moving)).contains("./gatehouse migrate --from embedded --to shared moves them");
    assertThat(valkey.command("KEYS", "*").lines()).containsExactlyInAnyOrderElementsOf(keys.lines().toList());
  }

  @Test
  void nodesAndTablesOfAnotherVersionAreNoted() throws Exception {
    assertThat(
            notes(
                Case.copied(
                    "insert into node (instance, number, host, version, revision, seen_at) values ('x', 1, 'host b', '1', 0, now() + interval '1 hour')")))
        .contains(
            "This node is of version 2, and node 1 on host b is of version 1: only versions that follow each other may run side by side, "
                + "so bring all nodes to one version.");
    assertThat(
            notes(
                Case.copied(
                    "insert into flyway_schema_history values (99999, '99999', 'newer', 'SQL', 'V99999__newer.sql', 1, 'gatehouse', now(), 1, true)")))
        .contains("its tables are of version 99999", "nodes of a newer version have run here");
  }

  private static String notes(Case right) throws Exception {
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    assertThat(SharedCheck.of(right.node(), out, VERSION)).isEmpty();
    out.flush();
    return printed.toString();
  }

  /** While it runs, a node says the same in its health. */
  @Test
  void healthSaysWhatIsWrongWithARunningNode() throws Exception {
    Node node = Case.copied().node();
    try (JsonLinesAuditLog audit = NodeAudit.open(node, TIME);
        PostgresDatabase database = PostgresDatabase.open(node.state().requireShared().postgres());
        SharedState state = SharedState.open(node, database, audit, TIME, RANDOM, VERSION);
        SharedStores shared = stores(node, state, UNTIL_CONNECTED)) {
      state.nodes().begin(() -> 1, new NodeTable.Drain(() -> false, drained -> {}));
      sql(
          node.state().requireShared().postgres().database(),
          "insert into node (instance, number, host, version, revision, seen_at) values ('x', 1, 'host b', '1', 0, now() + interval '1 hour')");
      Eventually.holds(() -> detail(StorageHealth.withDetails(Health.up().build(), state), "versions").contains("host b is of version 1"));

      valkey.command("RENAME", "gatehouse:installation", "kept");
      try {
        // Once: each connection made after it is checked, and repeated kills would end those before their checks on a busy machine.
        valkey.command("CLIENT", "KILL", "TYPE", "normal");
        Eventually.holds(() -> shared.stores().problem().orElse("").contains("it is empty"));
        Health health = StorageHealth.ofShared(shared.stores(), Optional.empty());
        assertThat(health.getStatus().getCode()).isEqualTo("AWAY");
        assertThat(detail(health, "problem")).contains("it is empty, although this installation is not new", "recover --accept-loss valkey");
      } finally {
        valkey.command("RENAME", "kept", "gatehouse:installation");
      }
    }
  }

  private static String detail(Health health, String name) {
    return String.valueOf(health.getDetails().get(name));
  }

  private static SharedStores stores(Node node, SharedState state, Duration untilConnected) {
    ValkeyStores.Node parts = new ValkeyStores.Node(new SealingKey(state.keys(), RANDOM), TIME, RANDOM, MetricFamilies.unpublished());
    return SharedStores.open(node.state().requireShared().valkey(), parts, state, untilConnected);
  }

  /** Opens the shared stores as a node does. */
  private static void open(Node node, Duration untilConnected) throws Exception {
    try (JsonLinesAuditLog audit = NodeAudit.open(node, TIME);
        PostgresDatabase database = SharedState.openDatabase(node, RANDOM);
        SharedState state = SharedState.open(node, database, audit, TIME, RANDOM, VERSION);
        SharedStores shared = stores(node, state, untilConnected)) {
      assertThat(shared.stores().problem()).isEmpty();
    }
  }
}

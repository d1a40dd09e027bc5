package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.key.FileKeyPlace;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.DueStore.Work;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.gateway.formats.Examples;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessionCodec;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCodec;
import dev.gatehouse.sp.session.LocalAccount;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An installation that moves, a real PostgreSQL and a real Valkey. */
final class MigrationWorld implements AutoCloseable {

  private static final List<String> TABLES =
      List.of(
          "configuration_revision", "configuration_content", "configuration_file", "configuration_in_use", "retired_name_id", "second_factor", "passkey",
          "passkey_person", "passkey_offer", "passkey_notice",
          "analytics_amount", "recent_login", "mail_outbox", "persistent_name_id",
          "otp_token", "otp_person", "otp_emergency", "otp_known_person", "otp_people_run");

  final SecureRandom random = new SecureRandom();
  final InstantSource time = InstantSource.system();
  final ReplayKey used = new ReplayKey("office", "https://idp.example", "_assertion");
  final SessionId alice = new SessionId("a".repeat(43));
  private final Examples content = new Examples(true, time.instant().truncatedTo(ChronoUnit.MILLIS).plusSeconds(3_600));
  final Path folder;
  final Postgres postgres;
  final ValkeyServer valkey;

  MigrationWorld(Path folder) throws Exception {
    CryptoProviders.install();
    this.folder = folder;
    this.postgres = Postgres.start();
    this.valkey = ValkeyServer.start();
  }

  @Override
  public void close() {
    postgres.close();
    valkey.close();
  }

  Path configuration() {
    return folder.resolve("configuration");
  }

  /** Returns the data folder of the node that moves. */
  Path data() {
    return folder.resolve("data");
  }

  Node shared(String data, String deployment, byte[] master) throws Exception {
    return node("storage: shared\ndeployment: " + deployment + "\n", data, master);
  }

  Node shared() throws Exception {
    return shared("data", "gatehouse", new byte[32]);
  }

  Node embedded() throws Exception {
    return node("storage: embedded\n", "data", new byte[32]);
  }

  private Node node(String storage, String data, byte[] master) throws Exception {
    String text = Files.readString(Path.of("src/test/resources/shared/gatehouse.yaml"));
    if (storage.contains("embedded")) {
      text = text.lines().filter(line -> !line.matches("(masterKey|postgresql|valkey|index):.*")).reduce("", (all, line) -> all + line + "\n");
    }
    Path configuration = configuration();
    Files.createDirectories(configuration.resolve("realms"));
    Files.copy(
        Path.of("src/test/resources/shared/realms/office.yaml"), configuration.resolve("realms/office.yaml"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(configuration.resolve("gatehouse.yaml"), text.replace("storage: shared\n", storage));
    return new ConfigurationFiles(configuration, environment(data, master)).loadNode().node();
  }

  /** Returns what the configuration names. */
  Map<String, String> environment(String data, byte[] master) {
    Map<String, String> environment = new HashMap<>();
    environment.put("INDEX", "0");
    environment.put("DATA", folder.resolve(data).toString());
    environment.put("POSTGRES_PORT", String.valueOf(postgres.port()));
    environment.put("POSTGRES_PASSWORD", Postgres.password());
    environment.put("VALKEY_PORT", String.valueOf(valkey.port()));
    environment.put("MASTER_KEY", Base64.getEncoder().encodeToString(master));
    for (String port : List.of("IDP_PORT", "APP_PORT", "ADMIN_PORT")) {
      environment.put(port, "0");
    }
    for (String port : List.of("PUBLIC_IDP", "PUBLIC_APP", "DIRECTORY_PORT", "SAMPLE_PORT")) {
      environment.put(port, "22200");
    }
    return environment;
  }

  interface Use {
    void with(Database database, Stores stores, KeyPlace keys) throws Exception;
  }

  void embedded(Use use) throws Exception {
    Node node = embedded();
    StoredState.requireFiles(node, random);
    try (JsonLinesAuditLog audit = NodeAudit.open(node, time);
        H2Database database = Database.embedded(node.data());
        StoredState state = StoredState.open(node, database, audit, time, random);
        RocksStores stores = state.stores()) {
      use.with(database, stores, new FileKeyPlace(node.data()));
    }
  }

  void shared(Node node, Use use) throws Exception {
    try (JsonLinesAuditLog audit = NodeAudit.open(node, time);
        PostgresDatabase database = PostgresDatabase.open(node.state().requireShared().postgres());
        SharedState state = SharedState.open(node, database, audit, time, random, "1")) {
      ValkeyStores.Node parts = new ValkeyStores.Node(new SealingKey(state.keys(), random), time, random, new MetricFamilies(family -> {}));
      try (SharedStores stores = SharedStores.open(node.state().requireShared().valkey(), parts, state)) {
        use.with(database, stores.stores(), state.keys());
      }
    }
  }

  byte[] begun() throws Exception {
    byte[][] sealed = new byte[1][];
    Instant now = time.instant().truncatedTo(ChronoUnit.MILLIS);
    embedded(
        (database, stores, keys) -> {
          sealed[0] = new SealingKey(keys, random).seal("secret".getBytes(StandardCharsets.UTF_8), "test");
          fill(database);
          sessions(stores).create(session(alice, now));
          people(stores).create(person());
          authorizations(stores).create(authorization());
          stores.<LogoutNotice>due("idp-logout-notices", new JsonCodec<>(LogoutNotice.class))
              .add(
                  new Work<>(
                      "k", "office",
                      new LogoutNotice(
                          "https://app.example", NameId.of("_alice", NameId.UNSPECIFIED), List.of("_1"), "alice", LogoutReason.USER, now,
                          now.plusSeconds(86_400), 0, Optional.empty()),
                      now.plusSeconds(3_600)));
          assertThat(stores.replayCache().firstSeen(used, now.plusSeconds(3_600))).isTrue();
        });
    return sealed[0];
  }

  static SessionStore<AppSession> sessions(Stores stores) {
    return stores.sessions("app", new AppSessionCodec());
  }

  static SessionStore<IdpSession> people(Stores stores) {
    return stores.sessions(IdpSessions.STORE, new IdpSessionCodec(), Expired.KEPT);
  }

  static SessionStore<Authorization> authorizations(Stores stores) {
    return stores.sessions(Authorization.STORE, new AuthorizationCodec());
  }

  /** A session of the identity provider, with everything that one may have. */
  private IdpSession person() {
    return (IdpSession) content.of(IdpSession.class, "person");
  }

  /** What stands behind a refresh token: the present one, the one before, and the answer that is repeated to it. */
  private Authorization authorization() {
    return (Authorization) content.of(Authorization.class, "authorization");
  }

  private static AppSession session(SessionId id, Instant now) {
    return new AppSession(
        id, "office", new Lifetime(now, now.plusSeconds(3_600), now.plusSeconds(7_200)),
        new LocalAccount(AppSession.personId("https://idp.example", "alice"), "alice", List.of("staff"), List.of(), Map.of()),
        new AppSession.Login(
            "https://idp.example", NameId.of("_alice", NameId.UNSPECIFIED), Optional.of("_1"), Optional.empty(), now));
  }

  private static void fill(Database database) throws Exception {
    try (Connection connection = database.dataSource().getConnection();
        Statement sql = connection.createStatement()) {
      connection.setAutoCommit(false);
      String at = "timestamp with time zone '2026-11-26 10:11:12.123456+02:00'";
      String bytes = "X'00ff10'";
      sql.execute("insert into configuration_revision values (1, 'alice', 'why', " + at + "), (2, 'bob', 'Grüße', " + at + ")");
      sql.execute("insert into configuration_content values ('d', " + bytes + ")");
      sql.execute("insert into configuration_file values (1, 'realms/office.yaml', 'd', false)");
      sql.execute("insert into configuration_in_use values (1, 2)");
      sql.execute("insert into second_factor values ('office', 'alice', 'f', 'phone', 6, " + bytes + ", " + at + ", null)");
      sql.execute("insert into passkey values ('office', 'c', 'alice', " + bytes + ", 'm', 'usb', true, false, 3, 'key', 'PASSKEY', " + at + ", null)");
      sql.execute("insert into passkey_person values ('office', 'alice', 'h')");
      sql.execute("insert into passkey_offer values ('office', 'bob', " + at + ")");
      sql.execute("insert into passkey_notice values ('office', 'alice', 7, 's', " + at + ", 'b1 b2')");
      sql.execute(
          "insert into otp_token (realm, serial, kind, hash, digits, period, sealed_seed, state, person_id, last_used, drift, expires_at, used_at,"
              + " replaces, suite, label, note) values ('office', 't', 'TOTP', 'SHA1', 6, 30, " + bytes + ", 'ENABLED', 'alice', 59, -1, null, " + at
              + ", null, null, 'drawer', 'a note'), ('office', 'spare', 'HOTP', 'SHA1', 6, 0, " + bytes + ", 'ENABLED', null, -1, 0, " + at
              + ", null, 't', null, '', '')");
      sql.execute(
          "insert into otp_known_person values ('office', 'alice', 'alice', 'Ünlü', 'a@example.org', 'uid=alice', 'staff', 'directory', 'GONE', " + at
              + ", " + at + ")");
      sql.execute("insert into otp_people_run values ('office', 1, 'ops', " + at + ", null, 'RUNNING', 1, 2, 3, 4, 5, 6, 7, 8, null, 'NO_ID')");
      sql.execute("insert into otp_person values ('office', 'alice', " + bytes + ", true, 10, " + at + ")");
      sql.execute("insert into otp_emergency values ('office', 'alice', 'd', true, " + at + ")");
      sql.execute("insert into mail_outbox values ('1', 'office', 'alice', 'notice', " + bytes + ", " + at + ", 0, " + at + ")");
      sql.execute("insert into recent_login values (0, 1, 1, 'office', true, 's', 'n', 'a', 'w', 'p', " + at + ")");
      sql.execute(
          "insert into analytics_amount values (0, 's', 'office', 'd', " + at + ", 'l', 0, 1, 1.25, 3.5"
              + String.join("", Collections.nCopies(17, ", 7")) + ")");
      for (int i = 0; i < 12_000; i++) {
        sql.addBatch("insert into retired_name_id values ('office', 'https://app.example', 'p" + i + "', " + at + ")");
      }
      sql.executeBatch();
      connection.commit();
    }
  }

  static Map<String, List<String>> rows(Database database) throws Exception {
    Map<String, List<String>> all = new TreeMap<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement sql = connection.createStatement()) {
      for (String table : TABLES) {
        List<String> rows = new ArrayList<>();
        try (ResultSet row = sql.executeQuery("select * from " + table)) {
          while (row.next()) {
            StringBuilder text = new StringBuilder();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
              text.append(text(row, i)).append('|');
            }
            rows.add(text.toString());
          }
        }
        Collections.sort(rows);
        all.put(table, rows);
      }
    }
    return all;
  }

  private static String text(ResultSet row, int column) throws Exception {
    return switch (row.getObject(column)) {
      case null -> "null";
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case java.sql.Timestamp at -> at.toInstant().toString();
      case java.time.OffsetDateTime at -> at.toInstant().toString();
      case Object other -> other.toString();
    };
  }

  void requireAllThere(Database database, Stores stores, KeyPlace keys, Map<String, List<String>> before, byte[] sealed)
      throws Exception {
    assertThat(rows(database)).isEqualTo(before);
    assertThat(new SealingKey(keys, random).open(sealed, "test")).asString(StandardCharsets.UTF_8).isEqualTo("secret");
    AppSession found = sessions(stores).find(alice).orElseThrow();
    assertThat(found).isEqualTo(session(alice, found.createdAt()));
    assertThat(stores.<LogoutNotice>due("idp-logout-notices", new JsonCodec<>(LogoutNotice.class)).find("k").orElseThrow().value().person())
        .isEqualTo("alice");
    // Who was logged in still is, and what stands behind refresh tokens is whole: nothing of it is lost.
    assertThat(people(stores).find(person().id())).contains(person());
    assertThat(authorizations(stores).find(authorization().id())).contains(authorization());
    // What was used once stays used, and what nobody knows any more is refused.
    assertThat(stores.replayCache().firstSeen(used, time.instant().plusSeconds(3_600))).isFalse();
    assertThat(stores.tokensNotBefore()).isAfter(found.createdAt());
    assertThat(stores.replayCache().completeSince()).isAfter(found.createdAt());
  }
}

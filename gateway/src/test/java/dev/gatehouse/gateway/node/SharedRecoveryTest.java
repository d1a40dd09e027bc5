package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.gateway.node.SharedRecovery.Lost;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Shared stores that are empty, foreign or older, with a real PostgreSQL and a real Valkey; and how to go on. */
@Timeout(180)
class SharedRecoveryTest {

  /** A node waits for ten seconds. */
  private static final Duration UNTIL_REFUSED = Duration.ofSeconds(2);

  private final SecureRandom random = new SecureRandom();
  private final InstantSource time = InstantSource.system();
  @TempDir Path folder;
  private Postgres postgres;
  private ValkeyServer valkey;

  @BeforeEach
  void start() throws Exception {
    CryptoProviders.install();
    postgres = Postgres.start();
    valkey = ValkeyServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    postgres.close();
    valkey.close();
  }

  private Node node(Postgres database, ValkeyServer server, String data) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("INDEX", "0");
    environment.put("DATA", folder.resolve(data).toString());
    environment.put("POSTGRES_PORT", String.valueOf(database.port()));
    environment.put("POSTGRES_PASSWORD", Postgres.password());
    environment.put("VALKEY_PORT", String.valueOf(server.port()));
    environment.put("MASTER_KEY", Base64.getEncoder().encodeToString(new byte[32]));
    for (String port : new String[] {"IDP_PORT", "APP_PORT", "ADMIN_PORT"}) {
      environment.put(port, "0");
    }
    return new ConfigurationFiles(Path.of("src/test/resources/shared"), environment).loadNode().node();
  }

  private interface Work {
    void with(ValkeyStores stores) throws Exception;
  }

  /** Opens the shared stores as a node does. */
  private void opened(Node node, Work work) throws Exception {
    try (JsonLinesAuditLog audit = NodeAudit.open(node, time);
        PostgresDatabase database = PostgresDatabase.open(node.state().requireShared().postgres());
        SharedState state = SharedState.open(node, database, audit, time, random, "1");
        SharedStores stores = stores(node, state)) {
      work.with(stores.stores());
    }
  }

  private SharedStores stores(Node node, SharedState state) {
    ValkeyStores.Node parts = new ValkeyStores.Node(new SealingKey(state.keys(), random), time, random, MetricFamilies.unpublished());
    return SharedStores.open(node.state().requireShared().valkey(), parts, state, UNTIL_REFUSED);
  }

  private void recover(Node node, Lost lost) throws Exception {
    try (JsonLinesAuditLog audit = NodeAudit.open(node, time)) {
      new SharedRecovery(node, audit, time, random).accept(Set.of(lost));
    }
  }

  @Test
  void anEmptyValkeyServesNothingUntilTheLossIsAccepted() throws Exception {
    Node node = node(postgres, valkey, "data");
    opened(node, stores -> assertThat(stores.tokensNotBefore()).isEqualTo(Instant.EPOCH));
    opened(node, stores -> assertThat(stores.problem()).isEmpty());
    try (ValkeyServer empty = ValkeyServer.start()) {
      Node other = node(postgres, empty, "data");
      assertThatThrownBy(() -> opened(other, stores -> {}))
          .isInstanceOf(SharedUnusable.class)
          .hasMessageContainingAll("it is empty, although this installation is not new", "recover --accept-loss valkey");

      recover(other, Lost.VALKEY);
      opened(other, stores -> assertThat(stores.tokensNotBefore()).isAfter(Instant.EPOCH));
      // The former one is an older copy now.
      assertThatThrownBy(() -> opened(node, stores -> {})).hasMessageContaining("it is an older copy (generation 1 beside 2)");
    }
  }

  @Test
  void aValkeyThatHasForgottenWhatItAcknowledgedIsRefused() throws Exception {
    Node node = node(postgres, valkey, "data");
    opened(node, stores -> {});
    postgres.execute("update deployment set sequence = 1000000");

    assertThatThrownBy(() -> opened(node, stores -> {}))
        .isInstanceOf(SharedUnusable.class)
        .hasMessageContaining("its data are older than what it acknowledged");
    recover(node, Lost.VALKEY);
    opened(node, stores -> assertThat(stores.problem()).isEmpty());
  }

  @Test
  void twoDeploymentsInOneNamespaceAreRefused() throws Exception {
    opened(node(postgres, valkey, "data"), stores -> {});
    try (Postgres another = Postgres.start()) {
      assertThatThrownBy(() -> opened(node(another, valkey, "other"), stores -> {}))
          .isInstanceOf(SharedUnusable.class)
          .hasMessageContainingAll("another deployment is in the namespace gatehouse", "its own name (deployment in gatehouse.yaml)");
    }
  }

  @Test
  void nothingIsRecoveredWhileANodeRuns() throws Exception {
    Node node = node(postgres, valkey, "data");
    opened(
        node,
        stores ->
            assertThatThrownBy(() -> recover(node, Lost.VALKEY))
                .isInstanceOf(SharedUnusable.class)
                .hasMessageContaining("Nodes run: "));
  }

  @Test
  void aRestoredDatabaseEndsWhatWasUsedSince() throws Exception {
    Node node = node(postgres, valkey, "data");
    opened(node, stores -> {});
    postgres.execute("insert into recovery_code values ('office', 'alice', 'digest')");
    postgres.execute("insert into password_reset values ('office', 'alice', 'digest', now(), now() + interval '20 minutes', '')");
    recover(node, Lost.POSTGRESQL);
    try (PostgresDatabase database = PostgresDatabase.open(postgres.config())) {
      for (String table : List.of("recovery_code", "password_reset")) {
        assertThat(JdbcClient.create(database.dataSource()).sql("select count(*) from " + table).query(Long.class).single())
            .as(table)
            .isZero();
      }
    }
  }
}

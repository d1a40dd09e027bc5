package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Account;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.store.DueStore.Work;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.StoreUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said of servers that are wrong, and that nothing is stored there. */
class ValkeyCheckTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  private ValkeyServer server(String... settings) {
    ValkeyServer server = ValkeyServer.start(settings);
    opened.add(server);
    return server;
  }

  private ValkeyStores stores(ValkeyConfig config, SealingKey sealing, Admission admission) {
    ValkeyStores stores =
        new ValkeyStores(
            config, new ValkeyStores.Node(sealing, InstantSource.system(), new Random(), MetricFamilies.unpublished()), admission);
    opened.add(stores);
    return stores;
  }

  private ValkeyStores stores(ValkeyServer server) {
    return stores(server.config("check", Acknowledge.LOCAL), SEALING, probe -> Optional.empty());
  }

  private static void assertServesNothing(ValkeyStores stores) {
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> stores.replayCache().firstSeen(new ReplayKey("r", "i", "x"), Instant.now().plusSeconds(60)));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> stores.replayCache().isMarked(new ReplayKey("r", "i", "x")));
  }

  @Test
  void saysWhatAGoodServerGuarantees() {
    ValkeyServer server = server();
    ValkeyReport alone = ValkeyCheck.of(server.config("check", Acknowledge.REPLICA));
    assertThat(alone.refusals()).isEmpty();
    assertThat(alone.notes()).anyMatch(note -> note.startsWith("Valkey 8.")).anyMatch(note -> note.contains("No replica is connected"));
    assertThat(ValkeyCheck.of(server.config("check", Acknowledge.LOCAL)).notes()).anyMatch(note -> note.contains("may lose"));
    assertThat(stores(server).problem()).isEmpty();
  }

  @Test
  void refusesAServerThatForgets() {
    for (String[] settings : new String[][] {
        {"--maxmemory-policy", "allkeys-lru"}, {"--appendfsync", "everysec"}, {"--appendonly", "no"}}) {
      ValkeyServer server = server(settings);
      assertThat(ValkeyCheck.of(server.config("check", Acknowledge.LOCAL)).refusals())
          .hasSize(1)
          .allMatch(text -> text.contains(settings[0].substring(2)) && text.contains("set "));
      ValkeyStores stores = stores(server);
      assertThat(stores.problem().orElseThrow()).contains(settings[0].substring(2));
      assertServesNothing(stores);
    }
  }

  @Test
  void refusesAReplica() {
    ValkeyServer primary = server();
    ValkeyServer replica = ValkeyServer.replicaOf(primary);
    opened.add(replica);
    ValkeyStores stores = stores(replica);
    assertThat(stores.problem().orElseThrow()).contains("replica");
    assertThat(stores.isOutOfReach()).isFalse();
  }

  @Test
  void outOfReachIsWhoeverCannotBeConnectedToOrAcknowledgesNothing() throws Exception {
    ValkeyServer server = server();
    ValkeyStores stores = stores(server);
    assertThat(stores.isOutOfReach()).isFalse();
    server.command("config", "set", "min-replicas-to-write", "1");
    Eventually.holds(stores::isOutOfReach);
    server.command("config", "set", "min-replicas-to-write", "0");
    Eventually.holds(() -> stores.problem().isEmpty());
    server.command("config", "set", "maxmemory", "1");
    Eventually.holds(() -> stores.problem().isPresent());
    assertThat(stores.isOutOfReach()).as("it answers that its memory is full").isFalse();
    server.command("config", "set", "maxmemory", "0");
    server.kill();
    Eventually.holds(stores::isOutOfReach);

    ValkeyConfig config = server.config("check", Acknowledge.LOCAL);
    ValkeyConfig sentinels =
        new ValkeyConfig(
            new ValkeyConfig.Place.Sentinels(config.place().servers(), "primary", Optional.empty()), config.account(), config.security(),
            config.acknowledge(), config.staleness(), config.timeout(), config.namespace());
    assertThat(stores(sentinels, SEALING, probe -> Optional.empty()).isOutOfReach()).as("no Sentinel answers").isTrue();
  }

  /** Servers that are not installed here. */
  @Test
  void refusesAnOldServerAndRedis() {
    assertThat(ValkeyReport.ofVersion(Map.of("redis_version", "7.2.4", "valkey_version", "7.2.7")))
        .contains("The server is Valkey 7.2.7: install version 8 or later.");
    assertThat(ValkeyReport.ofVersion(Map.of("redis_version", "7.4.1")))
        .contains("The server is no Valkey (it reports 7.4.1): install Valkey 8 or later.");
    assertThat(ValkeyReport.ofVersion(Map.of("redis_version", "7.2.4", "valkey_version", "8.0.1"))).isEmpty();
  }

  @Test
  void saysWhyThereIsNoConnection() {
    ValkeyServer server = server("--requirepass", "right");
    ValkeyConfig config = server.config("check", Acknowledge.LOCAL);
    ValkeyConfig wrong =
        new ValkeyConfig(
            config.place(), Optional.of(new Account("default", new Secret("wrong"))), config.security(), config.acknowledge(),
            config.staleness(), config.timeout(), config.namespace());
    assertThat(ValkeyCheck.of(wrong).refusals()).singleElement().asString().contains("user and password");
    assertThat(stores(wrong, SEALING, probe -> Optional.empty()).isOutOfReach()).as("it answers").isFalse();
    assertThat(ValkeyCheck.of(config).refusals()).singleElement().asString().contains("user and password");
    server.kill();
    assertThat(ValkeyCheck.of(config).refusals()).singleElement().asString().contains("no connection to 127.0.0.1:" + server.port());
    assertThat(stores(server).problem().orElseThrow()).contains("no connection to 127.0.0.1:" + server.port());
  }

  @Test
  void refusesANamespaceOfAnotherDeployment() {
    ValkeyServer server = server();
    assertThat(stores(server).problem()).isEmpty();
    ValkeyStores other =
        stores(server.config("check", Acknowledge.LOCAL), SealingKey.inMemory(new Random(4)), probe -> Optional.empty());
    assertThat(other.problem().orElseThrow()).contains("its own name (deployment in gatehouse.yaml)");
    assertThat(other.isOutOfReach()).isFalse();
    assertServesNothing(other);
    assertThat(stores(server.config("another", Acknowledge.LOCAL), SealingKey.inMemory(new Random(4)), probe -> Optional.empty()).problem())
        .isEmpty();
  }

  @Test
  void keepsTheRecordAndAsksTheAdmissionBeforeItServes() throws Exception {
    ValkeyServer server = server();
    InstallationRecord record = InstallationRecord.create(new Random(1));
    ValkeyStores first = stores(server);
    first.installationRecord().write(record.format());
    assertThat(first.installationRecord().read()).contains(record.format());
    Admission sameRecord =
        probe ->
            probe.record().filter(record.format()::equals).isPresent()
                ? Optional.empty()
                : Optional.of("it holds another installation: see recover");
    ValkeyStores second = stores(server.config("check", Acknowledge.LOCAL), SEALING, sameRecord);
    assertThat(second.problem()).isEmpty();
    first.close();
    server.command("DEL", "check:installation");
    server.kill();
    server.startAgain();
    for (int i = 0; i < 500 && !second.problem().orElse("").contains("another installation"); i++) {
      Thread.sleep(10);
    }
    assertThat(second.problem().orElseThrow()).contains("another installation");
    assertServesNothing(second);
  }

  @Test
  void refusesDataThatAreOlderThanWhatItAcknowledged() throws Exception {
    ValkeyServer server = server();
    ValkeyStores stores = stores(server);
    for (int i = 0; i < 500 && stores.sequence() < 3; i++) {
      Thread.sleep(10);
    }
    server.kill();
    server.forgetEverything();
    server.startAgain();
    for (int i = 0; i < 500 && !stores.problem().orElse("").contains("older"); i++) {
      Thread.sleep(10);
    }
    assertThat(stores.problem().orElseThrow()).contains("older than what it acknowledged");
    assertServesNothing(stores);
  }

  /** Names and values of the store say nothing to a person who reads the server. */
  @Test
  void tellsNothingToReadersOfTheServer() {
    ValkeyServer server = server();
    ValkeyStores stores = stores(server);
    stores.singleUse("codes", new PlainText()).put("secret-code", "of alice@example.org", Instant.now().plusSeconds(60));
    stores.due("work", new PlainText())
        .add(new Work<>("for alice", "realm-of-alice", "to alice", Instant.now()));
    stores.replayCache().firstSeen(new ReplayKey("realm-of-alice", "https://idp.alice", "alice"), Instant.now().plusSeconds(60));
    String all = server.command("KEYS", "*");
    assertThat(all).contains("check:u:codes:").doesNotContain("alice").doesNotContain("secret-code");
    assertThat(server.dump()).doesNotContain("alice").doesNotContain("secret-code");
  }
}

package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.valkey.ValkeyCheck;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The stores of a real Valkey primary with a replica: what a method wrote is on the disk of one and in the memory of the other. The account
 * may do what our page on Valkey says, and nothing else.
 */
class ValkeyStoresTest extends StoresContract {

  private static final Path PAGE = Path.of("../docs/how-to/run-valkey.md");

  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static final List<ValkeyServer> SERVERS = new ArrayList<>();

  private final SealingKey sealing = SealingKey.inMemory(new Random(3));
  private final List<ValkeyStores> opened = new ArrayList<>();

  @BeforeAll
  static void start() {
    SERVERS.add(ValkeyServer.start(Stream.concat(Stream.of("--user"), Arrays.stream(account().split(" "))).toArray(String[]::new)));
    SERVERS.add(ValkeyServer.replicaOf(SERVERS.getFirst()));
  }

  private static String account() {
    try (Stream<String> lines = Files.lines(PAGE)) {
      String line = lines.filter(each -> each.startsWith("user gatehouse on >PASSWORD ~gatehouse:*")).findFirst().orElseThrow();
      return line.substring("user ".length()).replace("~gatehouse:", "~n*:");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ValkeyConfig withAccount(ValkeyConfig config) {
    return new ValkeyConfig(
        config.place(), Optional.of(new ValkeyConfig.Account("gatehouse", new Secret("PASSWORD"))), config.security(), config.acknowledge(),
        config.staleness(), config.timeout(), config.namespace());
  }

  @AfterAll
  static void stop() {
    SERVERS.forEach(ValkeyServer::close);
    SERVERS.clear();
  }

  @AfterEach
  void close() {
    opened.forEach(ValkeyStores::close);
  }

  @Override
  Stores open(InstantSource time) {
    String namespace = "n" + NAMESPACES.incrementAndGet();
    ValkeyStores stores =
        new ValkeyStores(
            withAccount(SERVERS.getFirst().config(namespace, Acknowledge.REPLICA)),
            new ValkeyStores.Node(sealing, time, new Random(), MetricFamilies.unpublished()),
            probe -> Optional.empty());
    opened.add(stores);
    return stores;
  }

  @Test
  void theAccountMayCheckTheServerAndReadItsClock() {
    open(InstantSource.system());
    assertThat(opened.getLast().clock()).isCloseTo(Instant.now(), within(20, ChronoUnit.SECONDS));
    assertThat(ValkeyCheck.of(withAccount(SERVERS.getFirst().config("n0", Acknowledge.REPLICA))).refusals()).isEmpty();
  }
}

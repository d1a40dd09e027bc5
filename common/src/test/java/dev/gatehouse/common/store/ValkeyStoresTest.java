package dev.gatehouse.common.store;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The stores of a real Valkey primary with a replica: what a method wrote is on the disk of one and in the memory of the other. */
class ValkeyStoresTest extends StoresContract {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static final List<ValkeyServer> SERVERS = new ArrayList<>();

  private final SealingKey sealing = SealingKey.inMemory(new Random(3));
  private final List<ValkeyStores> opened = new ArrayList<>();

  @BeforeAll
  static void start() {
    SERVERS.add(ValkeyServer.start());
    SERVERS.add(ValkeyServer.replicaOf(SERVERS.getFirst()));
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
            SERVERS.getFirst().config(namespace, Acknowledge.REPLICA),
            new ValkeyStores.Node(sealing, time, new Random(), MetricFamilies.unpublished()),
            probe -> Optional.empty());
    opened.add(stores);
    return stores;
  }
}

package dev.gatehouse.common.valkey;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for all tests of a class. The stores that nodes have on it end after each test. */
public final class SharedValkey implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

  private final List<ValkeyStores> opened = new ArrayList<>();
  private Optional<ValkeyServer> server = Optional.empty();

  @Override
  public void beforeAll(ExtensionContext context) {
    server = Optional.of(ValkeyServer.start());
  }

  public ValkeyServer server() {
    return server.orElseThrow();
  }

  /** Opens the stores of a node. */
  public ValkeyStores stores(String namespace, SealingKey sealing, InstantSource time) {
    ValkeyStores stores =
        new ValkeyStores(
            server().config(namespace, Acknowledge.LOCAL),
            new ValkeyStores.Node(sealing, time, new Random(), MetricFamilies.unpublished()),
            probe -> Optional.empty());
    opened.add(stores);
    return stores;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    opened.forEach(ValkeyStores::close);
    opened.clear();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    server.ifPresent(ValkeyServer::close);
  }
}

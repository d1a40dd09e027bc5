package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.http.ListenerConnections;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.postgres.JobTable;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.postgres.SharedSwitches;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.revision.ImportedFiles;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.snapshot.SnapshotRefused;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.wiring.IndexedBeanFactory;
import dev.gatehouse.gateway.GatewayAssembly;
import dev.gatehouse.gateway.admin.AdminApplication;
import dev.gatehouse.gateway.cli.BackgroundStart;
import dev.gatehouse.gateway.metrics.ActuatorReport;
import dev.gatehouse.gateway.metrics.MetricsListener;
import dev.gatehouse.gateway.netty.GatewayServer;
import dev.gatehouse.gateway.node.ListenersReady;
import dev.gatehouse.gateway.node.NodeDrain;
import dev.gatehouse.gateway.node.NodeAssembly;
import dev.gatehouse.gateway.node.NodeAudit;
import dev.gatehouse.gateway.node.SharedState;
import dev.gatehouse.gateway.node.SharedUnusable;
import dev.gatehouse.gateway.node.StoredState;
import dev.gatehouse.gateway.recovery.BackupRequests;
import dev.gatehouse.gateway.revision.DatabaseServices;
import dev.gatehouse.gateway.revision.FileServices;
import dev.gatehouse.gateway.traffic.DirectMemoryPlan;
import dev.gatehouse.idp.IdpApplication;
import dev.gatehouse.idp.IdpServices;
import dev.gatehouse.idp.edge.BoundedListeners;
import dev.gatehouse.idp.edge.IdpListeners;
import dev.gatehouse.idp.otp.radius.RadiusServer;
import dev.gatehouse.sp.SpServices;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A running node: one parent context with the common, sp and gateway beans, and below it a servlet context for the
 * identity provider and one for administration, each with its own Jetty. {@link #close} stops in the reverse order: the
 * node is no longer ready, takes no new requests, finishes active ones, and closes the stores.
 */
final class RunningNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningNode.class);

  /** The listening ports, in the order of the configuration; empty for what is off. */
  record Ports(List<Integer> idp, List<Integer> gateway, int admin, Optional<Integer> metrics) {}

  /** How long requests at the identity provider have, whatever those at the gateway took. */
  private static final Duration LEAST = Duration.ofSeconds(3);

  private final Node node;
  private final AnnotationConfigApplicationContext common = new AnnotationConfigApplicationContext(new IndexedBeanFactory());
  private final Deque<AnnotationConfigServletWebServerApplicationContext> edges = new ArrayDeque<>();
  private Optional<DataLock> lock = Optional.empty();
  private Optional<MetricsListener> metrics = Optional.empty();
  private Optional<IdpListeners> idpListeners = Optional.empty();
  private Optional<BoundedListeners> adminListeners = Optional.empty();
  private Optional<RadiusServer> radius = Optional.empty();
  private Ports ports = new Ports(List.of(), List.of(), 0, Optional.empty());

  private RunningNode(Node node) {
    this.node = node;
  }

  /**
   * Starts a node; returns when it serves.
   *
   * @param environment resolves the configuration's variables
   * @throws StartRefused with the problems that the operator must fix
   */
  static RunningNode start(Path configuration, Map<String, String> environment) {
    // Takes a while and depends on nothing; keys, randomness and TLS depend on it.
    BackgroundStart<String> crypto = BackgroundStart.start("start-crypto", CryptoProviders::install);
    ConfigurationFiles files = new ConfigurationFiles(configuration, environment);
    Configuration loaded = load(files);
    Node node = loaded.node();
    List<String> taken = ListenerCheck.problems(node);
    if (!taken.isEmpty()) {
      throw new StartRefused(taken);
    }
    RunningNode running = new RunningNode(node);
    if (ListenerCheck.servesApps(node.roles())) {
      running.divideDirectMemory();
    }
    try {
      running.start(files, loaded.source(), crypto);
      return running;
    } catch (RuntimeException e) {
      running.close();
      throw e;
    }
  }

  /** This must happen before Netty's classes are loaded, because they read their limit then. */
  private void divideDirectMemory() {
    switch (DirectMemoryPlan.of(node)) {
      case DirectMemoryPlan.Outcome.TooLittle(String problem) ->
          throw new StartRefused(List.of(problem, "The node was not started."));
      case DirectMemoryPlan.Outcome.Fits(DirectMemoryPlan plan) -> {
        GatewayServer.limitBuffers(plan.buffers());
        common.registerBean(DirectMemoryPlan.class, () -> plan);
      }
    }
  }

  private static Configuration load(ConfigurationFiles files) {
    try {
      return files.loadNode();
    } catch (ConfigurationInvalid e) {
      throw refused(e);
    }
  }

  static StartRefused refused(ConfigurationInvalid invalid) {
    List<String> lines = new ArrayList<>();
    invalid.problems().stream().map(Problem::toString).forEach(lines::add);
    lines.add("The configuration has " + invalid.problems().size() + " problem(s); the node was not started.");
    return new StartRefused(lines);
  }

  private void start(ConfigurationFiles files, Configuration.Source source, BackgroundStart<String> crypto) {
    long started = System.nanoTime();
    InstantSource time = InstantSource.system();
    if (node.storage() != Node.Storage.VOLATILE) {
      lock = Optional.of(DataLock.take(node.data(), DataLock.NODE));
    }
    requireFiles();
    // The first stores would load it on this thread, and report why it cannot be loaded.
    Thread.ofPlatform().name("start-stores").daemon().start(RocksStores::loadLibrary);
    BackgroundStart<Database> database = BackgroundStart.start("start-database", this::openDatabase);
    crypto.join();
    SecureRandom random = new SecureRandom();
    JsonLinesAuditLog audit = NodeAudit.open(node, time);
    common.setDisplayName("node");
    // A node of shared stores knows its number once it has joined the others.
    common.registerBean(
        Node.class, () -> node.storage() == Node.Storage.SHARED ? node.numbered(get(SharedState.class).nodes().number()) : node);
    common.registerBean(InstantSource.class, () -> time);
    common.registerBean(SecureRandom.class, () -> random);
    common.registerBean(JsonLinesAuditLog.class, () -> audit);
    CountDownLatch listening = new CountDownLatch(1);
    common.registerBean(CountDownLatch.class, () -> listening);
    common.registerBean(Database.class, database::join);
    if (node.storage() == Node.Storage.EMBEDDED) {
      common.registerBean(StoredState.class, () -> StoredState.open(node, (H2Database) database.join(), audit, time, random));
      common.registerBean(BackupRequests.class, () -> common.getBean(StoredState.class).answerRequests());
    }
    if (node.storage() == Node.Storage.SHARED) {
      common.registerBean(SharedState.class, () -> shared(audit, time, random));
      common.registerBean(SharedSwitches.class, () -> common.getBean(SharedState.class).switches());
      common.registerBean(JobTable.class, () -> common.getBean(SharedState.class).jobs());
      common.registerBean(LiveNodes.class, () -> LiveNodes.of(common.getBean(SharedState.class).nodes()));
    }
    common.registerBean(ConfigurationFiles.class, () -> files);
    common.register(NodeAssembly.class);
    common.register(
        switch (source) {
          case FILES -> FileServices.class;
          case DATABASE -> DatabaseServices.class;
        });
    if (servesApps()) {
      common.register(SpServices.class, GatewayAssembly.class);
    }
    if (node.roles().contains(Role.IDP)) {
      common.register(IdpServices.class);
    }
    common.refresh();
    BoundedListeners adminBound = new BoundedListeners("admin", ListenerConnections.ofThisProcess().admin());
    var admin = BackgroundStart.start("start-admin", () -> AdminApplication.start(common, adminBound));
    List<Integer> idpPorts = node.roles().contains(Role.IDP) ? startIdp() : List.of();
    listening.countDown();
    edges.push(admin.join());
    AvailabilityChangeEvent.publish(edges.getFirst(), ReadinessState.ACCEPTING_TRAFFIC);
    List<Integer> gatewayPorts = servesApps() ? common.getBean(GatewayServer.class).ports() : List.of();
    int adminPort = Objects.requireNonNull(edges.getFirst().getWebServer(), "admin has started").getPort();
    metrics = node.listeners().metrics().map(listener -> openMetrics(listener.address(), time));
    ports = new Ports(idpPorts, gatewayPorts, adminPort, metrics.map(MetricsListener::port));
    NodeDrain drain = common.getBean(NodeDrain.class);
    common.getBeanProvider(GatewayServer.class).ifAvailable(server -> drain.add(server::announceEnd));
    drain.add(adminBound::announceEnd);
    adminListeners = Optional.of(adminBound);
    drain.serves();
    LOG.info("The node serves after {} ms: {} {}", (System.nanoTime() - started) / 1_000_000, node.roles(), ports);
  }

  /** Health is that of the admin listener, which has started. */
  private MetricsListener openMetrics(InetSocketAddress address, InstantSource time) {
    ActuatorReport report =
        new ActuatorReport(edges.getFirst().getBean(HealthEndpoint.class), common.getBean(PrometheusMeterRegistry.class));
    return MetricsListener.open(address, report, time, ListenerConnections.ofThisProcess().metrics());
  }

  private List<Integer> startIdp() {
    var idp = new AnnotationConfigServletWebServerApplicationContext();
    idp.setDisplayName("idp");
    idp.setParent(common);
    idp.register(IdpApplication.class);
    edges.push(idp);
    idp.refresh();
    IdpListeners listeners = idp.getBean(IdpListeners.class);
    common.getBean(ListenersReady.class).add(listeners::isListening);
    common.getBean(NodeDrain.class).add(listeners::announceEnd);
    idpListeners = Optional.of(listeners);
    RadiusServer server = idp.getBean(RadiusServer.class);
    server.open();
    common.getBean(ListenersReady.class).add(server::isListening);
    radius = Optional.of(server);
    return listeners.ports();
  }

  /** This must happen before an engine is opened, which would create a new store in place of a missing one. */
  private void requireFiles() {
    if (node.storage() == Node.Storage.EMBEDDED) {
      StoredState.requireFiles(node, new SecureRandom());
    }
  }

  private SharedState shared(JsonLinesAuditLog audit, InstantSource time, SecureRandom random) {
    try {
      PostgresDatabase database = (PostgresDatabase) common.getBean(Database.class);
      return SharedState.open(node, database, audit, time, random, BuildVersion.number());
    } catch (PostgresUnusable e) {
      throw refused(e);
    }
  }

  static StartRefused refused(PostgresUnusable unusable) {
    return new StartRefused(List.of(String.valueOf(unusable.getMessage()), "The node was not started."));
  }

  private Database openDatabase() {
    return switch (node.storage()) {
      case EMBEDDED -> Database.embedded(node.data());
      case SHARED -> openPostgres();
      case VOLATILE -> Database.inMemory();
    };
  }

  private Database openPostgres() {
    try {
      return SharedState.openDatabase(node, new SecureRandom());
    } catch (PostgresUnusable e) {
      throw refused(e);
    } catch (SnapshotRefused | SharedUnusable e) {
      throw new StartRefused(List.of(String.valueOf(e.getMessage()), "The node was not started."));
    }
  }

  private boolean servesApps() {
    return ListenerCheck.servesApps(node.roles());
  }

  /** Imports files that are newer than those in the database, unless an administrator has changed the configuration there. */
  void importAgain(ConfigurationFiles files) {
    common.getBeanProvider(StoredRealms.class).ifAvailable(realms -> realms.importAgain(ImportedFiles.of(files, realm -> true)));
  }

  Node node() {
    return node;
  }

  Ports ports() {
    return ports;
  }

  <T> T get(Class<T> type) {
    return common.getBean(type);
  }

  <T> T get(String name, Class<T> type) {
    return common.getBean(name, type);
  }

  /** Serves on, but is not ready, for as long as balancers need to send requests elsewhere. Closing comes next. */
  void drain() {
    common.getBean(NodeDrain.class).stop();
  }

  @Override
  public void close() {
    try {
      stop();
    } finally {
      lock.ifPresent(DataLock::close);
    }
  }

  private void stop() {
    LOG.info("The node stops");
    edges.stream()
        .filter(AnnotationConfigServletWebServerApplicationContext::isActive)
        .forEach(edge -> AvailabilityChangeEvent.publish(edge, ReadinessState.REFUSING_TRAFFIC));
    if (common.isActive()) {
      long begun = System.nanoTime();
      if (servesApps()) {
        common.getBean(GatewayServer.class).stop();
      }
      // Second, because requests at the gateway may need it.
      Duration left = node.gateway().limits().times().drain().minusNanos(System.nanoTime() - begun);
      idpListeners.ifPresent(idp -> idp.drain(left.compareTo(LEAST) > 0 ? left : LEAST));
      radius.ifPresent(server -> server.drain(LEAST));
    }
    idpListeners = Optional.empty();
    // The last, so that health is answered until the others have closed.
    adminListeners.ifPresent(admin -> admin.drain(LEAST));
    adminListeners = Optional.empty();
    edges.descendingIterator().forEachRemaining(AnnotationConfigServletWebServerApplicationContext::close);
    metrics.ifPresent(MetricsListener::close);
    metrics = Optional.empty();
    if (common.isActive() && node.storage() == Node.Storage.EMBEDDED) {
      common.getBean(StoredState.class).stopped();
    }
    common.close();
  }
}

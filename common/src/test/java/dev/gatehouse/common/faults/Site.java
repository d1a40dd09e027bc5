package dev.gatehouse.common.faults;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.faults.SiteFiles.Roles;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.valkey.ValkeySentinels;
import dev.gatehouse.common.valkey.ValkeyServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two nodes behind HAProxy, or two of each role, with PostgreSQL and a synchronous standby, and Valkey with two replicas and three
 * Sentinels, all as processes.
 */
public final class Site implements AutoCloseable {

  /**
   * What a site is made of.
   *
   * @param directoryPort of the directory with {@code alice}
   * @param samplePort of the app
   * @param staleness how long nodes serve sessions while Valkey is not there; if they do, Valkey writes only with a replica, as recommended
   */
  public record Plan(Path folder, NodeProgram program, int directoryPort, int samplePort, Duration staleness, Shape shape) {}

  /** What is special at a site. */
  public enum Shape {
    /** Sentinels promote. */
    SENTINELS,
    /** Nobody promotes; each node and the replicas have lines to Valkey that can be cut. */
    LINES,
    /** As with Sentinels; the first servers and a node have small disks. */
    SMALL_DISKS,
    /** As with Sentinels; the directory is a slapd that two others follow. */
    DIRECTORIES,
    /** As with Sentinels; the first primary can be cut off from its replicas and the Sentinels, and the last node from the Sentinels. */
    PARTITIONS,
    /** As with Sentinels; two nodes are identity providers alone, and two are gateways. */
    ROLES,
    /** As with Sentinels; nodes have a number of their own, which former builds need. */
    NUMBERED;

    List<Roles> nodes() {
      return this == ROLES ? List.of(Roles.IDP, Roles.IDP, Roles.GATEWAY, Roles.GATEWAY) : List.of(Roles.ALL, Roles.ALL);
    }
  }

  /** The small disks of a site. */
  record Disks(SmallDisk valkey, SmallDisk postgres, SmallDisk node) {}

  private final Deque<AutoCloseable> started;
  private final Plan plan;
  private final TestKey key = TestKey.ed25519("ed");
  private final Balancer.Ports people = ports();
  private final List<SiteFiles.Node> plans = new ArrayList<>();
  private final List<SiteNode> nodes = new ArrayList<>();
  private final List<CutLine> valkeyLines = new ArrayList<>();
  private final List<CutLine> postgresLines = new ArrayList<>();
  private final List<CutLine> primaryLines = new ArrayList<>();
  private final List<CutLine> sentinelLines = new ArrayList<>();
  private final Optional<Directories> directories;
  private final Optional<Disks> disks;
  private final Postgres postgres;
  private final CutLine standbyLine;
  private final Postgres standby;
  private final ValkeySentinels valkey;
  private Optional<Balancer> balancer = Optional.empty();

  private Site(Plan plan, Deque<AutoCloseable> started) throws IOException, InterruptedException {
    this.started = started;
    this.plan = plan;
    for (Roles roles : plan.shape().nodes()) {
      OptionalInt number = plan.shape() == Shape.NUMBERED ? OptionalInt.of(plans.size()) : OptionalInt.empty();
      plans.add(new SiteFiles.Node(roles, ports(), plan.folder().resolve("node" + plans.size()), number));
    }
    this.disks = plan.shape() == Shape.SMALL_DISKS ? Optional.of(mounted()) : Optional.empty();
    String[] settings = {"synchronous_standby_names=standby", "max_wal_size=64MB", "min_wal_size=32MB"};
    this.postgres = begun(disks.isPresent() ? Postgres.startIn(disks.get().postgres().folder(), settings) : Postgres.start(settings));
    this.standbyLine = begun(new CutLine(postgres.port()));
    this.standby = begun(postgres.standby(standbyLine.port(), "wal_retrieve_retry_interval=1s"));
    int leastReplicas = plan.staleness().isZero() ? 0 : 1;
    this.valkey =
        begun(
            switch (plan.shape()) {
              case LINES -> ValkeySentinels.unattended(this::primaryLine, leastReplicas);
              case PARTITIONS -> ValkeySentinels.partitionable(this::primaryLine, leastReplicas);
              default -> ValkeySentinels.start(disks.map(all -> all.valkey().folder()), leastReplicas);
            });
    this.directories = plan.shape() == Shape.DIRECTORIES ? Optional.of(begun(Directories.start())) : Optional.empty();
    for (int port : plan.shape() == Shape.PARTITIONS ? valkey.sentinelPorts() : List.<Integer>of()) {
      sentinelLines.add(begun(new CutLine(port)));
    }
  }

  private Disks mounted() throws IOException {
    Path node = Files.createDirectories(plan.folder().resolve("node1/data"));
    return new Disks(
        begun(SmallDisk.mount(Files.createTempDirectory("gatehouse-disk"), "48m")),
        begun(SmallDisk.mount(Files.createTempDirectory("gatehouse-disk"), "256m")), begun(SmallDisk.mount(node, "64m")));
  }

  private int primaryLine(int primary) {
    try {
      primaryLines.add(begun(new CutLine(primary)));
      return primaryLines.getLast().port();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts everything; returns when all nodes serve and the balancer knows it. */
  public static Site start(Plan plan) throws IOException, InterruptedException {
    Deque<AutoCloseable> started = new ArrayDeque<>();
    // Ends the servers also when a benchmark is interrupted, or when one of them does not start.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started), "end-site"));
    try {
      Site site = new Site(plan, started);
      site.balancer = Optional.of(site.begun(site.newBalancer()));
      // The first one makes the first revision; each pair needs metadata of each other.
      site.node(0).await(SiteNode.READY);
      for (int index = 1; index < site.plans.size(); index++) {
        site.node(index);
        if (plan.shape() != Shape.ROLES) {
          site.nodes.getLast().await(SiteNode.READY);
        }
      }
      for (int index = 0; index < site.plans.size(); index++) {
        Roles roles = site.plans.get(index).roles();
        SiteNode node = site.nodes.get(index).await(SiteNode.READY);
        if (roles.isIdp()) {
          node.await("Metadata of " + site.app() + ".gatehouse/saml/metadata in realm office taken over");
        }
        if (roles.isGateway()) {
          node.await("Metadata of " + site.realm() + " in realm office taken over");
        }
      }
      // Otherwise the first people are known at one node only, whatever a trial says about both.
      site.balancer.get().awaitAll();
      return site;
    } catch (IOException | InterruptedException | RuntimeException e) {
      close(started);
      throw e;
    }
  }

  private <T extends AutoCloseable> T begun(T server) {
    started.push(server);
    return server;
  }

  private static Balancer.Ports ports() {
    List<Integer> free = FreePorts.take(3);
    return new Balancer.Ports(free.get(0), free.get(1), free.get(2));
  }

  private Balancer newBalancer() throws IOException {
    return Balancer.start(
        plan.folder(), people, backends(Roles::isIdp, Balancer.Ports::idp), backends(Roles::isGateway, Balancer.Ports::apps),
        Balancer.Spread.EACH_REQUEST, Balancer.APP_HOST, Optional.empty());
  }

  private List<Balancer.Backend> backends(Predicate<Roles> roles, ToIntFunction<Balancer.Ports> port) {
    return plans.stream()
        .filter(node -> roles.test(node.roles()))
        .map(node -> new Balancer.Backend(port.applyAsInt(node.ports()), node.ports().admin()))
        .toList();
  }

  private SiteNode node(int index) throws IOException {
    for (Postgres each : List.of(postgres, standby)) {
      postgresLines.add(begun(new CutLine(each.port())));
    }
    valkeyLines.add(begun(new CutLine(valkey.first().port())));
    Path folder = Files.createDirectories(plans.get(index).folder());
    String servers =
        plan.shape() != Shape.LINES
            ? sentinels(index).stream().map(port -> "\"127.0.0.1:" + port + "\"").collect(Collectors.joining(", ", "sentinels: [", "]"))
            : "server: \"127.0.0.1:" + valkeyLines.get(index).port() + "\"";
    List<Integer> databases = postgresLines(index).stream().map(CutLine::port).toList();
    Files.writeString(folder.resolve("gatehouse.yaml"), plans.get(index).configuration(databases, servers, plan.staleness()));
    if (index == 0) {
      List<Integer> directory = directories.map(Directories::ports).orElse(List.of(plan.directoryPort()));
      Files.writeString(
          Files.createDirectories(folder.resolve("realms")).resolve("office.yaml"),
          SiteFiles.realm(folder, people, directory, plan.samplePort(), key));
    }
    nodes.add(begun(new SiteNode(plan.program(), folder)));
    return nodes.getLast();
  }

  private List<Integer> sentinels(int index) {
    boolean isCuttable = index == plans.size() - 1 && !sentinelLines.isEmpty();
    return isCuttable ? sentinelLines.stream().map(CutLine::port).toList() : valkey.sentinelPorts();
  }

  /** Returns how long nodes serve sessions while Valkey is not there. */
  Duration staleness() {
    return plan.staleness();
  }

  /** Returns the plan of the site. */
  Plan plan() {
    return plan;
  }

  /** Returns the ports of the gateways, for requests past the balancer. */
  List<Integer> gatewayPorts() {
    return backends(Roles::isGateway, Balancer.Ports::apps).stream().map(Balancer.Backend::port).toList();
  }

  /** Returns the ports of the identity providers. */
  List<Integer> idpPorts() {
    return backends(Roles::isIdp, Balancer.Ports::idp).stream().map(Balancer.Backend::port).toList();
  }

  /** Returns whether the node with this port runs. */
  boolean isRunning(int port) {
    return IntStream.range(0, plans.size())
        .filter(index -> plans.get(index).ports().idp() == port || plans.get(index).ports().apps() == port)
        .allMatch(index -> nodes.get(index).isRunning());
  }

  /** Returns the nodes with their ports and folders, whether they run or not. */
  List<SiteFiles.Node> plans() {
    return List.copyOf(plans);
  }

  String idpHost() {
    return Balancer.IDP_HOST;
  }

  String appHost() {
    return Balancer.APP_HOST;
  }

  String realm() {
    return "http://" + idpHost() + ":" + people.idp() + "/realms/office";
  }

  String app() {
    return "http://" + appHost() + ":" + people.apps() + "/";
  }

  TestKey key() {
    return key;
  }

  List<SiteNode> nodes() {
    return List.copyOf(nodes);
  }

  Balancer balancer() {
    return balancer.orElseThrow();
  }

  Postgres postgres() {
    return postgres;
  }

  Postgres standby() {
    return standby;
  }

  ValkeyServer valkey() {
    return valkey.first();
  }

  ValkeySentinels sentinels() {
    return valkey;
  }

  /** The line of a node to Valkey, which it uses where no Sentinels are. */
  CutLine valkeyLine(int node) {
    return valkeyLines.get(node);
  }

  /** The line to the first primary of Valkey: of its replicas, and of everybody where it can be partitioned. */
  CutLine primaryLine() {
    return primaryLines.getFirst();
  }

  /** The lines of the last node to the Sentinels. */
  List<CutLine> sentinelLines() {
    return sentinelLines;
  }

  /** The line between PostgreSQL's servers. */
  CutLine standbyLine() {
    return standbyLine;
  }

  Disks disks() {
    return disks.orElseThrow();
  }

  Optional<Directories> directories() {
    return directories;
  }

  /** The lines of a node to both servers of PostgreSQL. */
  List<CutLine> postgresLines(int node) {
    return postgresLines.subList(2 * node, 2 * node + 2);
  }

  @Override
  public void close() {
    close(started);
  }

  private static synchronized void close(Deque<AutoCloseable> started) {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}

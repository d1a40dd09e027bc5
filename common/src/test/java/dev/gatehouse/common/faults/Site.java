package dev.gatehouse.common.faults;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.db.Postgres;
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
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two nodes behind HAProxy, with PostgreSQL and a synchronous standby, and Valkey with two replicas and three Sentinels, all as
 * processes.
 */
public final class Site implements AutoCloseable {

  static final String SECRET = "a-secret-of-a-client-in-a-test";
  /** The number of clients that ask for consent. */
  static final int ASKING = 200;

  private static final int NODES = 2;

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
    PARTITIONS
  }

  /** The small disks of a site. */
  record Disks(SmallDisk valkey, SmallDisk postgres, SmallDisk node) {}

  private final Deque<AutoCloseable> started;
  private final Plan plan;
  private final TestKey key = TestKey.ed25519("ed");
  private final Balancer.Ports people = ports();
  private final List<Balancer.Ports> ports = List.of(ports(), ports());
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
  private final AtomicInteger revisions = new AtomicInteger();
  private Optional<Balancer> balancer = Optional.empty();

  private Site(Plan plan, Deque<AutoCloseable> started) throws IOException, InterruptedException {
    this.started = started;
    this.plan = plan;
    this.disks = plan.shape() == Shape.SMALL_DISKS ? Optional.of(mounted()) : Optional.empty();
    String[] settings = {"synchronous_standby_names=standby", "max_wal_size=64MB", "min_wal_size=32MB"};
    this.postgres = begun(disks.isPresent() ? Postgres.startIn(disks.get().postgres().folder(), settings) : Postgres.start(settings));
    this.standbyLine = begun(new CutLine(postgres.port()));
    this.standby = begun(postgres.standby(standbyLine.port()));
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

  /** Starts everything; returns when both nodes serve. */
  public static Site start(Plan plan) throws IOException, InterruptedException {
    Deque<AutoCloseable> started = new ArrayDeque<>();
    // Ends the servers also when a benchmark is interrupted, or when one of them does not start.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started), "end-site"));
    try {
      Site site = new Site(plan, started);
      site.balancer = Optional.of(site.begun(Balancer.start(plan.folder(), site.people, site.ports)));
      for (int index = 0; index < NODES; index++) {
        site.node(index);
      }
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

  private void node(int index) throws IOException {
    for (Postgres each : List.of(postgres, standby)) {
      postgresLines.add(begun(new CutLine(each.port())));
    }
    valkeyLines.add(begun(new CutLine(valkey.first().port())));
    Path folder = Files.createDirectories(plan.folder().resolve("node" + index));
    Files.writeString(folder.resolve("gatehouse.yaml"), configuration(index, folder));
    if (index == 0) {
      Files.writeString(Files.createDirectories(folder.resolve("realms")).resolve("office.yaml"), realmFile(folder));
    }
    nodes.add(begun(new SiteNode(plan.program(), folder)));
    nodes.getLast().await("Gatehouse is ready");
    nodes.getLast().await("taken over");
  }

  private String configuration(int index, Path folder) {
    String servers =
        plan.shape() != Shape.LINES
            ? "sentinels: " + sentinels(index).stream().map(port -> "\"127.0.0.1:" + port + "\"").collect(Collectors.joining(", ", "[", "]"))
            : "server: \"127.0.0.1:" + valkeyLines.get(index).port() + "\"";
    return """
        roles: [idp, sp, gateway]
        listeners:
          idp: {address: 127.0.0.1, port: %d}
          gateway: {address: 127.0.0.1, port: %d}
          admin: {port: %d}
        index: %d
        storage: shared
        data: %s
        masterKey: %s
        postgresql: {url: "postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres", user: gatehouse, password: %s}
        valkey: {%s, tls: false, staleness: %ds}
        """
        .formatted(
            ports.get(index).idp(), ports.get(index).apps(), ports.get(index).admin(), index, folder.resolve("data"),
            Base64.getEncoder().encodeToString(new byte[32]), postgresLines.get(2 * index).port(), postgresLines.get(2 * index + 1).port(),
            Postgres.password(), servers, plan.staleness().toSeconds());
  }

  private List<Integer> sentinels(int index) {
    boolean isCuttable = index == NODES - 1 && !sentinelLines.isEmpty();
    return isCuttable ? sentinelLines.stream().map(CutLine::port).toList() : valkey.sentinelPorts();
  }

  private String realmFile(Path folder) throws IOException {
    Path keys = Files.writeString(folder.resolve("client-keys.json"), key.jwks());
    String asking =
        IntStream.range(0, ASKING)
            .mapToObj(
                i ->
                    "  - {clientId: asks%d, secret: %s, consent: true, redirectUris: [\"http://127.0.0.1:9/callback\"]}\n"
                        .formatted(i, SECRET))
            .collect(Collectors.joining());
    return """
        idp:
          publicUrl: http://%1$s:%2$d
          oauth: {registration: loopback}
        sp:
          publicUrl: http://%3$s:%4$d
        directory:
          urls: [%5$s]
          base: ou=people,dc=example,dc=org
          filter: (&(objectClass=inetOrgPerson)(uid={name}))
          groups: {base: "ou=groups,dc=example,dc=org"}
        partners:
          - entityId: http://%3$s:%4$d/.gatehouse/saml/metadata
            metadata: http://%3$s:%4$d/.gatehouse/saml/metadata
            release: [uid, mail]
            logout: soap
          - entityId: http://%1$s:%2$d/realms/office
            metadata: http://%1$s:%2$d/realms/office/saml/metadata
        clients:
          - clientId: web
            secret: %6$s
            grants: [code, refresh, clientCredentials]
            redirectUris: ["http://127.0.0.1:9/callback"]
            scopes: [openid, offline_access]
            accessToken: {format: opaque}
          - clientId: keyed
            authentication: privateKeyJwt
            jwks: %7$s
            grants: [clientCredentials]
        %8$sroutes:
          - {path: /, upstream: "http://127.0.0.1:%9$d", inject: {Remote-User: user}}
        """
        .formatted(
            idpHost(), people.idp(), appHost(), people.apps(), directoryUrls(), SECRET, keys, asking, plan.samplePort());
  }

  private String directoryUrls() {
    List<Integer> at = directories.map(Directories::ports).orElse(List.of(plan.directoryPort()));
    return at.stream().map(port -> "\"ldap://127.0.0.1:" + port + "\"").collect(Collectors.joining(", "));
  }

  /** Changes the configuration, and returns once the change is in use. */
  void changeConfiguration() throws IOException, InterruptedException {
    int number = revisions.incrementAndGet();
    Path folder = plan.folder().resolve("node0");
    Path proposal = plan.folder().resolve("proposal" + number);
    String realm = Files.readString(folder.resolve("realms/office.yaml"));
    Files.writeString(Files.createDirectories(proposal.resolve("realms")).resolve("office.yaml"), "brand: {displayName: Office " + number + "}\n" + realm);
    Path log = plan.folder().resolve("apply" + number + ".log");
    Process apply =
        new ProcessBuilder(plan.program().command("apply", "--config", folder.toString(), proposal.toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (apply.waitFor() != 0) {
      throw new IllegalStateException("The configuration was not applied:\n" + Files.readString(log));
    }
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

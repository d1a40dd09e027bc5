package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.DemoNodes;
import dev.gatehouse.gateway.demo.DemoRefused;
import dev.gatehouse.gateway.demo.SampleApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Several nodes, the servers that they share, and a balancer, each a process; directory and sample app are in this one. */
public final class NodesDemo implements AutoCloseable {
  /** The number of nodes at most. */
  public static final int MOST = 4;

  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration STOP_NODES = Duration.ofSeconds(15);
  private static final Duration STOP_SERVER = Duration.ofSeconds(10);
  private static final int KILLED = 137;

  private final Path home;
  private final Path folder;
  private final NodePorts ports;
  private final Consumer<String> out;
  private final List<DemoNode> nodes = new CopyOnWriteArrayList<>();
  private final Deque<OwnProcess> servers = new ArrayDeque<>();
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private List<Path> changed = List.of();
  private volatile boolean isClosing;

  private NodesDemo(Path home, NodePorts ports, Consumer<String> out) {
    this.home = home;
    this.folder = home.resolve("nodes");
    this.ports = ports;
    this.out = out;
  }

  /**
   * Starts everything; returns when all nodes serve. The calling thread must live as long as the demo.
   *
   * @param home the demo's folder: servers and nodes have their files in {@code nodes} below it
   * @param path the variable PATH, on which servers are looked for
   * @param out takes a line for each node, and for what ends by itself
   * @param whenNoneIsLeft is called when the last node ended by itself
   * @throws DemoRefused if a server is missing or does not start
   */
  public static NodesDemo start(Path home, NodePorts ports, int count, String path, Instant now, Consumer<String> out,
      Runnable whenNoneIsLeft)
      throws InterruptedException {
    ServerPrograms programs = ServerPrograms.find(path);
    NodesDemo demo = new NodesDemo(home, ports, out);
    try {
      demo.start(programs, count, now, whenNoneIsLeft);
      return demo;
    } catch (RuntimeException | InterruptedException e) {
      demo.close();
      throw e;
    }
  }

  private void start(ServerPrograms programs, int count, Instant now, Runnable whenNoneIsLeft) throws InterruptedException {
    requireFree(count);
    try {
      Files.createDirectories(folder);
      DemoCertificate.ensure(folder.resolve("tls"), now, new SecureRandom());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    changed = DemoConfiguration.realm(configuration()).write(ports.people());
    DemoSecrets secrets = DemoSecrets.ensure(folder.resolve("secrets"));
    OwnProcess postgresql =
        server(
            "PostgreSQL",
            DemoPostgres.start(programs.postgresql(), folder.resolve("postgresql"), ports.postgresql(), secrets.postgresql()));
    OwnProcess valkey = server("Valkey", DemoValkey.start(programs.valkey(), folder.resolve("valkey"), ports.valkey(), secrets.valkey()));
    OwnProcess haproxy =
        server("HAProxy", DemoHaproxy.start(programs.haproxy(), folder.resolve("haproxy"), folder.resolve("tls"), ports, count));
    parts.push(DemoDirectory.start(ports.people().directory()));
    parts.push(SampleApp.start(ports.people().app(), this::states));
    valkey.await(() -> OwnProcess.answers(ports.valkey()), START);
    haproxy.await(() -> OwnProcess.answers(ports.people().appHttp()), START);
    DemoPostgres.await(postgresql, programs.postgresql(), ports.postgresql());
    // The first one makes tables and keys and imports the realm; the others find them.
    List<String> first = new ArrayList<>(List.of("--demo", home.toAbsolutePath().toString()));
    if (changed.isEmpty()) {
      first.add("--import-newer");
    }
    node(1, secrets, first, whenNoneIsLeft).await();
    for (int number = 2; number <= count; number++) {
      node(number, secrets, List.of(), whenNoneIsLeft);
    }
    for (DemoNode node : nodes) {
      node.await();
    }
    nodes.forEach(this::announce);
  }

  private void requireFree(int count) {
    List<Integer> ofServers =
        List.of(
            ports.postgresql(), ports.valkey(), ports.people().idpHttp(), ports.people().idpHttps(), ports.people().appHttp(),
            ports.people().appHttps(), ports.people().admin(), ports.people().metrics());
    Stream<Integer> ofNodes =
        Stream.iterate(1, number -> number <= count, number -> number + 1)
            .map(ports::node)
            .flatMap(node -> Stream.of(node.idp(), node.gateway(), node.admin(), node.metrics()));
    List<String> taken = Stream.concat(ofServers.stream(), ofNodes).filter(OwnProcess::answers).map(String::valueOf).toList();
    if (!taken.isEmpty()) {
      throw new DemoRefused(
          "Another program listens on 127.0.0.1 at " + String.join(", ", taken) + " — stop it, or use --port-base");
    }
  }

  private OwnProcess server(String name, OwnProcess server) {
    servers.push(server);
    server.onExit().thenAccept(ended -> tell(name + " (pid " + ended.pid() + ") " + how(ended) + ". Ctrl-C ends the demo."));
    return server;
  }

  private DemoNode node(int number, DemoSecrets secrets, List<String> further, Runnable whenNoneIsLeft) {
    DemoNode node = DemoNode.start(number, folder(number), ports, secrets, further);
    nodes.add(node);
    node.process().onExit().thenAccept(ended -> ended(node, ended, whenNoneIsLeft));
    return node;
  }

  private Path folder(int number) {
    return folder.resolve("node-" + number);
  }

  private void announce(DemoNode node) {
    out.accept(
        "node " + node.number() + "  admin http://localhost:" + node.ports().admin() + "  health http://localhost:" + node.ports().metrics()
            + "/health  metrics http://localhost:" + node.ports().metrics() + "/metrics  pid " + node.process().pid());
  }

  private void ended(DemoNode node, Process process, Runnable whenNoneIsLeft) {
    long left = nodes.stream().filter(each -> each.process().isAlive()).count();
    tell(
        "node " + node.number() + " (pid " + process.pid() + ") " + how(process)
            + (left == 0
                ? ". No node is left."
                : ". The others serve on. To start it again: ./gatehouse run --config " + folder(node.number()).resolve("config")));
    if (left == 0 && !isClosing) {
      whenNoneIsLeft.run();
    }
  }

  private static String how(Process ended) {
    return ended.exitValue() == KILLED ? "was killed" : "ended with exit code " + ended.exitValue();
  }

  private void tell(String line) {
    if (!isClosing) {
      out.accept(line);
    }
  }

  private List<DemoNodes.State> states() {
    return nodes.stream().map(node -> new DemoNodes.State(node.number(), node.process().pid(), node.process().isAlive())).toList();
  }

  /** Returns where the realm is, for changes by hand. */
  public Path configuration() {
    return folder(1).resolve("config");
  }

  /** Returns the files of the realm that were changed by hand, and stayed. */
  public List<Path> changed() {
    return changed;
  }

  /** Ends the nodes, then the balancer, then the servers that they use. */
  @Override
  public void close() {
    isClosing = true;
    nodes.forEach(node -> node.process().stop());
    nodes.forEach(node -> node.process().awaitEnd(STOP_NODES));
    servers.forEach(OwnProcess::stop);
    servers.forEach(server -> server.awaitEnd(STOP_SERVER));
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        out.accept("While stopping: " + e);
      }
    }
  }
}

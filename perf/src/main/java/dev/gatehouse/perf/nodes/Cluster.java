package dev.gatehouse.perf.nodes;

import dev.gatehouse.common.faults.Balancer;
import dev.gatehouse.common.faults.Balancer.Backend;
import dev.gatehouse.perf.gateway.Certificates;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.nodes.SharedServers.Deployment;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Nodes with shared stores behind balancers, on this machine. Each entry is a realm of its own, with a balancer in front of as many of
 * the nodes as its front has; so rounds alternate between numbers of nodes while the same processes run.
 */
final class Cluster extends Resources {

  /** Balancers look every second and want to see a node ready twice. */
  private static final long RISE_MILLIS = 3_000;

  static final String BALANCER = "haproxy";

  /** More gateways do not need more identity providers here. */
  private static final int MOST_IDPS = 2;

  /** The addresses of a realm. */
  record Entry(Front front, String realm, Balancer.Ports people, String appHost, boolean isSecure) {

    /** @param number of the entry; cookies do not tell ports apart, so each has an address of its own */
    static Entry of(Front front, String realm, int number, boolean isSecure) throws IOException {
      Balancer.Ports ports = new Balancer.Ports(FreePorts.take(), FreePorts.take(), 0);
      return new Entry(front, front.word() + "-" + realm, ports, "127.0.1." + (1 + number), isSecure);
    }

    String idpUrl() {
      return scheme() + Balancer.IDP_HOST + ":" + people.idp();
    }

    String appUrl() {
      return scheme() + appHost + ":" + people.apps();
    }

    private String scheme() {
      return isSecure ? "https://" : "http://";
    }
  }

  /** Writes the file of a realm. */
  @FunctionalInterface
  interface RealmFile {
    String text(Entry entry);
  }

  private final SharedServers shared;
  private final ServerProcess slapd;
  private final List<GatehouseNode> idps = new ArrayList<>();
  private final List<GatehouseNode> gateways = new ArrayList<>();
  private final Map<Entry, Balancer> balancers = new LinkedHashMap<>();
  private Optional<Certificates> certificates = Optional.empty();

  private Cluster(Path work, SharedServers shared, ServerProcess slapd) {
    super(work);
    this.shared = shared;
    this.slapd = slapd;
  }

  /** Starts identity providers and gateways as nodes of their own, as many of each as the largest front has. */
  static Cluster apart(
      Path work, SharedServers shared, ServerProcess slapd, List<Entry> entries, RealmFile idp, RealmFile gateway)
      throws IOException, InterruptedException {
    Cluster cluster = new Cluster(Files.createDirectories(work), shared, slapd);
    try {
      cluster.certify(entries);
      Deployment idps = shared.deployment("idp");
      Deployment gateways = shared.deployment("app");
      Map<String, String> idpRealms = realms(entries, idp);
      Map<String, String> appRealms = realms(entries, gateway);
      List<GatehouseNode.Configured> idpNodes = new ArrayList<>();
      List<GatehouseNode.Configured> appNodes = new ArrayList<>();
      for (int i = 0; i < most(entries); i++) {
        if (i < MOST_IDPS) {
          idpNodes.add(cluster.configured("idp-" + i, i, "[idp]", FreePorts.take(), idps.storage(i), idpRealms));
        }
        appNodes.add(cluster.configured("app-" + i, i, "[sp, gateway]", FreePorts.take(), gateways.storage(i), appRealms));
      }
      cluster.start(entries, idpNodes, appNodes);
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** All balancers have one certificate, which nodes trust when they fetch metadata. */
  private void certify(List<Entry> entries) throws IOException, InterruptedException {
    if (entries.stream().anyMatch(Entry::isSecure)) {
      Certificates made =
          Certificates.p256(
              work(), Stream.concat(Stream.of(Balancer.IDP_HOST), entries.stream().map(Entry::appHost)).distinct().toList());
      Files.writeString(pem(), Files.readString(made.certificate()) + Files.readString(made.privateKey()));
      certificates = Optional.of(made);
    }
  }

  private Path pem() {
    return work().resolve("balancer.pem");
  }

  private GatehouseNode.Configured configured(
      String name, int index, String roles, int port, String storage, Map<String, String> realms) throws IOException {
    String listener = GatehouseNode.listener(roles.equals("[idp]") ? "idp" : "gateway", port);
    // The first node brings the realms; the others find them in the database.
    // The balancer's connections carry requests of many browsers, each of which gets its own cookie.
    String trust = certificates.map(made -> "outbound: {ca: \"" + made.certificate() + "\"}\n").orElse("");
    String keys = storage + "trustedProxies: [127.0.0.0/8]\n" + trust;
    return GatehouseNode.configure(name, work(), roles, listener, keys, port, index == 0 ? realms : Map.of());
  }

  private static Map<String, String> realms(List<Entry> entries, RealmFile file) {
    Map<String, String> realms = new LinkedHashMap<>();
    entries.forEach(entry -> realms.put(entry.realm(), file.text(entry)));
    return realms;
  }

  private static int most(List<Entry> entries) {
    return entries.stream().mapToInt(entry -> entry.front().nodes()).max().orElseThrow();
  }

  private void start(List<Entry> entries, List<GatehouseNode.Configured> idpNodes, List<GatehouseNode.Configured> appNodes)
      throws IOException, InterruptedException {
    for (Entry entry : entries) {
      Path folder = Files.createDirectories(work().resolve("haproxy-" + entry.realm()));
      int nodes = entry.front().nodes();
      balancers.put(
          entry,
          closeAtEnd(
              Balancer.start(
                  folder, entry.people(), backends(idpNodes, nodes), backends(appNodes, nodes), entry.front().spread(),
                  entry.appHost(), entry.isSecure() ? Optional.of(pem()) : Optional.empty())));
    }
    Build build = Build.here();
    for (int i = 0; i < appNodes.size(); i++) {
      GatehouseNode gateway = closeAtEnd(appNodes.get(i).start(build));
      if (i < idpNodes.size()) {
        idps.add(closeAtEnd(idpNodes.get(i).start(build)).await());
      }
      gateways.add(gateway.await());
    }
    Thread.sleep(RISE_MILLIS);
  }

  private static List<Backend> backends(List<GatehouseNode.Configured> nodes, int number) {
    return nodes.stream().limit(number).map(node -> new Backend(node.port(), node.adminPort())).toList();
  }

  /** Federates so many people, who then have persistent names of which each is linked to an account. */
  void federate(Entry entry, int people) throws IOException, InterruptedException {
    Federation.federate(
        Build.here(), idps.getFirst().configured(), gateways.getFirst().configured(),
        new Federation.Ends(entry.realm(), entry.idpUrl(), entry.appUrl()), people);
  }

  /** The nodes behind an entry, with the servers beside them. */
  Server server(String name, Entry entry) {
    List<ServerProcess> processes = new ArrayList<>();
    for (List<GatehouseNode> role : List.of(idps, gateways)) {
      role.stream().limit(entry.front().nodes()).forEach(node -> processes.add(node.process()));
    }
    processes.add(slapd);
    processes.add(
        ServerProcess.watched(BALANCER, Objects.requireNonNull(balancers.get(entry)).process(), entry.people().apps()));
    processes.addAll(shared.processes());
    return new Server(name, processes);
  }
}

package dev.gatehouse.common.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** HAProxy as in {@code docker/nodes}: it checks each node every second. */
public final class Balancer implements AutoCloseable {

  /** The address of the identity provider that people know. */
  public static final String IDP_HOST = "127.0.0.22";

  /** The address of the apps that people know. */
  public static final String APP_HOST = "127.0.0.26";

  /** The ports of a node with all roles, or those that people know. */
  public record Ports(int idp, int apps, int admin) {}

  /** One listener of a node. */
  public record Backend(int port, int admin) {}

  /** How requests are spread. */
  public enum Spread {
    /** Each request goes to the next node. */
    EACH_REQUEST,
    /** A browser stays at the node that it came to first. */
    STICKY
  }

  private final Process process;

  private Balancer(Process process) {
    this.process = process;
  }

  static boolean isInstalled() {
    return Files.isExecutable(Path.of("/usr/sbin/haproxy"));
  }

  /** Starts HAProxy in front of nodes with all roles. */
  static Balancer start(Path folder, Ports people, List<Ports> nodes) throws IOException {
    return start(
        folder, people, nodes.stream().map(node -> new Backend(node.idp(), node.admin())).toList(),
        nodes.stream().map(node -> new Backend(node.apps(), node.admin())).toList(), Spread.EACH_REQUEST, APP_HOST);
  }

  /**
   * Starts HAProxy in front of identity providers and gateways.
   *
   * @param appHost the address of the apps; each realm has one of its own
   */
  public static Balancer start(
      Path folder, Ports people, List<Backend> idps, List<Backend> gateways, Spread spread, String appHost) throws IOException {
    StringBuilder servers = new StringBuilder();
    boolean isSticky = spread == Spread.STICKY;
    for (String backend : List.of("idp", "apps", "idp-anyway", "apps-anyway")) {
      List<Backend> nodes = backend.startsWith("idp") ? idps : gateways;
      servers.append("backend ").append(backend).append("\n  balance roundrobin\n").append(check(backend));
      servers.append(isSticky ? "  cookie NODE insert indirect nocache\n" : "");
      IntStream.range(0, nodes.size())
          .forEach(
              i ->
                  servers.append(
                      "  server node-%d 127.0.0.1:%d port %d%s\n"
                          .formatted(i, nodes.get(i).port(), nodes.get(i).admin(), isSticky ? " cookie node-" + i : "")));
    }
    Path file = folder.resolve("haproxy.cfg");
    Files.writeString(
        file,
        """
        defaults
          mode http
          timeout connect 2s
          timeout client 75s
          timeout server 75s
          timeout http-request 10s
          timeout check 3s
          retries 2
          option redispatch 1
          retry-on conn-failure
          option httpchk
          default-server check inter 1s fastinter 500ms fall 2 rise 2 on-marked-down shutdown-sessions
        frontend login
          bind %s:%d
          use_backend idp-anyway if { nbsrv(idp) eq 0 }
          default_backend idp
        frontend people
          bind %s:%d
          use_backend apps-anyway if { nbsrv(apps) eq 0 }
          default_backend apps
        %s"""
            .formatted(IDP_HOST, people.idp(), appHost, people.apps(), servers));
    Process process =
        new ProcessBuilder("/usr/sbin/haproxy", "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile())
            .start();
    return new Balancer(process);
  }

  public Process process() {
    return process;
  }

  private static String check(String backend) {
    return """
      http-check send meth GET uri /actuator/health/%s ver HTTP/1.1 hdr Host localhost
      http-check expect status 200
    """
        .formatted(backend.endsWith("-anyway") ? "liveness" : "readiness");
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

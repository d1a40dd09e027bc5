package dev.gatehouse.common.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** HAProxy as in {@code docker/nodes}: each request goes to the next node, which it checks every second. */
final class Balancer implements AutoCloseable {

  /** The ports of a node. */
  record Ports(int idp, int apps, int admin) {}

  private final Process process;

  private Balancer(Process process) {
    this.process = process;
  }

  static boolean isInstalled() {
    return Files.isExecutable(Path.of("/usr/sbin/haproxy"));
  }

  static Balancer start(Path folder, Ports people, List<Ports> nodes) throws IOException {
    StringBuilder servers = new StringBuilder();
    for (String backend : List.of("idp", "apps", "idp-anyway", "apps-anyway")) {
      servers.append("backend ").append(backend).append("\n  balance roundrobin\n").append(check(backend));
      IntStream.range(0, nodes.size())
          .forEach(
              i -> {
                int port = backend.startsWith("idp") ? nodes.get(i).idp() : nodes.get(i).apps();
                servers.append("  server node-%d 127.0.0.1:%d port %d\n".formatted(i, port, nodes.get(i).admin()));
              });
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
          retries 2
          option redispatch 1
          retry-on conn-failure
          option httpchk
          default-server check inter 1s fastinter 500ms fall 2 rise 2 on-marked-down shutdown-sessions
        frontend login
          bind 127.0.0.22:%d
          use_backend idp-anyway if { nbsrv(idp) eq 0 }
          default_backend idp
        frontend people
          bind 127.0.0.26:%d
          use_backend apps-anyway if { nbsrv(apps) eq 0 }
          default_backend apps
        %s"""
            .formatted(people.idp(), people.apps(), servers));
    Process process =
        new ProcessBuilder("/usr/sbin/haproxy", "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile())
            .start();
    return new Balancer(process);
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

package dev.gatehouse.common.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * HAProxy as in {@code docker/nodes}: it checks each node every second, and lets a node that is not ready finish what it has begun. Nodes of
 * the tests need not warm up, and are asked at their admin listeners.
 */
public final class Balancer implements AutoCloseable {

  /** The address of the identity provider that people know. */
  public static final String IDP_HOST = "127.0.0.22";

  /** The address of the apps that people know. */
  public static final String APP_HOST = "127.0.0.26";

  /** The cookie that says at which node a browser stays. */
  public static final String COOKIE = "NODE";

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

  static final String DEFAULTS =
      """
      defaults
        mode http
        timeout connect 2s
        timeout client 75s
        timeout server 75s
        timeout http-request 10s
        timeout http-keep-alive 40s
        timeout check 5s
        retries 2
        option redispatch 1
        retry-on conn-failure
        option httpchk
        http-check expect status 200
        default-server check inter 1s fastinter 500ms fall 2 rise 2
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Path socket;
  private final int servers;

  private Balancer(Process process, Path socket, int servers) {
    this.process = process;
    this.socket = socket;
    this.servers = servers;
  }

  static boolean isInstalled() {
    return Files.isExecutable(Path.of("/usr/sbin/haproxy"));
  }

  /**
   * Starts HAProxy in front of identity providers and gateways.
   *
   * @param appHost the address of the apps; each realm has one of its own
   * @param tls the file with the certificate and its key, if people come by https
   */
  public static Balancer start(
      Path folder, Ports people, List<Backend> idps, List<Backend> gateways, Spread spread, String appHost, Optional<Path> tls)
      throws IOException {
    String secured = tls.map(file -> " ssl crt " + file + "\n  http-request set-header X-Forwarded-Proto https").orElse("");
    StringBuilder servers = new StringBuilder();
    boolean isSticky = spread == Spread.STICKY;
    for (String backend : List.of("idp", "apps", "idp-anyway", "apps-anyway")) {
      List<Backend> nodes = backend.startsWith("idp") ? idps : gateways;
      servers.append("backend ").append(backend).append("\n  balance roundrobin\n").append(check(backend));
      servers.append(isSticky ? "  cookie " + COOKIE + " insert indirect nocache\n" : "");
      IntStream.range(0, nodes.size())
          .forEach(
              i ->
                  servers.append(
                      "  server node-%d 127.0.0.1:%d port %d%s\n"
                          .formatted(i, nodes.get(i).port(), nodes.get(i).admin(), isSticky ? " cookie node-" + i : "")));
    }
    Path file = folder.resolve("haproxy.cfg");
    Path socket = Files.createTempDirectory("haproxy").resolve("stats");
    Files.writeString(
        file,
        """
        global
          stats socket %s
        %s
        frontend login
          bind %s:%d%s
          use_backend idp-anyway if { nbsrv(idp) eq 0 }
          default_backend idp
        frontend people
          bind %s:%d%s
          use_backend apps-anyway if { nbsrv(apps) eq 0 }
          default_backend apps
        %s"""
            .formatted(socket, DEFAULTS, IDP_HOST, people.idp(), secured, appHost, people.apps(), secured, servers));
    Process process =
        new ProcessBuilder("/usr/sbin/haproxy", "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile())
            .start();
    return new Balancer(process, socket, 2 * (idps.size() + gateways.size()));
  }

  /** Waits until all nodes get requests: whoever stops the next one before leaves people to nobody. */
  public void awaitAll() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (up() < servers) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("HAProxy gives requests to " + up() + " of " + servers + " servers only");
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** How many servers get requests; none before HAProxy listens. */
  long up() {
    if (!Files.exists(socket)) {
      return 0;
    }
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap("show stat\n".getBytes(StandardCharsets.US_ASCII)));
      String all = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
      return all.lines().filter(line -> line.matches("[^,]*,node-[0-9]+,.*,UP,.*")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

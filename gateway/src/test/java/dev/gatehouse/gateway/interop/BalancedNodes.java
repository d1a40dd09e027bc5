package dev.gatehouse.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.http.InsecureTrustManager;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * Two nodes behind HAProxy, which sends the PROXY protocol and asks for readiness, and nginx, which sends Forwarded. Configured by {@code
 * src/test/resources/balanced}.
 */
final class BalancedNodes implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final List<String> ADDRESSES = List.of("127.0.0.61", "127.0.0.62");

  private final List<Integer> ports = FreePorts.take(13);

  /** Of HAProxy: HTTP, TLS that goes on to a node, TLS that ends, and the identity provider. */
  final int http = ports.get(0);

  final int passedTls = ports.get(1);
  final int endedTls = ports.get(2);
  final int login = ports.get(3);

  /** Of nginx. */
  final int nginx = ports.get(4);

  /** Of both nodes, each at its address. */
  final int idp = ports.get(5);

  final int plain = ports.get(6);
  private final int tls = ports.get(7);
  private final int direct = ports.get(8);
  private final int metrics = ports.get(9);

  private final Servers servers = new Servers();
  private final Map<String, String> environment = new HashMap<>();
  private final ServerProcess[] running = new ServerProcess[ADDRESSES.size()];
  private final Path data;
  private final Path logs;

  private BalancedNodes(Path data, Path logs) {
    this.data = data;
    this.logs = logs;
  }

  /** Starts all; skips the test by name where HAProxy or nginx is missing. @param name of a folder for logs */
  static BalancedNodes start(Path data, String name) throws Exception {
    Haproxy.requireInstalled();
    Nginx.requireInstalled();
    BalancedNodes all = new BalancedNodes(data, Files.createDirectories(Path.of("target/balanced").resolve(name)));
    all.servers.all(all::begin);
    return all;
  }

  private void begin() throws Exception {
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    DemoCertificate.ensure(data, Instant.now(), new SecureRandom());
    Files.writeString(data.resolve("both.pem"), Files.readString(data.resolve("demo.crt")) + Files.readString(data.resolve("demo.key")));
    DemoDirectory directory = servers.begun(DemoDirectory.start(0));
    EchoApp app = servers.begun(EchoApp.start());
    Map<String, Integer> named =
        Map.of("HTTP", http, "PASSED_TLS", passedTls, "ENDED_TLS", endedTls, "LOGIN", login, "NGINX", nginx, "IDP_PORT", idp,
            "PLAIN_PORT", plain, "TLS_PORT", tls, "DIRECT_PORT", direct, "METRICS_PORT", metrics);
    named.forEach((name, port) -> environment.put(name, String.valueOf(port)));
    environment.put("TLS", data.toString());
    environment.put("DIRECTORY_PORT", String.valueOf(directory.port()));
    environment.put("APP_PORT", String.valueOf(app.port()));
    Path haproxy = Files.writeString(logs.resolve("haproxy.cfg"), haproxy()).toAbsolutePath();
    ServerProcess balancer =
        ServerProcess.start("haproxy", logs, Map.of(), List.of("/usr/sbin/haproxy", "-db", "-f", haproxy.toString()));
    servers.begun(balancer.await(() -> Apache.listens("127.0.0.1", http), PATIENCE));
    Path configuration = Files.writeString(logs.resolve("nginx.conf"), nginx()).toAbsolutePath();
    ServerProcess proxy =
        ServerProcess.start("nginx", logs, Map.of(), List.of("/usr/sbin/nginx", "-e", "stderr", "-c", configuration.toString()));
    servers.begun(proxy.await(() -> Apache.listens("127.0.0.1", nginx), PATIENCE));
    for (int node = 0; node < running.length; node++) {
      int which = node;
      start(which);
      servers.begun(() -> running[which].kill());
    }
  }

  /** Starts a node, also again after it has ended. */
  void start(int node) throws IOException {
    Map<String, String> own = new HashMap<>(environment);
    own.put("ADDRESS", address(node));
    own.put("ADMIN_PORT", String.valueOf(ports.get(10 + node)));
    own.put("DATA", data(node).toString());
    Path log = Files.createDirectories(logs.resolve("node" + node));
    running[node] = BuiltNode.run(Path.of("src/test/resources/balanced"), log, own);
  }

  /** Returns the process that runs now. */
  ServerProcess node(int node) {
    return running[node];
  }

  String address(int node) {
    return ADDRESSES.get(node);
  }

  /** Returns where the node keeps its data. */
  Path data(int node) {
    return data.resolve("node" + node);
  }

  /** Trusts every certificate. */
  static SSLContext trusting() {
    try {
      return InsecureTrustManager.context();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Forwards to both nodes; each part has the port at the nodes, its own, and further words for servers. */
  private String haproxy() {
    StringBuilder parts = new StringBuilder();
    parts.append(part("http", "bind 127.0.0.1:" + http, plain, "send-proxy-v2"));
    parts.append(part("tcp", "bind 127.0.0.1:" + passedTls, tls, "send-proxy"));
    parts.append(part("tcp", "bind 127.0.0.1:" + endedTls + " ssl crt " + data.resolve("both.pem"), plain, "send-proxy-v2-ssl"));
    parts.append(part("http", "bind 127.0.0.1:" + login, idp, "send-proxy"));
    return """
        global
          stats socket %s/haproxy.sock
        defaults
          timeout connect 5s
          timeout client 30s
          timeout server 30s
          timeout tunnel 60s
          timeout check 5s
          option httpchk
          http-check send meth GET uri /health/ready ver HTTP/1.1 hdr Host health
          default-server inter 500ms fall 2 rise 1
        %s
        """
        .formatted(data, parts);
  }

  private String part(String mode, String bind, int port, String proxy) {
    return """
        listen at-%5$d-%3$s
          mode %1$s
          %2$s
          server one %6$s:%5$d %3$s check port %4$d
          server two %7$s:%5$d %3$s check port %4$d
        """
        .formatted(mode, bind, proxy, metrics, port, address(0), address(1));
  }

  private String nginx() {
    return Nginx.configuration(
        data,
        """
        server {
          listen 127.0.0.1:%d;
          location / {
            proxy_pass http://%s:%d;
            proxy_set_header Forwarded "$proxy_add_forwarded";
            proxy_set_header Host inner.example;
          }
        }
        map $http_forwarded $proxy_add_forwarded {
          "" "for=$remote_addr;proto=$scheme;host=\\"$http_host\\"";
          default "$http_forwarded, for=$remote_addr;proto=$scheme;host=\\"$http_host\\"";
        }
        """
            .formatted(nginx, address(0), direct));
  }

  /** Waits until HAProxy takes both nodes for ready, at every part. */
  void awaitBoth() throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (up() < 8) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(100);
    }
  }

  private long up() throws IOException {
    try (var channel = java.nio.channels.SocketChannel.open(java.net.UnixDomainSocketAddress.of(data.resolve("haproxy.sock")))) {
      channel.write(ByteBuffer.wrap("show stat\n".getBytes(StandardCharsets.US_ASCII)));
      String all = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
      return all.lines().filter(line -> line.matches("at-[^,]*,(one|two),.*,UP,.*")).count();
    }
  }

  /** A login at that node: its sessions are its own. */
  void logIn(int node) throws IOException {
    try (KeptConnection browser = KeptConnection.asBalancer(address(node), idp, "127.0.0.1:" + login)) {
      KeptConnection.Response form = browser.get("/realms/balanced/login");
      assertThat(form.status()).isEqualTo(200);
      Matcher csrf = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(form.body());
      assertThat(csrf.find()).isTrue();
      String cookie = form.field("Set-Cookie").orElseThrow().replaceAll(";.*", "");
      KeptConnection.Response done =
          browser.post("/realms/balanced/login", "username=alice&password=demo&csrf=" + csrf.group(1),
              "Cookie: " + cookie, "Origin: http://127.0.0.1:" + login);
      assertThat(done.status()).isEqualTo(303);
    }
  }

  @Override
  public void close() throws Exception {
    servers.close();
  }
}

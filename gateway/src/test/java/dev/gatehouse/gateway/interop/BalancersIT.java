package dev.gatehouse.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.InsecureTrustManager;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes behind HAProxy, which sends the PROXY protocol and asks for readiness, and nginx, which sends Forwarded: the address of
 * the client, and a rolling restart under load without a failed request. SECURITY-CASES 50, 80.
 */
class BalancersIT {

  private static final String CLIENT = "127.0.0.77";
  private static final List<String> ADDRESSES = List.of("127.0.0.61", "127.0.0.62");
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final List<Integer> PORTS = FreePorts.take(13);
  private static final int HTTP = PORTS.get(0);
  private static final int PASSED_TLS = PORTS.get(1);
  private static final int ENDED_TLS = PORTS.get(2);
  private static final int LOGIN = PORTS.get(3);
  private static final int NGINX = PORTS.get(4);
  private static final int IDP = PORTS.get(5);
  private static final int PLAIN = PORTS.get(6);
  private static final int TLS = PORTS.get(7);
  private static final int DIRECT = PORTS.get(8);
  private static final int METRICS = PORTS.get(9);
  private static final int ADMIN = PORTS.get(10);

  @AutoClose private static final Servers SERVERS = new Servers();
  private static final Map<String, String> ENVIRONMENT = new HashMap<>();
  private static final ServerProcess[] NODES = new ServerProcess[2];

  @TempDir private static Path data;

  private final Optional<SSLContext> tls = Optional.of(trusting());

  @BeforeAll
  static void start() throws Exception {
    Haproxy.requireInstalled();
    Nginx.requireInstalled();
    Path logs = Files.createDirectories(Path.of("target/balanced"));
    Files.setPosixFilePermissions(data, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    DemoCertificate.ensure(data, Instant.now(), new SecureRandom());
    Files.writeString(data.resolve("both.pem"), Files.readString(data.resolve("demo.crt")) + Files.readString(data.resolve("demo.key")));
    SERVERS.all(
        () -> {
          DemoDirectory directory = SERVERS.begun(DemoDirectory.start(0));
          EchoApp app = SERVERS.begun(EchoApp.start());
          Map<String, Integer> ports =
              Map.of("HTTP", HTTP, "PASSED_TLS", PASSED_TLS, "ENDED_TLS", ENDED_TLS, "LOGIN", LOGIN, "NGINX", NGINX, "IDP_PORT", IDP,
                  "PLAIN_PORT", PLAIN, "TLS_PORT", TLS, "DIRECT_PORT", DIRECT, "METRICS_PORT", METRICS);
          ports.forEach((name, port) -> ENVIRONMENT.put(name, String.valueOf(port)));
          ENVIRONMENT.put("TLS", data.toString());
          ENVIRONMENT.put("DIRECTORY_PORT", String.valueOf(directory.port()));
          ENVIRONMENT.put("APP_PORT", String.valueOf(app.port()));
          Path haproxy = Files.writeString(logs.resolve("haproxy.cfg"), haproxy()).toAbsolutePath();
          ServerProcess balancer =
              ServerProcess.start("haproxy", logs, Map.of(), List.of("/usr/sbin/haproxy", "-db", "-f", haproxy.toString()));
          SERVERS.begun(balancer.await(() -> Apache.listens("127.0.0.1", HTTP), PATIENCE));
          Path nginx = Files.writeString(logs.resolve("nginx.conf"), nginx()).toAbsolutePath();
          ServerProcess proxy =
              ServerProcess.start("nginx", logs, Map.of(), List.of("/usr/sbin/nginx", "-e", "stderr", "-c", nginx.toString()));
          SERVERS.begun(proxy.await(() -> Apache.listens("127.0.0.1", NGINX), PATIENCE));
          start(0);
          start(1);
          SERVERS.begun(() -> NODES[0].kill());
          SERVERS.begun(() -> NODES[1].kill());
        });
  }

  private static void start(int node) throws IOException {
    Map<String, String> environment = new HashMap<>(ENVIRONMENT);
    environment.put("ADDRESS", ADDRESSES.get(node));
    environment.put("ADMIN_PORT", String.valueOf(ADMIN + node));
    environment.put("DATA", data.resolve("node" + node).toString());
    Path logs = Files.createDirectories(Path.of("target/balanced/node" + node));
    NODES[node] = BuiltNode.run(Path.of("src/test/resources/balanced"), logs, environment);
  }

  /** Forwards to both nodes; each part has the port at the nodes, its own, and further words for servers. */
  private static String haproxy() {
    StringBuilder parts = new StringBuilder();
    parts.append(part("http", "bind 127.0.0.1:" + HTTP, PLAIN, "send-proxy-v2"));
    parts.append(part("tcp", "bind 127.0.0.1:" + PASSED_TLS, TLS, "send-proxy"));
    parts.append(part("tcp", "bind 127.0.0.1:" + ENDED_TLS + " ssl crt " + data.resolve("both.pem"), PLAIN, "send-proxy-v2-ssl"));
    parts.append(part("http", "bind 127.0.0.1:" + LOGIN, IDP, "send-proxy"));
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

  private static String part(String mode, String bind, int port, String proxy) {
    return """
        listen at-%5$d-%3$s
          mode %1$s
          %2$s
          server one %6$s:%5$d %3$s check port %4$d
          server two %7$s:%5$d %3$s check port %4$d
        """
        .formatted(mode, bind, proxy, METRICS, port, ADDRESSES.get(0), ADDRESSES.get(1));
  }

  private static String nginx() {
    return """
        daemon off;
        worker_processes 1;
        pid %1$s/nginx.pid;
        error_log stderr warn;
        events {}
        http {
          access_log off;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
          server {
            listen 127.0.0.1:%2$d;
            location / {
              proxy_pass http://%3$s:%4$d;
              proxy_set_header Forwarded "$proxy_add_forwarded";
              proxy_set_header Host inner.example;
            }
          }
          map $http_forwarded $proxy_add_forwarded {
            "" "for=$remote_addr;proto=$scheme;host=\\"$http_host\\"";
            default "$http_forwarded, for=$remote_addr;proto=$scheme;host=\\"$http_host\\"";
          }
        }
        """
        .formatted(data, NGINX, ADDRESSES.getFirst(), DIRECT);
  }

  private static SSLContext trusting() {
    try {
      return InsecureTrustManager.context();
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theAppLearnsTheAddressOfTheClientOfHaproxy() throws Exception {
    awaitBoth();
    for (int port : List.of(HTTP, PASSED_TLS, ENDED_TLS)) {
      boolean secure = port != HTTP;
      try (KeptConnection client = KeptConnection.from(CLIENT, port, secure ? tls : Optional.empty())) {
        KeptConnection.Response response = client.get("/page", "X-Forwarded-For: 198.51.100.1", "Forwarded: for=198.51.100.1");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body())
            .contains("X-Forwarded-For: " + CLIENT + "\r\n")
            .contains("X-Forwarded-Proto: " + (secure ? "https" : "http") + "\r\n")
            .contains("Forwarded: for=" + CLIENT + ";host=\"127.0.0.1:" + port + "\"")
            .doesNotContain("198.51.100.1");
      }
    }
  }

  @Test
  void theAuditLogOfTheIdentityProviderHasTheAddressOfTheClientOfHaproxy() throws Exception {
    awaitBoth();
    try (KeptConnection client = KeptConnection.from(CLIENT, LOGIN, Optional.empty())) {
      assertThat(client.post("/realms/balanced/oauth/token", "grant_type=client_credentials&client_id=nobody&client_secret=x").status())
          .isEqualTo(401);
    }
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!audit(0).contains(CLIENT) && !audit(1).contains(CLIENT)) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(100);
    }
  }

  private static String audit(int node) throws IOException {
    StringBuilder all = new StringBuilder();
    try (var files = Files.walk(data.resolve("node" + node).resolve("audit"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".jsonl") || f.toString().endsWith(".log")).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }

  @Test
  void theAppLearnsTheAddressOfTheClientOfNginx() throws Exception {
    try (KeptConnection client = KeptConnection.from(CLIENT, NGINX, Optional.empty())) {
      KeptConnection.Response response = client.get("/page", "Forwarded: for=198.51.100.1;proto=https", "X-Forwarded-For: 198.51.100.2");
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body())
          .contains("X-Forwarded-For: " + CLIENT + ", 127.0.0.1\r\n")
          .contains("X-Forwarded-Proto: http\r\n")
          .contains("X-Forwarded-Host: 127.0.0.1:" + NGINX + "\r\n")
          .doesNotContain("198.51.100");
    }
  }

  /** What HAProxy's own refusal of a malformed PROXY header would look like: the node closes. SECURITY-CASES 80. */
  @Test
  void case80AStrangerIsClosed() {
    for (int port : List.of(PLAIN, IDP)) {
      try (KeptConnection stranger = KeptConnection.asStranger(ADDRESSES.getFirst(), port, CLIENT)) {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> stranger.get("/page"))).isInstanceOf(IOException.class);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  /** Both nodes stop by SIGTERM and start again, one after the other, under load over every kind of connection. */
  @Test
  void aRollingRestartFailsNoRequest() throws Exception {
    awaitBoth();
    try (Load load = new Load();
        HttpClient http2 = HttpClient.newBuilder().sslContext(tls.orElseThrow()).version(HttpClient.Version.HTTP_2).build()) {
      List<KeptConnection> kept = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        kept.add(load.visits("HTTP", KeptConnection.to(HTTP, Optional.empty()), "/page"));
        kept.add(load.visits("HTTP, slow", KeptConnection.to(HTTP, Optional.empty()), "/slow"));
        kept.add(load.visits("TLS passed", KeptConnection.to(PASSED_TLS, tls), "/page"));
        kept.add(load.visits("TLS passed, slow", KeptConnection.to(PASSED_TLS, tls), "/slow"));
        kept.add(load.visits("TLS ended", KeptConnection.to(ENDED_TLS, tls), "/page"));
        kept.add(load.visits("login page", KeptConnection.to(LOGIN, Optional.empty()), "/realms/balanced/login"));
      }
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + PASSED_TLS + "/page")).timeout(Duration.ofSeconds(20)).build();
      for (int i = 0; i < 4; i++) {
        load.repeat("HTTP/2", () -> {
          HttpResponse<String> response = http2.send(request, HttpResponse.BodyHandlers.ofString());
          assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
          return response.statusCode();
        });
      }
      Talk talk = new Talk();
      load.repeat("WebSocket", talk);
      Thread.sleep(2000);
      for (int node = 0; node < 2; node++) {
        logIn(node);
        long begin = System.nanoTime();
        assertThat(NODES[node].stop()).as("exit code after SIGTERM").isEqualTo(143);
        assertThat((System.nanoTime() - begin) / 1e9).as("within Kubernetes' 30 s").isBetween(6.0, 25.0);
        assertThat(NODES[node].output()).contains("is not ready any more");
        Thread.sleep(500);
        start(node);
        awaitBoth();
        logIn(node);
      }
      Thread.sleep(1000);
      load.close();
      System.out.println(
          "rolling restart: " + load.done() + " requests, WebSockets " + talk.connections + ", ended by 1001 " + talk.goneAway);
      assertThat(load.failures()).isEmpty();
      assertThat(load.done()).isGreaterThan(1000);
      assertThat(kept).as("TLS passed: clients were told to connect anew").filteredOn(c -> c.connections() > 1).isNotEmpty();
      assertThat(talk.goneAway).isPositive();
      for (KeptConnection connection : kept) {
        connection.close();
      }
    }
  }

  /** Whoever does not want to wait says so again. */
  @Test
  void aSecondSignalEndsANodeAtOnce() throws Exception {
    awaitBoth();
    long begin = System.nanoTime();
    NODES[1].signal();
    Thread.sleep(1500);
    NODES[1].signal();
    int code = NODES[1].stop();
    double seconds = (System.nanoTime() - begin) / 1e9;
    start(1);
    awaitBoth();
    assertThat(code).isEqualTo(143);
    assertThat(seconds).as("less than the delay").isLessThan(4);
    logIn(1);
  }

  /** Waits until HAProxy takes both nodes for ready, at every part. */
  private static void awaitBoth() throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (up() < 8) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(100);
    }
  }

  private static long up() throws IOException {
    try (var channel = java.nio.channels.SocketChannel.open(java.net.UnixDomainSocketAddress.of(data.resolve("haproxy.sock")))) {
      channel.write(ByteBuffer.wrap("show stat\n".getBytes(StandardCharsets.US_ASCII)));
      String all = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
      return all.lines().filter(line -> line.matches("at-[^,]*,(one|two),.*,UP,.*")).count();
    }
  }

  /** A login at that node: its sessions are its own. */
  private static void logIn(int node) throws IOException {
    try (KeptConnection browser = KeptConnection.asBalancer(ADDRESSES.get(node), IDP, "127.0.0.1:" + LOGIN)) {
      KeptConnection.Response form = browser.get("/realms/balanced/login");
      assertThat(form.status()).isEqualTo(200);
      Matcher csrf = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(form.body());
      assertThat(csrf.find()).isTrue();
      String cookie = form.field("Set-Cookie").orElseThrow().replaceAll(";.*", "");
      KeptConnection.Response done =
          browser.post("/realms/balanced/login", "username=alice&password=demo&csrf=" + csrf.group(1),
              "Cookie: " + cookie, "Origin: http://127.0.0.1:" + LOGIN);
      assertThat(done.status()).isEqualTo(303);
    }
  }

  /** Requests that follow each other at many connections, and what failed of them. */
  private static final class Load implements AutoCloseable {

    private final AtomicLong done = new AtomicLong();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running = true;

    KeptConnection visits(String name, KeptConnection connection, String path) {
      repeat(name, () -> connection.get(path).status());
      return connection;
    }

    void repeat(String name, Callable<Integer> visit) {
      threads.add(
          Thread.ofVirtual().start(() -> {
            while (running) {
              try {
                int status = visit.call();
                done.incrementAndGet();
                if (status != 200) {
                  failures.add(Instant.now() + " " + name + ": " + status);
                }
                Thread.sleep(20);
              } catch (Exception | AssertionError e) {
                failures.add(Instant.now() + " " + name + ": " + e);
              }
            }
          }));
    }

    long done() {
      return done.get();
    }

    List<String> failures() {
      return failures;
    }

    @Override
    public void close() throws InterruptedException {
      running = false;
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** A WebSocket whose messages come back; one that ends with 1001 (RFC 6455, section 7.4.1) is opened anew. */
  private static final class Talk implements Callable<Integer>, WebSocket.Listener {

    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private Optional<WebSocket> open = Optional.empty();
    private int connections;
    private int goneAway;

    @Override
    public Integer call() throws Exception {
      if (open.isEmpty()) {
        open =
            Optional.of(
                client.newWebSocketBuilder()
                    .header("Origin", "http://127.0.0.1:" + HTTP)
                    .buildAsync(URI.create("ws://127.0.0.1:" + HTTP + "/talk"), this)
                    .get(20, TimeUnit.SECONDS));
        connections++;
      }
      String sent = "hello";
      try {
        open.get().sendText(sent, true).get(20, TimeUnit.SECONDS);
      } catch (java.util.concurrent.ExecutionException e) {
        // The close frame may have come meanwhile; the listener knows.
      }
      String answer = heard.poll(20, TimeUnit.SECONDS);
      if ("1001".equals(answer)) {
        goneAway++;
        open = Optional.empty();
        heard.clear();
        return 200;
      }
      if (!sent.equals(answer)) {
        open = Optional.empty();
        heard.clear();
        throw new IOException("instead of an echo: " + answer);
      }
      return 200;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      heard.add(data.toString());
      return WebSocket.Listener.super.onText(socket, data, last);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      heard.add(String.valueOf(status));
      return WebSocket.Listener.super.onClose(socket, status, reason);
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      heard.add(error.toString());
    }
  }
}

package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.demo.DemoWarmUp;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.flood.Flood;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that may have few file descriptors ({@code ulimit -n}), and more connections at each of its listeners than there are,
 * beside many streams to an app: people log in, tokens are revoked and both are audited meanwhile, and the log stays short.
 */
@Timeout(400)
class FewDescriptorsIT {

  private static final int DESCRIPTORS = 1024;
  private static final int CONNECTIONS = 700;
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final String BASIC =
      "Basic " + Base64.getEncoder().encodeToString("demo-client:demo-secret".getBytes(StandardCharsets.US_ASCII));

  @TempDir Path folder;

  private final DemoPorts ports = ports(FreePorts.take(8));

  private static DemoPorts ports(List<Integer> free) {
    return new DemoPorts(free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), free.get(6), free.get(7));
  }

  private ServerProcess node(int hanging) throws IOException {
    Path config = folder.resolve("config");
    new DemoConfiguration(config).write(ports);
    Path realm = config.resolve("realms/demo.yaml");
    String route = "routes:\n  - {name: hanging, path: /hanging/, upstream: \"http://127.0.0.1:%d\", access: public}\n";
    Files.writeString(realm, Files.readString(realm).replace("routes:\n", route.formatted(hanging)));
    DemoCertificate.ensure(folder.resolve("data/tls"), Instant.now(), new SecureRandom());
    List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -n " + DESCRIPTORS + "; exec \"$@\"", "bash"));
    command.addAll(BuiltNode.command("run", "--config", config.toString()));
    Path logs = Files.createDirectories(Path.of("target/few-descriptors"));
    ServerProcess process = ServerProcess.start("node", logs, Map.of(), command);
    return process.await(() -> process.output().contains("Gatehouse is ready"), Duration.ofMinutes(2));
  }

  @Test
  void aFloodAtEveryListenerTakesNothingFromWhoIsThere() throws Exception {
    try (DemoDirectory directory = DemoDirectory.start(ports.directory());
        SampleApp app = SampleApp.start(ports.app());
        ServerSocket hanging = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
        ServerProcess node = node(hanging.getLocalPort());
        OpenFiles files = new OpenFiles()) {
      DemoWarmUp.await(ports);
      try (SlowClients slow = new SlowClients(List.of(ports.appHttp(), ports.idpHttp(), ports.admin()), CONNECTIONS);
          Flood streams = new Flood(ports.appHttp())) {
        slow.fill();
        for (int i = 0; i < 12; i++) {
          InetAddress from = InetAddress.ofLiteral("127.0.2." + (1 + i));
          streams.unreadStreams(from, 1, 100, "app.localhost:" + ports.appHttp(), "/hanging/" + i);
        }
        eventually(this::idpWorks);
        eventually(this::tokensAreRevoked);
        eventually(() -> status(ports.admin(), "/actuator/health/readiness", 200));
        eventually(this::excessIsAnswered);
        assertThat(files.most()).as(files.toString()).isLessThan(DESCRIPTORS - 64);
        assertThat(audited("LoginSucceeded")).isPositive();
        assertThat(audited("TokenRevoked")).isPositive();
      }
      eventually(this::appWorks);
      eventually(() -> status(ports.admin(), "/actuator/health/readiness", 200));
      String log = node.output();
      assertThat(log).doesNotContain("Too many open files").contains("file descriptors for connections", "The idp listeners have");
      assertThat(log.lines().filter(line -> line.contains(" ERROR ")).toList()).isEmpty();
      assertThat(log.lines().filter(line -> line.contains(" WARN ")).count()).isLessThan(30);
    }
  }

  private boolean idpWorks() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      Shown login = browser.open("http://idp.localhost:" + ports.idpHttp() + "/realms/demo/login");
      Shown account = browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
      assertThat(account.status()).isEqualTo(200);
      assertThat(account.url().getPath()).endsWith("/account");
      return true;
    }
  }

  private boolean appWorks() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      String page = "http://app.localhost:" + ports.appHttp() + "/whoami";
      Shown login = browser.open(page);
      Shown handOver = browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
      assertThat(browser.submit(handOver, browser.form(handOver)).url()).hasToString(page);
      return true;
    }
  }

  private boolean tokensAreRevoked() throws Exception {
    String made = post("/oauth/token", "grant_type=client_credentials").body();
    String token = made.replaceFirst("(?s).*\"access_token\":\"([^\"]+)\".*", "$1");
    assertThat(post("/oauth/revoke", "token=" + token).statusCode()).isEqualTo(200);
    assertThat(post("/oauth/introspect", "token=" + token).body()).contains("\"active\":false");
    return true;
  }

  private HttpResponse<String> post(String path, String form) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + ports.idpHttp() + "/realms/demo" + path);
    return send(
        HttpRequest.newBuilder(uri)
            .header("Host", "idp.localhost:" + ports.idpHttp())
            .header("Authorization", BASIC)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form)));
  }

  private boolean status(int port, String path, int expected) throws Exception {
    HttpResponse<String> response = send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(expected);
    return true;
  }

  /** While half requests fill what the gateway takes. */
  private boolean excessIsAnswered() throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.appHttp() + "/public/x"))
            .header("Host", "app.localhost:" + ports.appHttp());
    HttpResponse<String> response = send(request);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).isPresent();
    return true;
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client.send(request.timeout(Duration.ofSeconds(10)).build(), BodyHandlers.ofString());
    }
  }

  private long audited(String event) {
    try (Stream<Path> all = Files.walk(folder.resolve("data/audit"))) {
      return all.filter(Files::isRegularFile)
          .flatMap(file -> read(file).lines())
          .filter(line -> line.contains("\"" + event + "\""))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void eventually(Callable<Boolean> work) throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      try {
        assertThat(work.call()).isTrue();
        return;
      } catch (IOException | AssertionError | IllegalStateException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }
}

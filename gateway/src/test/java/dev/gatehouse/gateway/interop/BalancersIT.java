package dev.gatehouse.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The address of the client behind HAProxy and nginx, strangers who are no balancer, and a node that ends at once. SECURITY-CASES 80. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BalancersIT {

  private static final String CLIENT = "127.0.0.77";

  @AutoClose private static BalancedNodes nodes;

  private final Optional<SSLContext> tls = Optional.of(BalancedNodes.trusting());

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    nodes = BalancedNodes.start(data, "addresses");
  }

  @Test
  void theAppLearnsTheAddressOfTheClientOfHaproxy() throws Exception {
    nodes.awaitBoth();
    for (int port : List.of(nodes.http, nodes.passedTls, nodes.endedTls)) {
      boolean secure = port != nodes.http;
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
    nodes.awaitBoth();
    try (KeptConnection client = KeptConnection.from(CLIENT, nodes.login, Optional.empty())) {
      assertThat(client.post("/realms/balanced/oauth/token", "grant_type=client_credentials&client_id=nobody&client_secret=x").status())
          .isEqualTo(401);
    }
    long end = System.nanoTime() + BalancedNodes.PATIENCE.toNanos();
    while (!audit(0).contains(CLIENT) && !audit(1).contains(CLIENT)) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(100);
    }
  }

  private static String audit(int node) throws IOException {
    StringBuilder all = new StringBuilder();
    try (var files = Files.walk(nodes.data(node).resolve("audit"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".jsonl") || f.toString().endsWith(".log")).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }

  @Test
  void theAppLearnsTheAddressOfTheClientOfNginx() throws Exception {
    try (KeptConnection client = KeptConnection.from(CLIENT, nodes.nginx, Optional.empty())) {
      KeptConnection.Response response = client.get("/page", "Forwarded: for=198.51.100.1;proto=https", "X-Forwarded-For: 198.51.100.2");
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body())
          .contains("X-Forwarded-For: " + CLIENT + ", 127.0.0.1\r\n")
          .contains("X-Forwarded-Proto: http\r\n")
          .contains("X-Forwarded-Host: 127.0.0.1:" + nodes.nginx + "\r\n")
          .doesNotContain("198.51.100");
    }
  }

  /** What HAProxy's own refusal of a malformed PROXY header would look like: the node closes. SECURITY-CASES 80. */
  @Test
  void case80AStrangerIsClosed() {
    for (int port : List.of(nodes.plain, nodes.idp)) {
      try (KeptConnection stranger = KeptConnection.asStranger(nodes.address(0), port, CLIENT)) {
        assertThat(catchThrowable(() -> stranger.get("/page"))).isInstanceOf(IOException.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Whoever does not want to wait says so again. The last test: the node stays away. */
  @Test
  @Order(Integer.MAX_VALUE)
  void aSecondSignalEndsANodeAtOnce() throws Exception {
    nodes.awaitBoth();
    long begin = System.nanoTime();
    nodes.node(1).signal();
    Thread.sleep(1500);
    nodes.node(1).signal();
    int code = nodes.node(1).stop();
    double seconds = (System.nanoTime() - begin) / 1e9;
    assertThat(code).isEqualTo(143);
    assertThat(seconds).as("less than the delay").isLessThan(4);
  }
}

package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SingleNodesTest {

  private final AtomicInteger status = new AtomicInteger(200);
  private final Requests requests = new Requests();
  private HttpServer server;
  private SingleNodes nodes;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = (exchange.getRequestHeaders().getFirst("Host") + " alice").getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status.get(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    nodes = new SingleNodes("http://127.0.0.26:81/", List.of(server.getAddress().getPort(), FreePorts.one()), requests);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aNodeIsAskedByTheAddressOfTheSiteAndOneThatIsAwayIsLeftOut() {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Visitor visitor = new Visitor(client, requests);
      assertThat(nodes.all("/", visitor)).singleElement().matches(answer -> answer.shows("127.0.0.26:81 alice"));
      assertThat(nodes.get(1, "/", visitor)).isEmpty();
      status.set(503);
      assertThat(nodes.all("/", visitor)).isEmpty();
      assertThat(requests.errorsSoFar()).isZero();
      status.set(500);
      assertThat(nodes.all("/", visitor)).isEmpty();
      assertThat(requests.errorsSoFar()).isEqualTo(1);
      assertThat(requests.failedSoFar()).as("nobody who came by the address of the site").isZero();
    }
  }

  @Test
  void aNodeThatRunsAndSaysNothingIsNamedAndIsAskedThoughItWasSilentAMomentAgo() throws IOException {
    try (HttpClient client = HttpClient.newHttpClient();
        ServerSocket hanging = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Visitor visitor = new Visitor(client, requests);
      SingleNodes both =
          new SingleNodes("http://127.0.0.26:81/", List.of(server.getAddress().getPort(), hanging.getLocalPort()), requests);
      assertThat(both.all("/", visitor)).hasSize(1);
      assertThat(both.each("/", visitor, port -> true).silent()).containsExactly(hanging.getLocalPort());
      assertThat(both.each("/", visitor, port -> port != hanging.getLocalPort()).silent()).isEmpty();
    }
  }

  @Test
  void aNodeThatWasSilentIsAskedAgainWhereEachHasToAnswer() throws IOException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Visitor visitor = new Visitor(client, requests);
      int port = server.getAddress().getPort();
      SingleNodes one = new SingleNodes("http://127.0.0.26:81/", List.of(port), requests);
      server.stop(0);
      assertThat(one.all("/", visitor)).isEmpty();
      HttpServer again = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
      again.createContext(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
          });
      again.start();
      assertThat(one.each("/", visitor, each -> true).answers()).hasSize(1);
      again.stop(0);
    }
  }
}

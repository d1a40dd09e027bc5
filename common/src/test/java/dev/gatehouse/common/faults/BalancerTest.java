package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.faults.Balancer.Backend;
import dev.gatehouse.common.faults.Balancer.Ports;
import dev.gatehouse.common.faults.Balancer.Spread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HAProxy of the tests: what a failed request of theirs is to be blamed for. */
@Timeout(60)
class BalancerTest {

  private Ports ports = new Ports(0, 0, 0);

  @BeforeEach
  void choosePorts() {
    List<Integer> people = FreePorts.take(3);
    ports = new Ports(people.get(0), people.get(1), people.get(2));
  }

  /** Balancers of sites that are faster or slower than these would measure something else than operators get. */
  @Test
  void itIsConfiguredAsThePublishedOne() throws IOException {
    List<String> published = defaults(Files.readAllLines(Path.of("../docker/nodes/haproxy.cfg")).stream());
    assertThat(defaults(Balancer.DEFAULTS.lines()))
        .as("as in docker/nodes/haproxy.cfg")
        .isEqualTo(
            published.stream()
                .filter(line -> !line.startsWith("timeout tunnel") && !line.startsWith("http-check send"))
                .map(line -> line.replace(" slowstart 10s", "").replace(" maxconn 2000", ""))
                .toList());
  }

  private static List<String> defaults(Stream<String> lines) {
    return lines
        .dropWhile(line -> !line.equals("defaults"))
        .skip(1)
        .takeWhile(line -> line.isBlank() || line.startsWith(" "))
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  /** A request that a node works on when the balancer takes it out, as it does while the node drains. */
  @Test
  void aNodeThatIsTakenOutFinishesWhatItHasBegun(@TempDir Path folder) throws Exception {
    assumeTrue(Balancer.isInstalled(), "skipped: HAProxy is not installed (apt-get install haproxy)");
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    HttpHandler work =
        exchange -> {
          arrived.countDown();
          await(finish);
          answer(exchange, 200, "done");
        };
    try (Stub stub = new Stub(work);
        Balancer balancer = start(folder, stub);
        HttpClient client = HttpClient.newHttpClient()) {
      balancer.awaitAll();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(address("/work"))).POST(BodyPublishers.ofString("x")).build();
      CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request, BodyHandlers.ofString());
      arrived.await();
      stub.isReady = false;
      while (balancer.up() > 1) {
        Thread.sleep(50);
      }
      Thread.sleep(200);
      assertThat(answer).as("closed without an answer").isNotCompletedExceptionally();
      finish.countDown();
      assertThat(answer.join().statusCode()).isEqualTo(200);
    }
  }

  /**
   * A node that marks a sign-on and dies before it answers. HAProxy closes a person's connection that was used before without a word, and
   * the client, as browsers do, sends the GET again (RFC 9112, section 9.3.1): the other node says that the sign-on was used.
   */
  @Test
  void aGetThatANodeDidNotAnswerIsSentAgainToTheOtherOneByTheClient(@TempDir Path folder) throws Exception {
    assumeTrue(Balancer.isInstalled(), "skipped: HAProxy is not installed (apt-get install haproxy)");
    List<Integer> asked = new CopyOnWriteArrayList<>();
    HttpHandler work =
        exchange -> {
          asked.add(exchange.getLocalAddress().getPort());
          if (asked.size() > 1) {
            answer(exchange, 400, "<h1>" + Visitor.ALREADY_USED + "</h1>");
          }
          exchange.close();
        };
    Requests requests = new Requests();
    try (Stub one = new Stub(work);
        Stub other = new Stub(work);
        Balancer balancer = start(folder, one, other);
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      balancer.awaitAll();
      Visitor visitor = new Visitor(client, requests);
      assertThat(visitor.get(address("/")).status()).isEqualTo(200);
      assertThatThrownBy(() -> visitor.get(address("/work")))
          .isInstanceOf(Visitor.Unavailable.class)
          .hasMessageContaining(Visitor.ALREADY_USED);
    }
    assertThat(asked).as("the nodes that were asked").hasSize(2).doesNotHaveDuplicates();
    assertThat(requests.failedSoFar()).isEqualTo(1);
  }

  private Balancer start(Path folder, Stub... nodes) throws IOException {
    List<Backend> idps = Stream.of(nodes).map(Stub::backend).toList();
    return Balancer.start(folder, ports, idps, List.of(), Spread.EACH_REQUEST, Balancer.APP_HOST, Optional.empty());
  }

  private String address(String path) {
    return "http://" + Balancer.IDP_HOST + ":" + ports.idp() + path;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** A node that is ready unless it is told otherwise. */
  private static final class Stub implements AutoCloseable {

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private volatile boolean isReady = true;

    Stub(HttpHandler work) throws IOException {
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext(
          "/",
          exchange -> {
            boolean isAway = exchange.getRequestURI().getPath().endsWith("/readiness") && !isReady;
            answer(exchange, isAway ? 503 : 200, "a node");
          });
      server.createContext("/work", work);
      server.start();
    }

    Backend backend() {
      return new Backend(server.getAddress().getPort(), server.getAddress().getPort());
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}

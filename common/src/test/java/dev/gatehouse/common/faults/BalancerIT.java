package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HAProxy of the tests: what a failed request of theirs is to be blamed for. */
@Timeout(60)
class BalancerIT {

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
    List<Integer> people = FreePorts.take(3);
    Ports ports = new Ports(people.get(0), people.get(1), people.get(2));
    try (Stub stub = new Stub(arrived, finish);
        Balancer balancer = Balancer.start(folder, ports, List.of(stub.backend()), List.of(), Spread.EACH_REQUEST, Balancer.APP_HOST, Optional.empty());
        HttpClient client = HttpClient.newHttpClient()) {
      balancer.awaitAll();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + Balancer.IDP_HOST + ":" + ports.idp() + "/work")).POST(BodyPublishers.ofString("x")).build();
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

  /** A node that works on a request until it is told to finish. */
  private static final class Stub implements AutoCloseable {

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private volatile boolean isReady = true;

    Stub(CountDownLatch arrived, CountDownLatch finish) throws IOException {
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext(
          "/",
          exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/work")) {
              arrived.countDown();
              try {
                finish.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
            exchange.sendResponseHeaders(path.endsWith("/readiness") && !isReady ? 503 : 200, -1);
            exchange.close();
          });
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

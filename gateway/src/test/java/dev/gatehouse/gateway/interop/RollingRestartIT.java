package dev.gatehouse.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes behind HAProxy end and start again under load, without a failed request. SECURITY-CASES 50. */
@Tag("long")
class RollingRestartIT {

  @AutoClose private static BalancedNodes nodes;

  private final Optional<SSLContext> tls = Optional.of(BalancedNodes.trusting());

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    nodes = BalancedNodes.start(data, "rolling-restart");
  }

  /** Both nodes stop by SIGTERM and start again, one after the other, under load over every kind of connection. */
  @Test
  void aRollingRestartFailsNoRequest() throws Exception {
    nodes.awaitBoth();
    try (Load load = new Load();
        HttpClient http2 = HttpClient.newBuilder().sslContext(tls.orElseThrow()).version(HttpClient.Version.HTTP_2).build()) {
      List<KeptConnection> kept = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        kept.add(load.visits("HTTP", KeptConnection.to(nodes.http, Optional.empty()), "/page"));
        kept.add(load.visits("HTTP, slow", KeptConnection.to(nodes.http, Optional.empty()), "/slow"));
        kept.add(load.visits("TLS passed", KeptConnection.to(nodes.passedTls, tls), "/page"));
        kept.add(load.visits("TLS passed, slow", KeptConnection.to(nodes.passedTls, tls), "/slow"));
        kept.add(load.visits("TLS ended", KeptConnection.to(nodes.endedTls, tls), "/page"));
        kept.add(load.visits("login page", KeptConnection.to(nodes.login, Optional.empty()), "/realms/balanced/login"));
      }
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + nodes.passedTls + "/page")).timeout(Duration.ofSeconds(20)).build();
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
        nodes.logIn(node);
        long begin = System.nanoTime();
        assertThat(nodes.node(node).stop()).as("exit code after SIGTERM").isEqualTo(143);
        assertThat((System.nanoTime() - begin) / 1e9).as("within Kubernetes' 30 s").isBetween(6.0, 25.0);
        assertThat(nodes.node(node).output()).contains("is not ready any more");
        Thread.sleep(500);
        nodes.start(node);
        nodes.awaitBoth();
        nodes.logIn(node);
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
                    .header("Origin", "http://127.0.0.1:" + nodes.http)
                    .buildAsync(URI.create("ws://127.0.0.1:" + nodes.http + "/talk"), this)
                    .get(20, TimeUnit.SECONDS));
        connections++;
      }
      String sent = "hello";
      try {
        open.get().sendText(sent, true).get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
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

package dev.gatehouse.gateway.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.request.RequestId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** An administration that answers what a test says, one answer for each request. */
public final class ScriptedNode implements AutoCloseable {

  public static final String KEY = "gha_key";

  private static final String ID = "k7qf2m8cwb3d";
  private static final String ID_OF_ANOTHER = "f2b6a1de-9b0c-4c58-8a51-1c6c8c7c4d4e";

  /** A request that came. */
  public record Request(String method, String uri, Optional<String> authorization, Optional<String> ifMatch, String body) {}

  private sealed interface Step {
    record Answer(int status, String body, String id) implements Step {}

    record Broken() implements Step {}

    record Silent() implements Step {}
  }

  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final HttpServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  public ScriptedNode() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  /** The next request gets this answer. */
  public ScriptedNode answers(int status, String body) {
    steps.add(new Step.Answer(status, body, ID));
    return this;
  }

  /** The next request gets this answer from another server, whose ids have another form. */
  public ScriptedNode strangerAnswers(int status, String body) {
    steps.add(new Step.Answer(status, body, ID_OF_ANOTHER));
    return this;
  }

  /** The connection of the next request is closed. */
  public ScriptedNode breaks() {
    steps.add(new Step.Broken());
    return this;
  }

  /** The next request gets no answer. */
  public ScriptedNode keepsSilent() {
    steps.add(new Step.Silent());
    return this;
  }

  public NodeApi api() {
    return new NodeApi(address(), http, KEY, () -> {});
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Returns the requests that came. */
  public List<Request> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Optional<String> authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"));
      Optional<String> ifMatch = Optional.ofNullable(exchange.getRequestHeaders().getFirst("If-Match"));
      requests.add(new Request(exchange.getRequestMethod(), exchange.getRequestURI().toString(), authorization, ifMatch, body));
      switch (Objects.requireNonNull(steps.poll())) {
        case Step.Answer(int status, String text, String id) -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set(RequestId.FIELD, id);
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
          }
        }
        case Step.Broken() -> {}
        case Step.Silent() -> end.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    end.countDown();
    http.close();
    server.stop(0);
  }
}

package dev.gatehouse.gateway.demo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The app behind the demo's gateway. It knows nothing of SAML, passwords or sessions: it reads the person's identity
 * from the headers that the gateway injects, which is why it may listen on loopback only.
 */
public final class SampleApp implements AutoCloseable {

  /** The identity in the request's headers. */
  record Visitor(Optional<String> user, List<String> roles, List<String> groups) {
    static Visitor of(Headers headers) {
      return new Visitor(
          Optional.ofNullable(headers.getFirst("Remote-User")),
          values(headers.getFirst("Remote-Roles")),
          values(headers.getFirst("Remote-Groups")));
    }

    private static List<String> values(@org.jspecify.annotations.Nullable String header) {
      return header == null || header.isBlank()
          ? List.of()
          : Arrays.stream(header.split(",")).map(String::strip).toList();
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final JsonMapper json = new JsonMapper();
  private final List<LegacyApp> legacy =
      List.of(
          // Accepts the people and passwords of the directory.
          new LegacyApp("/legacy/", LegacyApp.Form.PLAIN, (user, password) -> password.equals("demo")),
          new LegacyApp("/legacy-script/", LegacyApp.Form.SCRIPT, (user, password) -> password.equals("demo")),
          // Has its own passwords.
          new LegacyApp("/archive/", LegacyApp.Form.PLAIN, (user, password) -> password.equals("archive")));

  private final NodesPage nodes;

  private SampleApp(HttpServer server, DemoNodes nodes) {
    this.server = server;
    this.nodes = new NodesPage(nodes);
  }

  /**
   * Starts the app. Port 0 takes a free one.
   *
   * @throws PortTaken if the port is not free
   */
  public static SampleApp start(int port) {
    return start(port, DemoNodes.NONE);
  }

  /**
   * Starts the app behind several nodes.
   *
   * @throws PortTaken if the port is not free
   */
  public static SampleApp start(int port, DemoNodes nodes) {
    // Otherwise small responses on a persistent connection wait for the client's delayed acknowledgement, 40 ms each.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      SampleApp app = new SampleApp(server, nodes);
      server.setExecutor(app.threads);
      server.createContext("/", app::serve);
      server.start();
      return app;
    } catch (IOException e) {
      throw new PortTaken("the sample app", port, e);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      Visitor visitor = Visitor.of(exchange.getRequestHeaders());
      Optional<LegacyApp> old = legacy.stream().filter(app -> app.serves(path)).findFirst();
      if (old.isPresent()) {
        old.get().serve(exchange, path, body);
      } else if (path.equals("/whoami")) {
        answer(exchange, 200, "application/json", whoAmI(visitor, exchange.getRequestHeaders()));
      } else if (path.equals("/echo")) {
        answer(exchange, 200, "application/json", echo(exchange, body));
      } else if (path.equals("/public/page-14k.html") || path.equals("/page-14k.html")) {
        exchange.getResponseHeaders().set("ETag", SamplePages.LARGE_TAG);
        answer(exchange, 200, SamplePages.HTML, "public, max-age=60", SamplePages.LARGE);
      } else if (path.startsWith("/token/")) {
        answer(exchange, 200, SamplePages.HTML, SamplePages.token(visitor));
      } else if (path.startsWith("/strong/")) {
        answer(exchange, 200, SamplePages.HTML, SamplePages.strong(visitor));
      } else if (path.startsWith("/public/")) {
        answer(exchange, 200, SamplePages.HTML, SamplePages.open(visitor));
      } else if (path.startsWith("/manager/")) {
        answer(exchange, 200, SamplePages.HTML, SamplePages.manager(visitor));
      } else if (path.equals("/nodes") && nodes.isOffered()) {
        exchange.getResponseHeaders().set("Refresh", "1");
        String chosen = exchange.getRequestHeaders().getFirst(NodesPage.HEADER);
        answer(exchange, 200, SamplePages.HTML, nodes.page(visitor, chosen == null ? "" : chosen));
      } else if (path.equals("/")) {
        answer(exchange, 200, SamplePages.HTML, SamplePages.home(visitor, sorted(exchange.getRequestHeaders()), nodes.isOffered()));
      } else {
        answer(exchange, 404, SamplePages.HTML, SamplePages.notFound(visitor));
      }
    }
  }

  private String whoAmI(Visitor visitor, Headers headers) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("user", visitor.user().orElse(""));
    answer.put("roles", visitor.roles());
    answer.put("headers", sorted(headers));
    return json.writeValueAsString(answer);
  }

  /** The received request, which shows what a gateway has changed. */
  private String echo(HttpExchange exchange, byte[] body) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("method", exchange.getRequestMethod());
    answer.put("target", exchange.getRequestURI().toString());
    answer.put("headers", sorted(exchange.getRequestHeaders()));
    answer.put("body", new String(body, StandardCharsets.UTF_8));
    return json.writeValueAsString(answer);
  }

  /** The fields as received; a repeated field is joined (RFC 9110, section 5.3). */
  private static Map<String, String> sorted(Headers headers) {
    Map<String, String> sorted = new TreeMap<>();
    headers.forEach((name, values) -> sorted.put(spelled(name), String.join(", ", values)));
    return sorted;
  }

  /** Restores the usual spelling, because the JDK's server lower-cases all but the first letter. */
  private static String spelled(String name) {
    StringBuilder spelled = new StringBuilder();
    for (String part : name.toLowerCase(Locale.ROOT).split("-", -1)) {
      spelled.append(spelled.isEmpty() ? "" : "-");
      spelled.append(part.isEmpty() ? "" : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
    }
    return spelled.toString();
  }

  static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
    answer(exchange, status, type, "no-store", text.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, String type, String cacheControl, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", cacheControl);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}

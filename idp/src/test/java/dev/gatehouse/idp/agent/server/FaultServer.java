package dev.gatehouse.idp.agent.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A server of a realm that speaks like ours, and fails as a test says: it hangs, is slow, or answers with an error. */
public final class FaultServer implements AutoCloseable {

  private static final String REALM = "/realms/staff";

  /** As requests name it, whichever server they go to. */
  public static final URI ADDRESS = URI.create("http://login.localhost" + REALM);

  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch end = new CountDownLatch(1);

  /** The passcodes that arrived, each with its challenge behind a slash. */
  final List<String> passcodes = new CopyOnWriteArrayList<>();

  /** What came about days without a server: days or uses, and the ticket. */
  public final List<String> kept = new CopyOnWriteArrayList<>();

  /** The uses that were reported. */
  public final List<String> uses = new CopyOnWriteArrayList<>();

  final AtomicInteger probes = new AtomicInteger();
  volatile boolean probesHang;
  volatile boolean requestsHang;
  volatile int delayMillis;
  volatile int status = 200;

  /** What it tells as the realm's epoch; nothing if it is empty. */
  volatile String epoch = "";

  /** What it tells instead where it decides. */
  volatile String epochOfAnswers = "";

  volatile String body = "{\"result\":\"accept\",\"sub\":\"1\",\"name\":\"carol\"}";

  private FaultServer(HttpServer server) {
    this.server = server;
  }

  public static FaultServer start() throws IOException {
    HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    FaultServer faulty = new FaultServer(http);
    http.createContext(REALM + "/otp/v1/openapi.json", faulty::probe);
    http.createContext(REALM + "/otp/v1/authentications", faulty::request);
    http.createContext(REALM + "/otp/v1/offline-", faulty::days);
    http.setExecutor(faulty.executor);
    http.start();
    return faulty;
  }

  public InetSocketAddress address() {
    return InetSocketAddress.createUnresolved("127.0.0.1", server.getAddress().getPort());
  }

  /** From now on it answers so. */
  public void answers(int code, String text) {
    status = code;
    body = text;
  }

  private void probe(HttpExchange exchange) throws IOException {
    probes.incrementAndGet();
    pause(probesHang);
    reply(exchange, 200, "{}");
  }

  private void days(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> fields = fields(form);
    kept.add(exchange.getRequestURI().getPath().replaceAll(".*/offline-", "") + " " + fields.get("ticket"));
    uses.addAll(fields.getOrDefault("uses", "").lines().toList());
    reply(exchange, status, body);
  }

  private static Map<String, String> fields(String form) {
    return Arrays.stream(form.split("&", -1))
        .map(field -> field.split("=", 2))
        .collect(Collectors.toMap(field -> field[0], field -> URLDecoder.decode(field[1], StandardCharsets.UTF_8)));
  }

  private void request(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> fields = fields(form);
    if (fields.containsKey("passcode")) {
      passcodes.add(fields.get("passcode") + (fields.containsKey("challenge") ? "/" + fields.get("challenge") : ""));
    }
    pause(requestsHang);
    reply(exchange, status, body);
  }

  private void pause(boolean hang) {
    try {
      if (hang) {
        end.await();
      } else if (delayMillis > 0) {
        Thread.sleep(delayMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean decides = !epochOfAnswers.isEmpty() && exchange.getRequestMethod().equals("POST");
    String told = decides ? epochOfAnswers : epoch;
    if (!told.isEmpty()) {
      exchange.getResponseHeaders().set("Gatehouse-Epoch", told);
    }
    exchange.sendResponseHeaders(status, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    executor.shutdownNow();
  }
}

package dev.gatehouse.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.faults.Balancer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that store no cookies stay at a node all the same, as browsers do, where the balancer wants it. */
class StickinessTest {

  private static final String SESSION = "gh_app=session";

  private final HttpServer server;
  private final List<String> cookies = new CopyOnWriteArrayList<>();
  private final AtomicInteger browsers = new AtomicInteger();
  private volatile boolean isSticky = true;

  StickinessTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  /** A balancer, and a gateway behind it. */
  private void serve(HttpExchange exchange) throws IOException {
    // Who does not read the body ends the connection.
    exchange.getRequestBody().readAllBytes();
    String sent = String.join("; ", exchange.getRequestHeaders().getOrDefault("Cookie", List.of()));
    cookies.add(sent);
    if (isSticky && !sent.contains(Balancer.COOKIE + "=")) {
      exchange.getResponseHeaders().add("Set-Cookie", Balancer.COOKIE + "=node-" + browsers.getAndIncrement() + "; path=/");
    }
    boolean hasPassword = exchange.getRequestHeaders().containsKey("Authorization");
    if (hasPassword) {
      exchange.getResponseHeaders().add("Set-Cookie", SESSION + "; Path=/");
    }
    String path = exchange.getRequestURI().getPath();
    boolean isAllowed = path.startsWith("/public/") || hasPassword || sent.contains(SESSION);
    byte[] body = "x".repeat(length(path)).getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(isAllowed ? 200 : 401, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static int length(String path) {
    if (path.startsWith("/public/")) {
      return path.contains("image") ? Pages.IMAGE : Pages.PUBLIC_PAGE;
    }
    return Pages.SMALL;
  }

  @Test
  void aVisitStaysAtOneNodeAndTheNextOneComesAnew() throws IOException {
    try (Visits visits = new Visits(url("/"), "/app/small", Visits.Later.BY_COOKIE, 10, Pages.SMALL, 0)) {
      visits.once();
      visits.once();
    }
    List<String> expected = new ArrayList<>();
    for (String node : List.of("NODE=node-0", "NODE=node-1")) {
      expected.addAll(List.of("", node));
      expected.addAll(Collections.nCopies(Visits.PAGES, node + "; " + SESSION));
    }
    assertThat(cookies).isEqualTo(expected);
  }

  @Test
  void withoutStickinessAVisitHasTheSessionAlone() throws IOException {
    isSticky = false;
    try (Visits visits = new Visits(url("/"), "/app/small", Visits.Later.BY_COOKIE, 10, Pages.SMALL, 0)) {
      visits.once();
    }
    List<String> expected = new ArrayList<>(List.of("", ""));
    expected.addAll(Collections.nCopies(Visits.PAGES, SESSION));
    assertThat(cookies).isEqualTo(expected);
  }

  @Test
  void aBrowserOfPublicPagesStaysWhileItKeepsItsConnection() throws IOException {
    try (PageLoads pages = PageLoads.publicPages(url("/public/"), 1, true)) {
      pages.once();
      pages.once();
    }
    List<String> expected = new ArrayList<>(List.of(""));
    expected.addAll(Collections.nCopies(2 * Pages.IMAGES + 1, "NODE=node-0"));
    assertThat(cookies).isEqualTo(expected);
  }

  @Test
  void eachSessionOfPublicPagesIsAnotherBrowser() throws IOException {
    try (PageLoads pages = PageLoads.publicPages(url("/public/"), 1, false)) {
      pages.once();
      pages.once();
    }
    List<String> expected = new ArrayList<>();
    for (String node : List.of("NODE=node-0", "NODE=node-1")) {
      expected.add("");
      expected.addAll(Collections.nCopies(Pages.IMAGES, node));
    }
    assertThat(cookies).isEqualTo(expected);
  }
}

package dev.gatehouse.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FormLoginTest {

  private static final String FORM =
      "<form action=\"/login\" method=\"post\"><input name=\"username\"><input type=\"password\" name=\"password\"></form>";
  private static final String BADGE = "<span class=\"badge good\">Signed out</span>";

  private final HttpServer gateway = server();
  private final HttpServer idp = server();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String receipt = BADGE + BADGE;

  FormLoginTest() throws IOException {
    gateway.createContext("/", this::serve);
    gateway.start();
    idp.start();
  }

  private static HttpServer server() throws IOException {
    return HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
  }

  @AfterEach
  void stop() {
    gateway.stop(0);
    idp.stop(0);
  }

  private static String url(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private String page() {
    return url(gateway) + "/form-plain/small";
  }

  private void serve(HttpExchange exchange) throws IOException {
    // Who does not read the body ends the connection.
    exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    asked.add(path + exchange.getRequestHeaders().getOrDefault("Sec-Fetch-Site", List.of()));
    boolean loggedIn = exchange.getRequestHeaders().containsKey("Cookie");
    switch (path) {
      case "/login" -> {
        exchange.getResponseHeaders().add("Set-Cookie", "gh_app=session; Path=/");
        answer(exchange, "/form-plain/small", "");
      }
      case "/.gatehouse/logout" -> answer(exchange, "/slo", "");
      case "/slo" -> answer(exchange, "", receipt);
      default -> answer(exchange, "", loggedIn ? "x".repeat(Pages.SMALL) : FORM);
    }
  }

  private static void answer(HttpExchange exchange, String location, String body) throws IOException {
    if (!location.isEmpty()) {
      exchange.getResponseHeaders().add("Location", location);
    }
    byte[] bytes = (body.isEmpty() ? "moved" : body).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(location.isEmpty() ? 200 : 303, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void aLoginEndsAtThePage() throws IOException {
    try (FormLogin login = new FormLogin(page(), url(idp), 10, 0)) {
      assertThat(login.once()).isEqualTo(1);
    }
    assertThat(asked).containsExactly("/form-plain/small[]", "/login[]", "/form-plain/small[]");
  }

  /** The link of a page of the same site, which ends sessions without a question. */
  @Test
  void aLogoutEndsAtItsReceipt() throws IOException {
    try (FormLogin login = FormLogin.withLogout(page(), url(idp), 10, 0)) {
      assertThat(login.once()).isEqualTo(1);
      assertThat(login.once()).isEqualTo(1);
    }
    assertThat(asked)
        .hasSize(10)
        .startsWith("/form-plain/small[]", "/login[]", "/form-plain/small[]", "/.gatehouse/logout[same-origin]", "/slo[]")
        .endsWith("/.gatehouse/logout[same-origin]", "/slo[]");
  }

  @Test
  void aSessionThatIsLeftIsAFailure() throws IOException {
    receipt = BADGE;
    try (FormLogin login = FormLogin.withLogout(page(), url(idp), 10, 0)) {
      assertThatThrownBy(login::once).isInstanceOf(IOException.class);
    }
  }
}

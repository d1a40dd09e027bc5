package dev.gatehouse.gateway.people;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A small web site of a test's own, on a free port of loopback. */
abstract class Site implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  Site() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Answers a request with a page, as {@link #page} makes it. */
  abstract Answer answer(String method, String path, String body);

  /** What a site answers. */
  record Answer(int status, String type, String text) {}

  static Answer page(String title, String content) {
    String html =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>%1$s</title><h1>%1$s</h1>%2$s</html>"
            .formatted(title, content);
    return new Answer(200, "text/html; charset=utf-8", html);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Answer answer = answer(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), body);
      byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}

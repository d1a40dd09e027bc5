package dev.gatehouse.perf.server;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The app behind the gateway: a page of 200 bytes with the person's name and one link, like the authorization pages of
 * the reports.
 */
public final class DemoApp implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private DemoApp(HttpServer server) {
    this.server = server;
  }

  public static DemoApp start() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 512);
    DemoApp app = new DemoApp(server);
    server.setExecutor(app.threads);
    server.createContext(
        "/",
        exchange -> {
          String user = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Remote-User"), "nobody");
          String page = "<!doctype html><title>Page</title><p>Hello " + user + "</p><a href=\"/protected/next\">Next</a>";
          byte[] body = (page + " ".repeat(Math.max(0, 200 - page.length()))).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return app;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}

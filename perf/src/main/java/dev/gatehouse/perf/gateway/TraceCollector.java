package dev.gatehouse.perf.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A collector of OpenTelemetry spans that discards them. It works in this process, so that its CPU is not counted. */
record TraceCollector(HttpServer server) implements AutoCloseable {

  static TraceCollector start() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
          }
        });
    server.start();
    return new TraceCollector(server);
  }

  /** The section {@code tracing} of {@code gatehouse.yaml} for this collector. */
  String configuration(int percent) {
    return "tracing: {endpoint: \"http://127.0.0.1:%d/v1/traces\", sample: %d%%}".formatted(server.getAddress().getPort(), percent);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

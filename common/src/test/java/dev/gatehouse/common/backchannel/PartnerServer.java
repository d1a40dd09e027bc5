package dev.gatehouse.common.backchannel;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A partner's server on this machine: passes every request to one function. */
public final class PartnerServer implements AutoCloseable {

  private final HttpServer server;
  private final List<EdgeRequest> seen = Collections.synchronizedList(new ArrayList<>());
  private volatile Function<EdgeRequest, EdgeReply> answers = request -> EdgeReply.of(404, "text/plain", "nothing");

  public PartnerServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
  }

  public String url(String path) {
    return "http://partner.localhost:" + server.getAddress().getPort() + path;
  }

  public void answers(Function<EdgeRequest, EdgeReply> function) {
    answers = function;
  }

  /** Returns an envelope with status 200. */
  public void answers(byte[] envelope) {
    answers(request -> EdgeReply.of(200, "text/xml", envelope));
  }

  public List<EdgeRequest> seen() {
    return List.copyOf(seen);
  }

  private void serve(HttpExchange exchange) throws IOException {
    Headers headers = Headers.empty();
    for (var field : exchange.getRequestHeaders().entrySet()) {
      headers = headers.and(field.getKey(), field.getValue().getFirst());
    }
    EdgeRequest request =
        new EdgeRequest(
            exchange.getRequestMethod(), Origin.of(URI.create(url("/"))), exchange.getRequestURI().getRawPath(), "",
            headers, exchange.getRequestBody().readAllBytes(), exchange.getRemoteAddress().getAddress());
    seen.add(request);
    EdgeReply reply = answers.apply(request);
    reply.headers().fields().forEach(field -> exchange.getResponseHeaders().add(field.name(), field.value()));
    exchange.sendResponseHeaders(reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
    exchange.getResponseBody().write(reply.body());
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

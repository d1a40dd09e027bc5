package dev.gatehouse.gateway.tracing;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.node.TracingConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** A collector that takes spans by OTLP over HTTP. It reads the protobuf by the numbers of opentelemetry-proto, trace.proto. */
public final class Collector implements AutoCloseable {

  /** A span. */
  public record Span(String trace, String id, String parent, String name, int kind, Map<String, String> attributes) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private volatile int status = 200;

  public Collector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.setExecutor(threads);
    server.start();
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces");
  }

  public TracingConfig config(double share) {
    return new TracingConfig(endpoint(), share, "gatehouse", Optional.empty());
  }

  /** The collector answers that from now on. */
  void answering(int code) {
    status = code;
  }

  List<String> authorizations() {
    return authorizations;
  }

  public List<Span> spans() {
    return spans;
  }

  /** Everything that was received, as text in which secrets would be found. */
  public String received() {
    return String.join("\n", bodies);
  }

  /** Waits for a span. */
  public Span await(Predicate<Span> wanted) {
    Eventually.holds(() -> spans.stream().anyMatch(wanted));
    return spans.stream().filter(wanted).findFirst().orElseThrow();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      if (status == 200) {
        bodies.add(ByteString.copyFrom(body).toStringUtf8());
        read(body);
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private void read(byte[] request) throws InvalidProtocolBufferException {
    for (UnknownFieldSet resource : messages(UnknownFieldSet.parseFrom(request), 1)) {
      for (UnknownFieldSet scope : messages(resource, 2)) {
        messages(scope, 2).forEach(span -> spans.add(span(span)));
      }
    }
  }

  private static Span span(UnknownFieldSet span) {
    Map<String, String> attributes = new TreeMap<>();
    messages(span, 9).forEach(pair -> attributes.put(text(pair, 1), value(messages(pair, 2).getFirst())));
    return new Span(hex(span, 1), hex(span, 2), hex(span, 4), text(span, 5), number(span, 6), attributes);
  }

  private static String value(UnknownFieldSet any) {
    return any.hasField(1) ? text(any, 1) : String.valueOf(number(any, 3));
  }

  private static String hex(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().stream()
        .map(bytes -> HexFormat.of().formatHex(bytes.toByteArray()))
        .findFirst()
        .orElse("");
  }

  private static String text(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().stream().map(ByteString::toStringUtf8).findFirst().orElse("");
  }

  private static int number(UnknownFieldSet message, int field) {
    return message.getField(field).getVarintList().stream().mapToInt(Long::intValue).findFirst().orElse(0);
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().stream().map(Collector::parse).toList();
  }

  private static UnknownFieldSet parse(ByteString bytes) {
    try {
      return UnknownFieldSet.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

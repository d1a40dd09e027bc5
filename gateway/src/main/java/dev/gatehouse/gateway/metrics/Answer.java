package dev.gatehouse.gateway.metrics;

import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HttpDate;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.metrics.NodeReport.Part;
import dev.gatehouse.gateway.metrics.NodeReport.State;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A response of the listener. */
record Answer(String status, String type, byte[] body) {

  /** The media type of Prometheus' text format. */
  static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  static final Answer MALFORMED = text("400 Bad Request", "This is not an HTTP request that this listener reads.");
  static final Answer FAULT = text("500 Internal Server Error", "The answer could not be made; the log of the node says why.");
  private static final Answer NOT_FOUND =
      text("404 Not Found", "Here are /metrics, /health, /health/live, /health/ready and /health/serving.");
  private static final Answer NOT_ALLOWED = text("405 Method Not Allowed", "Only GET and HEAD are answered.");

  /** The answer to a request; may block. */
  static Answer to(RequestHead request, NodeReport report) {
    String path = Ascii.string(request.fields().bytes(), request.pathStart(), request.pathEnd());
    boolean known =
        switch (path) {
          case "/metrics", "/health", "/health/live", "/health/ready", "/health/serving" -> true;
          default -> false;
        };
    if (!known) {
      return NOT_FOUND;
    }
    if (!request.method().equals("GET") && !request.isHead()) {
      return NOT_ALLOWED;
    }
    return switch (path) {
      case "/metrics" -> new Answer("200 OK", PROMETHEUS, report.metrics());
      case "/health/live" -> of(report.state(Part.LIVE));
      case "/health/ready" -> of(report.state(Part.READY));
      case "/health/serving" -> of(report.state(Part.SERVING));
      default -> of(report.state(Part.NODE));
    };
  }

  private static Answer of(State state) {
    byte[] body = ("{\"status\":\"" + state.status() + "\"}").getBytes(StandardCharsets.UTF_8);
    return new Answer(state.available() ? "200 OK" : "503 Service Unavailable", "application/json", body);
  }

  private static Answer text(String status, String sentence) {
    return new Answer(status, "text/plain; charset=utf-8", (sentence + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The head of the response, with its empty line.
   *
   * @param requestId of the request
   */
  byte[] head(long second, String requestId, boolean close) {
    HeadBuffer head = new HeadBuffer().put("HTTP/1.1 ").put(status).endLine();
    head.putField("Date", HttpDate.format(second)).putField("Content-Type", type);
    head.putField("Content-Length", Integer.toString(body.length)).putField("Cache-Control", "no-store");
    head.putField("X-Content-Type-Options", "nosniff").putField(RequestId.FIELD, requestId);
    if (this == NOT_ALLOWED) {
      head.putField("Allow", "GET, HEAD");
    }
    if (close) {
      head.putField("Connection", "close");
    }
    head.endLine();
    return Arrays.copyOf(head.array(), head.length());
  }
}

package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.node.TracingConfig;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.tracing.Collector;
import dev.gatehouse.gateway.tracing.Collector.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans of requests that a gateway serves, as a collector gets them, and what the app gets of the trace. */
@Timeout(60)
class TracingTest {

  private static final Cidr PROXY = new Cidr(InetAddress.ofLiteral("127.0.0.1"), 32);
  private static final Cidr NOBODY = new Cidr(InetAddress.ofLiteral("192.0.2.1"), 32);
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final String PARENT = "00-[0-9a-f]{32}-[0-9a-f]{16}-";

  private static List<String> fields(RawApp app, String name) {
    return app.received().getLast().head().lines().filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith(name + ": ")).toList();
  }

  private static String parent(RawApp app) {
    assertThat(fields(app, "traceparent")).hasSize(1);
    return fields(app, "traceparent").getFirst().substring("traceparent: ".length());
  }

  @Test
  void aRequestHasSpansOfItsPartsAndTheAppContinuesTheTrace() throws IOException {
    try (Collector collector = new Collector();
        RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.traced(app, NOBODY, collector.config(1));
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("bob", List.of("manager"), List.of());
      client.get("/manager/accounts/bob?token=hunter2", "Cookie: gh_app=" + session).read();
      Span server = collector.await(span -> span.kind() == 2);
      assertThat(server.name()).isEqualTo("GET /manager/");
      assertThat(server.parent()).isEmpty();
      assertThat(server.attributes())
          .containsEntry("http.request.method", "GET")
          .containsEntry("http.route", "/manager/")
          .containsEntry("http.response.status_code", "200")
          .containsEntry("url.scheme", "http")
          .containsEntry("network.protocol.version", "1.1")
          .containsEntry("gatehouse.route", "manager")
          .containsEntry("gatehouse.request.id", client.requestId());
      Span upstream = collector.await(span -> span.kind() == 3);
      assertThat(upstream.attributes())
          .containsEntry("http.response.status_code", "200").containsEntry("server.address", "127.0.0.1")
          .containsEntry("server.port", String.valueOf(app.port()));
      Span decision = collector.await(span -> span.name().equals("decision"));
      assertThat(decision.attributes()).containsEntry("gatehouse.decision", "permit").containsEntry("gatehouse.rule", "role manager");
      Span known = collector.await(span -> span.name().equals("session"));
      assertThat(List.of(upstream, decision, known))
          .allMatch(span -> span.parent().equals(server.id()) && span.trace().equals(server.trace()));
      assertThat(parent(app)).startsWith("00-" + server.trace() + "-" + upstream.id() + "-0");
      assertThat(collector.received()).doesNotContain("bob", "hunter2", session, "accounts");
    }
  }

  @Test
  void theTraceOfATrustedProxyIsContinued() throws IOException {
    try (Collector collector = new Collector();
        RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.traced(app, PROXY, collector.config(0));
        RawClient client = gateway.connect()) {
      client.get("/public/", "Traceparent: " + SENT, "tracestate: a=1", "tracestate: b=2").read();
      Span server = collector.await(span -> span.kind() == 2);
      assertThat(server.trace()).isEqualTo(TRACE);
      assertThat(server.parent()).isEqualTo("00f067aa0ba902b7");
      assertThat(parent(app)).startsWith("00-" + TRACE + "-").matches(PARENT + "0[13]").doesNotContain("00f067aa0ba902b7");
      assertThat(fields(app, "tracestate")).containsExactly("tracestate: a=1,b=2");
      String unsampled = SENT.substring(0, 53) + "00";
      client.get("/public/", "traceparent: " + unsampled, "tracestate: a=1").read();
      assertThat(parent(app)).as("passed on as it is").isEqualTo(unsampled);
      assertThat(fields(app, "tracestate")).containsExactly("tracestate: a=1");
    }
  }

  @Test
  void theTraceOfAClientDoesNotCount() throws IOException {
    try (Collector collector = new Collector();
        RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.traced(app, NOBODY, collector.config(0));
        RawClient client = gateway.connect()) {
      client.get("/public/", "traceparent: " + SENT, "tracestate: a=1").read();
      assertThat(parent(app)).matches(PARENT + "00").doesNotContain(TRACE);
      assertThat(fields(app, "tracestate")).isEmpty();
      client.get("/public/").read();
      assertThat(collector.spans()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "x", "00-" + TRACE + "-00f067aa0ba902b7-0", "00-" + TRACE + "-00f067aa0ba902b7-01-x", "ff-" + TRACE + "-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-" + TRACE + "-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", SENT + "\r\ntraceparent: " + SENT
      })
  void whatIsNoTraceparentBeginsATraceOfOurs(String wrong) throws IOException {
    try (Collector collector = new Collector();
        RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.traced(app, PROXY, collector.config(0));
        RawClient client = gateway.connect()) {
      client.get("/public/", "traceparent: " + wrong, "tracestate: a=1").read();
      assertThat(parent(app)).matches(PARENT + "00").doesNotContain(TRACE);
      assertThat(fields(app, "tracestate")).isEmpty();
    }
  }

  @Test
  void withoutACollectorTheFieldsPassAsAnyOther() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/", "traceparent: " + SENT).read();
      assertThat(parent(app)).isEqualTo(SENT);
    }
  }

  @Test
  void refusalsAndFailuresAreInTheSpan() throws IOException {
    try (Collector collector = new Collector();
        RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.traced(app, NOBODY, collector.config(1));
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("bob", List.of("clerk"), List.of());
      client.get("/manager/", "Cookie: gh_app=" + session).read();
      assertThat(collector.await(span -> span.kind() == 2).attributes())
          .containsEntry("gatehouse.refusal", "ROLE_MISSING").containsEntry("http.response.status_code", "403");
      client.send("BREW /public/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n").read();
      assertThat(collector.await(span -> span.name().startsWith("HTTP")).attributes()).containsEntry("http.request.method", "_OTHER");
      app.close();
      client.get("/public/").read();
      Span failed = collector.await(span -> span.attributes().containsKey("error.type") && span.kind() == 2);
      assertThat(failed.attributes()).containsEntry("error.type", "502");
      assertThat(failed.attributes().get("gatehouse.refusal")).as("a kept connection may be closed first").startsWith("UPSTREAM_");
      Span upstream = collector.await(span -> span.kind() == 3 && span.attributes().containsKey("error.type"));
      assertThat(upstream.attributes().get("error.type")).isIn("unreachable", "closed");
    }
  }

  /** It accepts connections, and never answers. */
  @Test
  void aHangingCollectorSlowsNobody() throws IOException {
    try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway =
            TestGateway.traced(
                app, NOBODY,
                new TracingConfig(
                    URI.create("http://127.0.0.1:" + hanging.getLocalPort() + "/v1/traces"), 1, "gatehouse", Optional.empty()));
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 1600; i++) {
        assertThat(client.get("/public/").read().status()).isEqualTo(200);
      }
      Eventually.holds(() -> gateway.meters().get("gatehouse.tracing.spans.dropped").functionCounter().count() > 0);
    }
  }
}

package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.trace.RequestTrace;
import dev.gatehouse.common.trace.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Isolated
class LogConfiguratorTest {

  private static final String FORMAT = "logging.structured.format.console";
  private static final String FORGED = "hello\n2026-11-21T10:00:00.123Z INFO  netty: all is well\u001b[2J";

  @AfterEach
  void forget() {
    System.clearProperty(FORMAT);
    System.clearProperty("gatehouse.log.target");
  }

  @Test
  void anEventIsALineOfText() {
    assertThat(log("netty", FORGED, new IllegalStateException("no\nway")).lines())
        .first()
        .asString()
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z WARN  netty: hello\\\\u000a2026-11-21T10:00:00.123Z INFO  netty: all is well\\\\u001b\\[2J");
  }

  /** Nothing that a stranger may have put into a message begins a line. */
  @Test
  void linesOfAnExceptionAreIndented() {
    assertThat(log("netty", "failed", new IllegalStateException(FORGED)).lines().skip(1))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("  ") && line.chars().noneMatch(Character::isISOControl));
  }

  @Test
  void anEventIsAnObjectOfTheElasticCommonSchema() {
    System.setProperty(FORMAT, "ecs");
    JsonNode event = JsonMapper.shared().readTree(log("netty", FORGED, new IllegalStateException(FORGED)));
    assertThat(event.at("/message").asString()).isEqualTo(FORGED);
    assertThat(event.at("/log/level").asString()).isEqualTo("WARN");
    assertThat(event.at("/log/logger").asString()).isEqualTo("dev.gatehouse.netty");
    assertThat(event.at("/service/name").asString()).isEqualTo("gatehouse");
    assertThat(event.at("/error/message").asString()).isEqualTo(FORGED);
    assertThat(event.at("/error/stack_trace").asString()).contains("LogConfiguratorTest");
  }

  @Test
  void anEventIsAnObjectOfGelfOrLogstash() {
    System.setProperty(FORMAT, "gelf");
    assertThat(JsonMapper.shared().readTree(log("netty", "hello", null)).at("/short_message").asString()).isEqualTo("hello");
    System.setProperty(FORMAT, "logstash");
    assertThat(JsonMapper.shared().readTree(log("netty", "hello", null)).at("/message").asString()).isEqualTo("hello");
  }

  @Test
  void anUnknownFormatIsTextAndSaidToBe() {
    System.setProperty(FORMAT, "exs");
    assertThat(log("netty", "hello", null).lines().toList())
        .satisfiesExactly(
            first -> assertThat(first).contains("ERROR gateway.launch.LogConfigurator: " + FORMAT, "exs", "ecs", "written as text"),
            second -> assertThat(second).endsWith("WARN  netty: hello"));
  }

  @Test
  void anEventOfARequestHasItsId() {
    System.setProperty(FORMAT, "ecs");
    JsonNode event = JsonMapper.shared().readTree(RequestId.call("abc", () -> log("netty", "hello", null)));
    assertThat(event.at("/http/request/id").asString()).isEqualTo("abc");
    assertThat(event.has("trace")).isFalse();
    Tracing tracing = Tracing.by(OpenTelemetry.noop().getTracer("test"), 0, InstantSource.system());
    RequestTrace trace = tracing.begin("GET", List.of(), List.of(), RandomGenerator.getDefault());
    event = JsonMapper.shared().readTree(RequestId.call("abc", () -> trace.call(() -> log("netty", "hello", null))));
    assertThat(event.at("/trace/id").asString()).hasSize(32).isEqualTo(trace.traceId());
  }

  @Test
  void aCollectorMayWantStandardOutput() {
    System.setProperty("gatehouse.log.target", "stdout");
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      assertThat(log("netty", "hello", null)).isEmpty();
    } finally {
      System.setOut(before);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("WARN  netty: hello");
  }

  private static String log(String logger, String message, @Nullable Throwable thrown) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    LoggerContext logs = new LoggerContext();
    logs.setMDCAdapter(new LogbackMDCAdapter());
    try {
      new LogConfigurator().configure(logs);
      logs.getLogger("dev.gatehouse." + logger).warn(message, thrown);
    } finally {
      logs.stop();
      System.setErr(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}

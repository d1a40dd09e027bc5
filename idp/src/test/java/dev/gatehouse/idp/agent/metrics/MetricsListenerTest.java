package dev.gatehouse.idp.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.idp.agent.offline.HeldCounts;
import dev.gatehouse.idp.agent.server.Attempts;
import dev.gatehouse.idp.agent.server.Attempts.Outcome;
import dev.gatehouse.idp.agent.server.ServerTimes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets figures, and what they look like. */
final class MetricsListenerTest {

  @TempDir private Path folder;

  private final Attempts attempts = new Attempts();
  private final MetricsText text =
      new MetricsText(
          attempts,
          () ->
              List.of(
                  new ServerTimes("192.0.2.11:8445", true, OptionalDouble.of(0.0021), OptionalDouble.of(0.5)),
                  new ServerTimes("[2001:db8::1]:8445", false, OptionalDouble.empty(), OptionalDouble.empty())),
          () -> Optional.of(new HeldCounts(3, 61.5, 7, false)));

  private static String ask(SocketAddress at, String request) throws IOException {
    try (SocketChannel channel = SocketChannel.open(at)) {
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
      ByteBuffer answer = ByteBuffer.allocate(64 * 1024);
      while (channel.read(answer) >= 0) {
        // Until the agent ends the connection.
      }
      return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
    }
  }

  private static String get(String path, String host) {
    return "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: text/plain\r\n\r\n";
  }

  @Test
  void aSocketIsForItsOwnerAndHasTheFigures() throws IOException {
    Path path = folder.resolve("metrics");
    attempts.count(Outcome.TOO_MANY);
    attempts.count(Outcome.TOO_MANY);
    try (MetricsListener listener = MetricsListener.open(new MetricsSettings.Socket(path, Optional.empty()), text)) {
      assertThat(listener.port()).isEmpty();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).isEqualTo("rw-------");
      String answer = ask(UnixDomainSocketAddress.of(path), get("/metrics", "whatever"));
      assertThat(answer).startsWith("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
      assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4).lines().filter(line -> !line.startsWith("#")))
          .hasSize(Outcome.values().length + 8)
          .contains(
              "gatehouse_agent_attempts_total{by=\"agent\",result=\"refused\",reason=\"too_many_wrong\"} 2",
              "gatehouse_agent_attempts_total{by=\"server\",result=\"accepted\",reason=\"\"} 0",
              "gatehouse_agent_server_up{server=\"192.0.2.11:8445\"} 1", "gatehouse_agent_server_up{server=\"[2001:db8::1]:8445\"} 0",
              "gatehouse_agent_server_probe_seconds{server=\"192.0.2.11:8445\"} 0.002100",
              "gatehouse_agent_server_request_seconds{server=\"192.0.2.11:8445\"} 0.500000", "gatehouse_agent_known 0",
              "gatehouse_agent_held_people 3", "gatehouse_agent_held_days 61.500000", "gatehouse_agent_uploads_waiting 7")
          .doesNotHaveDuplicates();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void aPortAnswersGetByNamesOfThisHostAndNothingElse() throws IOException {
    InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 0);
    try (MetricsListener listener = MetricsListener.open(new MetricsSettings.Port(loopback), text)) {
      InetSocketAddress at = new InetSocketAddress("127.0.0.1", listener.port().orElseThrow());
      assertThat(ask(at, get("/metrics", "127.0.0.1:9469"))).startsWith("HTTP/1.1 200 ");
      assertThat(ask(at, get("/metrics", "localhost"))).startsWith("HTTP/1.1 200 ");
      assertThat(ask(at, get("/metrics", "[::1]:9469"))).startsWith("HTTP/1.1 200 ");
      assertThat(ask(at, get("/metrics", "evil.example:9469"))).as("a page of another site").startsWith("HTTP/1.1 400 ");
      assertThat(ask(at, "GET /metrics HTTP/1.1\r\n\r\n")).as("no Host").startsWith("HTTP/1.1 400 ");
      assertThat(ask(at, get("/", "localhost"))).startsWith("HTTP/1.1 404 ");
      assertThat(ask(at, get("/metrics", "localhost").replace("GET", "POST"))).startsWith("HTTP/1.1 405 ");
      assertThat(ask(at, "x".repeat(8192))).startsWith("HTTP/1.1 400 ");
      assertThatThrownBy(() -> MetricsListener.open(new MetricsSettings.Port(at), text)).isInstanceOf(IOException.class);
    }
  }
}

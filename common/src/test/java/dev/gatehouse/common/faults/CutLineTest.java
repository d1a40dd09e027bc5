package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines that are slow. */
@Timeout(60)
class CutLineTest {

  private static final Duration DELAY = Duration.ofMillis(200);

  private final AtomicInteger echoed = new AtomicInteger();

  @Test
  void everyAnswerIsLateAndAllOfThemArriveInOrder() throws IOException {
    try (ServerSocket echo = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CutLine line = new CutLine(echo.getLocalPort())) {
      Thread.ofVirtual().start(() -> echo(echo));
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), line.port())) {
        assertThat(said(client, "at once")).isEqualTo("at once");
        line.delay(DELAY);
        long begun = System.nanoTime();
        assertThat(said(client, "one")).isEqualTo("one");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(DELAY);
        // The delay ends, but nothing overtakes what is still on its way.
        client.getOutputStream().write("two".getBytes(StandardCharsets.US_ASCII));
        awaitEcho(3);
        line.delay(Duration.ZERO);
        assertThat(said(client, "three")).isEqualTo("twoth");
      }
    }
  }

  private void awaitEcho(int bytes) {
    int wanted = "at once".length() + "one".length() + bytes;
    while (echoed.get() < wanted) {
      Thread.onSpinWait();
    }
  }

  private void echo(ServerSocket listening) {
    try (Socket one = listening.accept()) {
      byte[] buffer = new byte[64];
      for (int length = one.getInputStream().read(buffer); length >= 0; length = one.getInputStream().read(buffer)) {
        one.getOutputStream().write(buffer, 0, length);
        echoed.addAndGet(length);
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static String said(Socket client, String words) throws IOException {
    client.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
    return new String(client.getInputStream().readNBytes(words.length()), StandardCharsets.US_ASCII);
  }
}

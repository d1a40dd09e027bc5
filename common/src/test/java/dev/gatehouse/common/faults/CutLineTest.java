package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines that are slow, or cut and repaired. */
@Timeout(60)
class CutLineTest {

  private static final Duration DELAY = Duration.ofMillis(200);

  private final AtomicInteger echoed = new AtomicInteger();

  @Test
  void everyAnswerIsLateAndAllOfThemArriveInOrder() throws IOException {
    try (ServerSocket echo = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CutLine line = new CutLine(echo.getLocalPort())) {
      Thread.ofVirtual().start(() -> echoAll(echo));
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

  /** Nobody is silent for ever who was cut, and connects again while the others are still closed. */
  @Test
  void whoConnectsAgainAtOnceFindsTheLineRepaired() throws Exception {
    int clients = 100;
    CountDownLatch connected = new CountDownLatch(clients);
    try (ServerSocket echo = new ServerSocket(0, clients, InetAddress.getLoopbackAddress());
        CutLine line = new CutLine(echo.getLocalPort());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Thread.ofVirtual().start(() -> echoAll(echo));
      List<Future<String>> again = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        again.add(threads.submit(() -> again(line, connected)));
      }
      connected.await();
      line.cut();
      line.repair();
      for (Future<String> one : again) {
        assertThat(one.get()).isEqualTo("again");
      }
    }
  }

  private static String again(CutLine line, CountDownLatch connected) throws IOException {
    try (Socket first = new Socket(InetAddress.getLoopbackAddress(), line.port())) {
      assertThat(said(first, "first")).isEqualTo("first");
      connected.countDown();
      assertThat(first.getInputStream().read()).as("the end").isEqualTo(-1);
    }
    try (Socket second = new Socket(InetAddress.getLoopbackAddress(), line.port())) {
      second.setSoTimeout(10_000);
      return said(second, "again");
    }
  }

  private void awaitEcho(int bytes) {
    int wanted = "at once".length() + "one".length() + bytes;
    while (echoed.get() < wanted) {
      Thread.onSpinWait();
    }
  }

  private void echoAll(ServerSocket listening) {
    while (!listening.isClosed()) {
      try {
        Socket one = listening.accept();
        Thread.ofVirtual().start(() -> echo(one));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void echo(Socket client) {
    try (Socket one = client) {
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

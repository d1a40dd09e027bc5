package dev.gatehouse.common.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A read ends when its answer is there, or when its time is over. */
final class WatchedSocketsTest {

  private static final int SHORT_MILLIS = 200;
  private static final int LONG_MILLIS = 60_000;

  private final WatchedSockets sockets = new WatchedSockets();
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private Socket connect() throws IOException {
    return sockets.createSocket(InetAddress.getLoopbackAddress(), server.getLocalPort());
  }

  @Test
  void aReadThatGetsNoAnswerEndsInTime() throws IOException {
    try (Socket socket = connect(); Socket silent = server.accept()) {
      socket.setSoTimeout(SHORT_MILLIS);
      assertThat(socket.getSoTimeout()).isEqualTo(SHORT_MILLIS);
      InputStream in = socket.getInputStream();
      long begun = System.nanoTime();
      assertThatThrownBy(() -> in.read(new byte[10])).isInstanceOf(SocketTimeoutException.class);
      assertThat((System.nanoTime() - begun) / 1_000_000).isGreaterThanOrEqualTo(SHORT_MILLIS).isLessThan(LONG_MILLIS / 2);
      assertThat(socket.isClosed()).as("an answer that comes later is nobody's").isTrue();
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      assertThatThrownBy(in::read).isInstanceOf(SocketException.class);
    }
    assertThat(sockets.open()).isZero();
  }

  @Test
  void answersAreReadAndEachReadHasItsTime() throws Exception {
    try (Socket socket = connect(); Socket other = server.accept()) {
      socket.setSoTimeout(SHORT_MILLIS * 5);
      InputStream in = socket.getInputStream();
      for (int i = 0; i < 10; i++) {
        Thread.sleep(SHORT_MILLIS);
        other.getOutputStream().write(200 + i);
        assertThat(in.read()).isEqualTo(200 + i);
      }
      other.getOutputStream().write(new byte[] {1, 2, 3});
      assertThat(in.readNBytes(3)).containsExactly(1, 2, 3);
      other.shutdownOutput();
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void aReadWithoutTimeWaits() throws Exception {
    try (Socket socket = connect(); Socket other = server.accept(); ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> read = threads.submit(() -> socket.getInputStream().read());
      Thread.sleep(SHORT_MILLIS * 2);
      assertThat(read.isDone()).isFalse();
      other.getOutputStream().write(7);
      assertThat(read.get()).isEqualTo(7);
    }
  }

  @Test
  void whoeverClosesItEndsTheRead() throws Exception {
    try (Socket socket = connect(); Socket other = server.accept(); ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      socket.setSoTimeout(LONG_MILLIS);
      Future<Integer> read = threads.submit(() -> socket.getInputStream().read());
      Thread.sleep(SHORT_MILLIS);
      socket.close();
      assertThatThrownBy(read::get).cause().isInstanceOf(SocketException.class).isNotInstanceOf(SocketTimeoutException.class);
      assertThat(other.isClosed()).isFalse();
    }
  }

  @Test
  void thoseThatWaitAreWatchedAlsoAfterAPause() throws Exception {
    for (int i = 0; i < 3; i++) {
      // The thread that looks ends when nobody waits.
      Thread.sleep(3 * WaitWatch.LOOK_AGAIN.toMillis());
      aReadThatGetsNoAnswerEndsInTime();
    }
  }

  @Test
  void manyReadersEachGetTheirAnswers() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(this::echo);
      Future<?>[] all = new Future<?>[16];
      for (int i = 0; i < all.length; i++) {
        all[i] = threads.submit(this::ask);
      }
      for (Future<?> one : all) {
        one.get();
      }
      server.close();
    }
    assertThat(sockets.open()).isZero();
  }

  private Void ask() throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(LONG_MILLIS);
      InputStream in = socket.getInputStream();
      for (int i = 0; i < 500; i++) {
        socket.getOutputStream().write(i & 0xff);
        assertThat(in.read()).isEqualTo(i & 0xff);
      }
      return null;
    }
  }

  private void echo() {
    while (!server.isClosed()) {
      try {
        Socket one = server.accept();
        Thread.startVirtualThread(
            () -> {
              try (one) {
                one.getInputStream().transferTo(one.getOutputStream());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
      } catch (IOException e) {
        return;
      }
    }
  }
}

package dev.gatehouse.common.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TimedSocketsTest {

  private static final int LIMIT = 300;

  private final TimedSockets sockets = new TimedSockets();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ServerSocket server;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    threads.close();
  }

  @Test
  void aReadEndsAtItsLimit() throws Exception {
    try (Socket socket = connected();
        Socket peer = server.accept()) {
      long begun = System.nanoTime();
      Future<Integer> read = threads.submit(() -> socket.getInputStream().read());
      assertThatThrownBy(read::get).cause().isInstanceOf(SocketTimeoutException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(LIMIT));
      assertThat(peer.getInputStream().read()).as("the connection has ended").isNegative();
      assertThat(sockets.open()).isZero();
    }
  }

  /** Nothing is read after an answer that was late: it could be that of another question. */
  @Test
  void whatWasLateStaysLate() throws Exception {
    try (Socket socket = connected();
        Socket peer = server.accept()) {
      assertThatThrownBy(threads.submit(() -> socket.getInputStream().read())::get).cause().isInstanceOf(SocketTimeoutException.class);
      assertThatThrownBy(threads.submit(() -> socket.getInputStream().read())::get).cause().isInstanceOf(IOException.class);
      assertThat(peer.isClosed()).isFalse();
    }
  }

  @Test
  void answersInTimeAreReadForLongerThanTheLimit() throws Exception {
    try (Socket socket = connected();
        Socket peer = server.accept()) {
      for (int i = 0; i < 10; i++) {
        int sent = 200 + i;
        Future<Integer> read = threads.submit(() -> socket.getInputStream().read());
        Thread.sleep(LIMIT / 5);
        peer.getOutputStream().write(sent);
        assertThat(read.get()).isEqualTo(sent);
      }
      assertThat(sockets.open()).isEqualTo(1);
      peer.close();
      assertThat(threads.submit(() -> socket.getInputStream().read(new byte[5])).get()).isNegative();
    }
    assertThat(sockets.open()).isZero();
  }

  @Test
  void anotherEndIsNoTimeout() throws Exception {
    try (Socket socket = connected();
        Socket peer = server.accept()) {
      socket.setSoTimeout(60_000);
      assertThat(socket.getSoTimeout()).isEqualTo(60_000);
      Future<Integer> read = threads.submit(() -> socket.getInputStream().read());
      Thread.sleep(50);
      socket.close();
      assertThatThrownBy(read::get).cause().isInstanceOf(SocketException.class);
      assertThat(peer.isConnected()).isTrue();
    }
  }

  @Test
  void whatCouldNotConnectIsNotKept() throws IOException {
    int port = server.getLocalPort();
    server.close();
    try (Socket socket = sockets.createSocket()) {
      assertThatThrownBy(() -> socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000))
          .isInstanceOf(ConnectException.class);
      assertThat(sockets.open()).isZero();
    }
  }

  private Socket connected() throws IOException {
    Socket socket = sockets.createSocket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()), 5_000);
    socket.setSoTimeout(LIMIT);
    return socket;
  }
}

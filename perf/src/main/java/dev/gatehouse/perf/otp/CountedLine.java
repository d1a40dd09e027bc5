package dev.gatehouse.perf.otp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** A line to a server that counts the bytes in both directions, without headers of TCP and IP. */
final class CountedLine implements AutoCloseable {

  private static final int BUFFER = 16_384;

  private final ServerSocket listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final int target;
  private final AtomicLong bytes = new AtomicLong();

  CountedLine(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  long bytes() {
    return bytes.get();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket near = listening.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> pass(near, far));
        Thread.ofVirtual().start(() -> pass(far, near));
      } catch (IOException e) {
        // The server is gone: whoever connects learns that by the end of the connection.
      }
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try (from; to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        bytes.addAndGet(read);
      }
    } catch (IOException e) {
      // Either side has closed.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}

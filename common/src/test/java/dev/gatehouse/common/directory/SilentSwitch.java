package dev.gatehouse.common.directory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A directory behind a connection that can become silent: connections stay open, but nothing comes back. */
final class SilentSwitch implements AutoCloseable {

  private final EmbeddedDirectory behind = EmbeddedDirectory.start(TestPeople.LDIF);
  private final ServerSocket front;
  private final AtomicInteger now = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private volatile boolean silent;

  SilentSwitch() throws IOException {
    this.front = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return front.getLocalPort();
  }

  void beSilent() {
    silent = true;
  }

  void speakAgain() {
    silent = false;
  }

  /** Returns the largest number of simultaneous connections. */
  int most() {
    return most.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = front.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), behind.port());
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        Thread.ofVirtual().start(() -> copy(client, server, false));
        Thread.ofVirtual().start(() -> copy(server, client, true));
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void copy(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        if (!(answers && silent)) {
          out.write(buffer, 0, n);
          out.flush();
        }
      }
    } catch (IOException e) {
      // One side closed.
    } finally {
      if (!answers) {
        now.decrementAndGet();
      }
    }
  }

  @Override
  public void close() throws IOException {
    front.close();
    behind.close();
  }
}

package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A line between a node and a server that can be cut without a word: bytes that are sent while it is cut arrive nowhere. */
final class CutLine implements AutoCloseable {

  private static final int BUFFER = 16_384;

  private final ServerSocket listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isCut;

  CutLine(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  void cut() {
    isCut = true;
  }

  /** Repairs the line; connections of before are closed, because bytes are missing. */
  void repair() {
    open.forEach(CutLine::close);
    open.clear();
    isCut = false;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket node = listening.accept();
        open.add(node);
        Thread.ofVirtual().start(() -> connect(node));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket node) {
    if (isCut) {
      // It stays open and silent until the repair.
      return;
    }
    Socket server = new Socket();
    open.add(server);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      Thread.ofVirtual().start(() -> copy(node, server));
      copy(server, node);
    } catch (IOException e) {
      close(node);
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      for (int length = from.getInputStream().read(buffer); length >= 0; length = from.getInputStream().read(buffer)) {
        if (!isCut) {
          to.getOutputStream().write(buffer, 0, length);
        }
      }
    } catch (IOException e) {
      // One side is gone, so is the other.
    }
    if (!isCut) {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    open.forEach(CutLine::close);
  }
}

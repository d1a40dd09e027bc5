package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** A line between a node and a server that can be cut without a word: bytes that are sent while it is cut arrive nowhere. */
public final class CutLine implements AutoCloseable {

  private static final int BUFFER = 16_384;
  private static final Predicate<InetAddress> NOBODY = source -> false;

  private final ServerSocket listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final int target;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile Predicate<InetAddress> cut = NOBODY;

  public CutLine(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Cuts the line for everybody. */
  public void cut() {
    cut = source -> true;
  }

  /** Cuts the line for those who come from this address; others go on. */
  public void cutFrom(InetAddress source) {
    cut = source::equals;
  }

  /** Repairs the line; connections that were cut are closed, because bytes are missing. */
  public void repair() {
    open.stream().filter(Connection::isCut).forEach(Connection::close);
    cut = NOBODY;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Connection connection = new Connection(listening.accept(), new Socket());
        open.add(connection);
        Thread.ofVirtual().start(connection::connect);
      } catch (IOException closed) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    open.forEach(Connection::close);
  }

  /** One connection through the line. */
  private final class Connection {

    private final Socket node;
    private final Socket server;
    private final InetAddress source;

    Connection(Socket node, Socket server) {
      this.node = node;
      this.server = server;
      this.source = node.getInetAddress();
    }

    boolean isCut() {
      return cut.test(source);
    }

    void connect() {
      if (isCut()) {
        // It stays open and silent until the repair.
        return;
      }
      try {
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        Thread.ofVirtual().start(() -> copy(node, server));
        copy(server, node);
      } catch (IOException e) {
        close();
      }
    }

    private void copy(Socket from, Socket to) {
      byte[] buffer = new byte[BUFFER];
      try {
        for (int length = from.getInputStream().read(buffer); length >= 0; length = from.getInputStream().read(buffer)) {
          if (!isCut()) {
            to.getOutputStream().write(buffer, 0, length);
          }
        }
      } catch (IOException e) {
        // One side is gone, so is the other.
      }
      if (!isCut()) {
        close();
      }
    }

    void close() {
      open.remove(this);
      for (Socket side : new Socket[] {node, server}) {
        try {
          side.close();
        } catch (IOException e) {
          // It is closed.
        }
      }
    }
  }
}

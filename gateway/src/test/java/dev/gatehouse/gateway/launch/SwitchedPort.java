package dev.gatehouse.gateway.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A balancer of connections on loopback, which is told which node gets them; connections to the former node are closed. */
final class SwitchedPort implements AutoCloseable {

  private final ServerSocket listening;
  private final List<Integer> nodes;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int chosen;

  SwitchedPort(int port, List<Integer> nodes) throws IOException {
    this.nodes = List.copyOf(nodes);
    this.listening = new ServerSocket(port, 100, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Sends new connections to that node. */
  void to(int node) {
    chosen = node;
    open.forEach(SwitchedPort::close);
    open.clear();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket node = new Socket();
        open.add(client);
        open.add(node);
        node.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), nodes.get(chosen)));
        Thread.ofVirtual().start(() -> copy(client, node));
        Thread.ofVirtual().start(() -> copy(node, client));
      } catch (IOException e) {
        // The balancer or the node is gone: the client sees a closed connection.
      }
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    open.forEach(SwitchedPort::close);
  }
}

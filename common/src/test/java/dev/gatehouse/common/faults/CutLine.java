package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/**
 * A line between a node and a server that can be cut without a word: bytes that are sent while it is cut arrive nowhere. It can also be
 * slow: what the server says arrives later, and what follows at once is not later than that.
 */
public final class CutLine implements AutoCloseable {

  private static final int BUFFER = 16_384;
  private static final Predicate<Connection> NOBODY = connection -> false;

  private final ServerSocket listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final int target;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile Predicate<Connection> cut = NOBODY;
  private volatile Duration delay = Duration.ZERO;

  public CutLine(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Cuts the line for everybody. */
  public void cut() {
    cut = connection -> true;
  }

  /** Cuts the line for those who come from this address; others go on. */
  public void cutFrom(InetAddress source) {
    cut = connection -> connection.source.equals(source);
  }

  /** Cuts the line for those of its connections that the server has from these ports; others go on. */
  public void cutAt(Set<Integer> ports) {
    cut = connection -> ports.contains(connection.server.getLocalPort());
  }

  /** Repairs the line; connections that were cut are closed, because bytes are missing. */
  public void repair() {
    open.forEach(Connection::noteCut);
    cut = NOBODY;
    // Last: a client that connects again while others are still being closed would be cut, and then silent for ever.
    open.stream().filter(Connection::isCut).forEach(Connection::close);
  }

  /** Delays everything that the server says from now on. */
  public void delay(Duration longer) {
    delay = longer;
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

  /** What a server said, and when it arrives. */
  private record Answer(byte[] bytes, long atNanos) {}

  /** One connection through the line. */
  private final class Connection {

    private final Socket node;
    private final Socket server;
    private final InetAddress source;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private volatile boolean wasCut;

    Connection(Socket node, Socket server) {
      this.node = node;
      this.server = server;
      this.source = node.getInetAddress();
    }

    /** Returns whether it is cut, or was: bytes may be missing, also after the repair. */
    boolean isCut() {
      noteCut();
      return wasCut;
    }

    void noteCut() {
      if (cut.test(this)) {
        wasCut = true;
      }
    }

    void connect() {
      if (isCut()) {
        // It stays open and silent until the repair closes it, unless that was a moment ago, and did not find it.
        if (!cut.test(this)) {
          close();
        }
        return;
      }
      try {
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        Thread.ofVirtual().start(() -> copy(node, server));
        Thread.ofVirtual().start(this::answer);
        collect();
      } catch (IOException e) {
        close();
      }
    }

    /** Takes what the server says, with the time at which it arrives. */
    private void collect() {
      byte[] buffer = new byte[BUFFER];
      try {
        for (int length = server.getInputStream().read(buffer); length >= 0; length = server.getInputStream().read(buffer)) {
          if (!isCut()) {
            answers.add(new Answer(Arrays.copyOf(buffer, length), System.nanoTime() + delay.toNanos()));
          }
        }
      } catch (IOException e) {
        // The server is gone: what it said still arrives.
      }
      answers.add(new Answer(new byte[0], System.nanoTime()));
    }

    /** Hands over what the server said; an empty answer is the end. */
    private void answer() {
      try {
        for (Answer next = answers.take(); next.bytes().length > 0; next = answers.take()) {
          Thread.sleep(Duration.ofNanos(Math.max(0, next.atNanos() - System.nanoTime())));
          if (!isCut()) {
            node.getOutputStream().write(next.bytes());
          }
        }
      } catch (IOException e) {
        // The node is gone, so is the connection.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (!isCut()) {
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

package dev.gatehouse.idp.edge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a connection that takes turns with others. A turn ends with a request: the next one is read when the selector has come to
 * this connection again, and with it to all others that wait.
 *
 * <p>After a request with a body Jetty reads the next one on the same thread, as long as the client answers at once. Nothing interrupts a
 * virtual thread, so that a few clients would keep all carriers to themselves.
 *
 * <p>So that turns cost little, the selector goes on to watch the socket during a turn. Jetty takes it out of the selector for each turn
 * and puts it back at the end, which wakes the selector. Here that happens only if more comes before the turn has ended.
 */
final class FairEndPoint extends SocketChannelEndPoint {

  /** How often the selector may come before the bytes that it has reported are read: that takes another thread a moment. */
  static final int EARLY = 4;

  /** How far a turn has come. */
  private enum Turn {
    /** What the selector has reported is not read yet. */
    BEGUN,
    READ,
    /** A request has ended. */
    SERVED
  }

  private volatile SelectionKey key;

  /** Whether somebody waits for the selector to report bytes. */
  private volatile boolean waiting;

  /** Whether the selector watches for bytes, or will from its next round on. */
  private volatile boolean watched;

  private volatile Turn turn = Turn.READ;

  /** For the selector alone. */
  private int early;

  FairEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
    this.key = key;
  }

  /** Ends the turn of a connection whose request has ended. */
  static void endTurn(EndPoint endPoint) {
    EndPoint socket = endPoint;
    while (socket instanceof EndPoint.Wrapper within) {
      // TLS and the PROXY protocol have end points of their own around the socket's.
      socket = within.unwrap();
    }
    if (socket instanceof FairEndPoint fair) {
      fair.turn = Turn.SERVED;
    }
  }

  /** Reads nothing after the end of the turn. Jetty then waits for the selector, as for a client that has sent nothing. */
  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    if (turn == Turn.SERVED && isOpen() && !isInputShutdown()) {
      return 0;
    }
    int bytes = super.fill(buffer);
    if (turn == Turn.BEGUN) {
      turn = Turn.READ;
    }
    return bytes;
  }

  /** Waits for bytes. The selector may come at this moment, by {@link #onSelected}: one of both sees what the other has written. */
  @Override
  protected void needsFillInterest() {
    boolean isServed = turn == Turn.SERVED;
    waiting = true;
    if (!watched) {
      watch();
    }
    if (isServed) {
      // The thread goes on to select, and does not wait while connections are ready. Threads that this carrier has woken would wait all
      // that time: they go first.
      Thread.yield();
    }
  }

  /** Begins a turn if somebody waits. Otherwise one goes on, and the selector would report the same bytes until they are read. */
  @Override
  public @Nullable Runnable onSelected() {
    int ready = key.readyOps();
    // From here on the selector does not watch for what is ready.
    Runnable task = super.onSelected();
    if ((ready & SelectionKey.OP_READ) == 0) {
      return task;
    }
    watched = false;
    if (waiting) {
      waiting = false;
      turn = Turn.BEGUN;
      early = 0;
      watch();
      return task;
    }
    if (turn == Turn.BEGUN && early < EARLY) {
      early++;
      watch();
    }
    return (ready & SelectionKey.OP_WRITE) == 0 ? null : task;
  }

  /**
   * Lets the selector watch. In this order: if the selector comes in between, it is asked once more than needed. The other way round it
   * would seem to watch where it does not, and nobody would be told of bytes.
   */
  private void watch() {
    watched = true;
    super.needsFillInterest();
  }

  @Override
  public void replaceKey(SelectionKey newKey) {
    key = newKey;
    super.replaceKey(newKey);
  }
}

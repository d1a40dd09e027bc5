package dev.gatehouse.common.wait;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/**
 * Sockets whose reads end in time without a timer for each read. A virtual thread that waits with a limit wakes the JDK's thread for timers
 * when it begins to wait, and again when it no longer does. Here one thread looks at all sockets while somebody reads, and closes those on
 * which an answer is late, a tenth of a second after the limit at most; the reader gets the exception of {@link Socket#setSoTimeout}. For
 * protocols whose answers take less than a timer does.
 */
public final class TimedSockets extends SocketFactory {

  private final Set<TimedSocket> open = ConcurrentHashMap.newKeySet();
  private final WaitWatch watch = new WaitWatch(this::isWaiting);

  @Override
  public Socket createSocket() {
    return new TimedSocket(open, watch);
  }

  /** Returns how many sockets are open; for tests. */
  int open() {
    return open.size();
  }

  private boolean isWaiting(long now) {
    boolean isAny = false;
    for (TimedSocket socket : open) {
      isAny |= socket.isWaiting(now);
    }
    return isAny;
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException("sockets are connected by their users");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    return createSocket(host.getHostAddress(), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
    return createSocket(host, port);
  }

  private static final class TimedSocket extends Socket {

    private static final String TIMED_OUT = "Read timed out";

    private static final long NOBODY = 0;

    /** The socket was closed because an answer was late. */
    private static final long LATE = 2;

    private final Set<TimedSocket> open;
    private final WaitWatch watch;

    /** The end of the limit of a read ({@link System#nanoTime}, made odd), or one of the even values. */
    private final AtomicLong reading = new AtomicLong(NOBODY);
    private volatile int timeout;

    TimedSocket(Set<TimedSocket> open, WaitWatch watch) {
      this.open = open;
      this.watch = watch;
    }

    /** A socket that could not connect was never open. */
    @Override
    public void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
      super.connect(endpoint, timeoutMillis);
      open.add(this);
      if (isClosed()) {
        open.remove(this);
      }
    }

    @Override
    public void setSoTimeout(int millis) {
      timeout = millis;
    }

    @Override
    public int getSoTimeout() {
      return timeout;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new TimedStream(super.getInputStream());
    }

    /** Closes the socket if an answer is late; returns whether somebody reads who still has time. */
    boolean isWaiting(long now) {
      long until = reading.get();
      if (until == NOBODY || until == LATE) {
        return false;
      }
      // Exactly one of this thread and the reader ends the read.
      if (now - until <= 0 || !reading.compareAndSet(until, LATE)) {
        return true;
      }
      try {
        close();
      } catch (IOException e) {
        // Nothing more can be done with it; its reader has an exception, too.
        open.remove(this);
      }
      return false;
    }

    @Override
    public void close() throws IOException {
      open.remove(this);
      super.close();
    }

    private final class TimedStream extends FilterInputStream {

      TimedStream(InputStream in) {
        super(in);
      }

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int millis = timeout;
        if (millis == 0) {
          return in.read(bytes, offset, length);
        }
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) | 1;
        // One that was late stays so, even if the answer came while it was closed.
        if (!reading.compareAndSet(NOBODY, until)) {
          throw new SocketTimeoutException(TIMED_OUT);
        }
        watch.begin();
        try {
          return in.read(bytes, offset, length);
        } catch (SocketException e) {
          if (reading.get() == LATE) {
            throw new SocketTimeoutException(TIMED_OUT);
          }
          throw e;
        } finally {
          reading.compareAndSet(until, NOBODY);
        }
      }
    }
  }
}

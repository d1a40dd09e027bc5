package dev.gatehouse.common.http;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets whose reads end in time without a timer for each read. A virtual thread that waits with a limit wakes the JDK's thread for timers
 * when it begins to wait, and again when it no longer does. Here one thread looks at all sockets from time to time, and closes those on which
 * an answer is late; the reader gets the exception of {@link Socket#setSoTimeout}. For protocols whose answers take less than a timer does.
 */
public final class TimedSockets extends SocketFactory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TimedSockets.class);

  /** The time that a read may take longer than its limit. */
  public static final long LOOK_EVERY_MILLIS = 100;

  private final Set<TimedSocket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public TimedSockets() {
    Thread.ofVirtual().name("timed-sockets").start(this::watch);
  }

  @Override
  public Socket createSocket() {
    return new TimedSocket(open);
  }

  /** Returns how many sockets are open; for tests. */
  int open() {
    return open.size();
  }

  private void watch() {
    try {
      while (!closed || !open.isEmpty()) {
        Thread.sleep(LOOK_EVERY_MILLIS);
        try {
          open.forEach(TimedSocket::closeIfLate);
        } catch (Throwable e) {
          // No read would have a limit any more if this thread ended.
          LOG.error("Sockets cannot be looked at; it will be tried again", e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the thread as soon as no socket is open. */
  @Override
  public void close() {
    closed = true;
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

    /** The end of the limit of a read ({@link System#nanoTime}, made odd), or one of the even values. */
    private final AtomicLong reading = new AtomicLong(NOBODY);
    private volatile int timeout;

    TimedSocket(Set<TimedSocket> open) {
      this.open = open;
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

    void closeIfLate() {
      long until = reading.get();
      // Exactly one of this thread and the reader ends the read.
      if (until != NOBODY && until != LATE && System.nanoTime() - until > 0 && reading.compareAndSet(until, LATE)) {
        try {
          close();
        } catch (IOException e) {
          // Nothing more can be done with it; its reader has an exception, too.
          open.remove(this);
        }
      }
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

package dev.gatehouse.common.wait;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A socket that is watched while somebody reads. One thread reads at a time. */
final class WatchedSocket extends Socket implements WaitWatch.Place {

  /** In place of the end of a read. */
  private static final long NOBODY_READS = 0;

  private static final long EXPIRED = 1;

  private final WaitWatch watch;

  /** By {@link System#nanoTime}, when the read that waits ends. */
  private final AtomicLong end = new AtomicLong(NOBODY_READS);

  private volatile int timeoutMillis;
  private @Nullable InputStream stream;

  WatchedSocket(WaitWatch watch) {
    this.watch = watch;
  }

  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    super.connect(endpoint, timeout);
    watch.add(this);
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  /** {@inheritDoc} It is not that of the socket below, whose reads would begin timers. */
  @Override
  public void setSoTimeout(int timeout) throws SocketException {
    if (timeout < 0) {
      throw new IllegalArgumentException("timeout can't be negative");
    }
    timeoutMillis = timeout;
  }

  @Override
  public int getSoTimeout() {
    return timeoutMillis;
  }

  @Override
  public synchronized InputStream getInputStream() throws IOException {
    InputStream made = stream == null ? new Watched(super.getInputStream()) : stream;
    stream = made;
    return made;
  }

  @Override
  public void close() throws IOException {
    watch.remove(this);
    super.close();
  }

  @Override
  public boolean isWaiting(long now) {
    long until = end.get();
    if (until == NOBODY_READS || until == EXPIRED) {
      return false;
    }
    // Another read may have begun meanwhile, with an end of its own.
    if (now - until < 0 || !end.compareAndSet(until, EXPIRED)) {
      return true;
    }
    try {
      close();
    } catch (IOException e) {
      // The read learns that it is closed.
    }
    return false;
  }

  private final class Watched extends FilterInputStream {

    Watched(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int timeout = timeoutMillis;
      if (timeout == 0) {
        return in.read(bytes, from, length);
      }
      // Neither of the two other values.
      long until = (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout)) | 2;
      end.set(until);
      watch.begin();
      try {
        return in.read(bytes, from, length);
      } catch (IOException e) {
        throw end.get() == EXPIRED ? timedOut(e) : e;
      } finally {
        end.compareAndSet(until, NOBODY_READS);
      }
    }

    private static SocketTimeoutException timedOut(IOException e) {
      SocketTimeoutException told = new SocketTimeoutException("Read timed out");
      told.initCause(e);
      return told;
    }
  }
}

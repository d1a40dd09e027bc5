package dev.gatehouse.idp.edge;

import dev.gatehouse.common.throttle.LogThrottle;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the requests that are handled at a time, because each may hold a body and a deep stack. A request beyond the bound waits for a
 * place, in order, with its body unread. While it waits it ends connections whose bodies have been awaited longest, so that clients that
 * send bodies slowly hold up nobody.
 *
 * <p>The bound of Jetty's VirtualThreadPool counts those that accept and select as well: at that bound nothing is read from any
 * connection.
 */
final class BoundedRequests extends Handler.Wrapper {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedRequests.class);
  private static final String TEXT = "Too many requests at work. Please try again in a moment.\n";

  /** The time that each body has where others wait for a place, in nanoseconds. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(250);

  private final int most;
  private final LogThrottle refused = new LogThrottle();
  private final Semaphore places;
  private final Duration placeTime;
  private final Duration bodyTime;
  private final LinkedHashSet<ReadRequest> awaited = new LinkedHashSet<>();

  /**
   * Creates the bound.
   *
   * @param most the number of requests that are handled at a time
   * @param placeTime a request that has waited so long for its place is answered with 503
   * @param bodyTime the connection ends if a body has not come after this time
   */
  BoundedRequests(int most, Duration placeTime, Duration bodyTime, Handler handler) {
    super(handler);
    this.most = most;
    this.places = new Semaphore(most, true);
    this.placeTime = placeTime;
    this.bodyTime = bodyTime;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!places.tryAcquire(0, TimeUnit.MILLISECONDS) && !isPlaceGiven(request.getComponents().getScheduler())) {
      refused.count().ifPresent(times -> log(times));
      BusyReply.send(response, TEXT, callback);
      return true;
    }
    ReadRequest read = new ReadRequest(request);
    // For a handler that fails, or leaves the request to nobody.
    Request.addCompletionListener(request, failure -> read.leave());
    // The place is free once the response is sent: what is left of the body is discarded without one.
    return super.handle(
        read,
        response,
        new Callback.Nested(callback) {
          @Override
          public void succeeded() {
            read.leave();
            super.succeeded();
          }

          @Override
          public void failed(Throwable failure) {
            read.leave();
            super.failed(failure);
          }
        });
  }

  /** Waits for a place. Meanwhile each request that waits ends, again and again, a connection whose body has not come in its time. */
  private boolean isPlaceGiven(Scheduler scheduler) throws InterruptedException {
    Relief relief = new Relief(scheduler);
    relief.run();
    try {
      return places.tryAcquire(placeTime.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      relief.end();
    }
  }

  private void log(long times) {
    LOG.warn(
        "All {} places for requests were taken for {} s: a request was refused ({} so far). More heap gives more places",
        most, placeTime.toSeconds(), times);
  }

  /** Removes and returns the connection whose body has been awaited longest, if it has had its time. */
  private Optional<EndPoint> eldestAwaited() {
    synchronized (awaited) {
      Iterator<ReadRequest> all = awaited.iterator();
      if (!all.hasNext()) {
        return Optional.empty();
      }
      ReadRequest eldest = all.next();
      if (System.nanoTime() - eldest.since < PATIENCE) {
        return Optional.empty();
      }
      all.remove();
      return Optional.of(eldest.endPoint());
    }
  }

  /** Ends connections while a request waits for a place. */
  private final class Relief implements Runnable {

    private final Scheduler scheduler;
    private boolean ended;
    private Scheduler.@Nullable Task next;

    Relief(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    @Override
    public synchronized void run() {
      if (!ended) {
        eldestAwaited().ifPresent(EndPoint::close);
        next = scheduler.schedule(this, PATIENCE, TimeUnit.NANOSECONDS);
      }
    }

    synchronized void end() {
      ended = true;
      if (next != null) {
        next.cancel();
      }
    }
  }

  /** A request that reports when it waits for its body. Its time counts from then, not from the last byte. */
  private final class ReadRequest extends Request.Wrapper {

    private final AtomicBoolean hasPlace = new AtomicBoolean(true);
    private long since;
    private Scheduler.@Nullable Task deadline;

    ReadRequest(Request request) {
      super(request);
    }

    @Override
    public Content.Chunk read() {
      Content.Chunk chunk = super.read();
      if (chunk == null) {
        await();
      } else if (chunk.isLast()) {
        end();
      }
      return chunk;
    }

    private void await() {
      if (deadline != null) {
        return;
      }
      since = System.nanoTime();
      deadline = getComponents().getScheduler().schedule(endPoint()::close, bodyTime.toNanos(), TimeUnit.NANOSECONDS);
      synchronized (awaited) {
        awaited.add(this);
      }
    }

    /** Gives the place back, once. */
    void leave() {
      if (hasPlace.compareAndSet(true, false)) {
        end();
        places.release();
      }
    }

    /** The body has come, or the request has ended. */
    private void end() {
      Scheduler.Task running = deadline;
      if (running != null) {
        running.cancel();
        synchronized (awaited) {
          awaited.remove(this);
        }
      }
    }

    EndPoint endPoint() {
      return getConnectionMetaData().getConnection().getEndPoint();
    }
  }
}

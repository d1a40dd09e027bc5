package dev.gatehouse.idp.edge;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the requests that are handled at a time, because each may hold a body and a deep stack. A request beyond the bound waits for a
 * place, in order, with its body unread. It also ends the connection whose body has been awaited longest, so that clients that send
 * bodies slowly hold up nobody.
 *
 * <p>The bound of Jetty's VirtualThreadPool counts those that accept and select as well: at that bound nothing is read from any
 * connection.
 */
final class BoundedRequests extends Handler.Wrapper {

  private static final String TEXT = "Too many requests at work. Please try again in a moment.\n";
  private static final HttpField RETRY_AFTER = new HttpField(HttpHeader.RETRY_AFTER, "2");

  /** The time that each body has, in nanoseconds. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(250);

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
    this.places = new Semaphore(most, true);
    this.placeTime = placeTime;
    this.bodyTime = bodyTime;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!places.tryAcquire(0, TimeUnit.MILLISECONDS)) {
      eldestAwaited().ifPresent(EndPoint::close);
      if (!places.tryAcquire(placeTime.toMillis(), TimeUnit.MILLISECONDS)) {
        return refuse(response, callback);
      }
    }
    ReadRequest read = new ReadRequest(request);
    Request.addCompletionListener(
        request,
        failure -> {
          read.end();
          places.release();
        });
    return super.handle(read, response, callback);
  }

  private static boolean refuse(Response response, Callback callback) {
    response.setStatus(HttpStatus.SERVICE_UNAVAILABLE_503);
    response
        .getHeaders()
        .put(RETRY_AFTER)
        .put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString())
        .put(HttpHeader.CACHE_CONTROL, "no-store")
        .put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
    Content.Sink.write(response, true, TEXT, callback);
    return true;
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

  /** A request that reports when it waits for its body. Its time counts from then, not from the last byte. */
  private final class ReadRequest extends Request.Wrapper {

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

    /** The body has come, or the request has ended. */
    void end() {
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

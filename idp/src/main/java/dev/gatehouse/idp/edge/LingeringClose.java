package dev.gatehouse.idp.edge;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Discards the rest of a request's body after the response, within bounds, before the connection ends (RFC 9112, section
 * 9.6). Without this, a client that sends its whole body before it reads would get a TCP reset in place of the response.
 */
final class LingeringClose extends Handler.Wrapper {

  /** More than any body that an endpoint accepts. */
  private static final long MAX_DISCARDED_BYTES = 32 << 20;

  private static final long MAX_SECONDS = 5;

  LingeringClose(Handler handler) {
    super(handler);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    DiscardingRequest discarding = new DiscardingRequest(request, response, callback);
    return super.handle(
        discarding, response, Callback.from(callback.getInvocationType(), discarding::end, callback::failed));
  }

  /** A request whose unread body is discarded when its response has been sent. */
  private static final class DiscardingRequest extends Request.Wrapper {

    private final Response response;
    private final Callback callback;
    private long discarded;
    private Scheduler.@Nullable Task deadline;

    DiscardingRequest(Request request, Response response, Callback callback) {
      super(request);
      this.response = response;
      this.callback = callback;
    }

    /** Servlets call this before the response. Jetty's implementation would make the rest of the body unreadable. */
    @Override
    public boolean consumeAvailable() {
      if (discardAvailable()) {
        return true;
      }
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      return false;
    }

    void end() {
      // A client that waits for 100 (Continue) has not sent its body, and takes the response in place of it.
      boolean awaitsContinue =
          getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString()) && Request.getContentBytesRead(this) == 0;
      if (awaitsContinue || discardAvailable() || discarded > MAX_DISCARDED_BYTES) {
        if (deadline != null) {
          deadline.cancel();
        }
        callback.succeeded();
        return;
      }
      if (deadline == null) {
        EndPoint endPoint = getConnectionMetaData().getConnection().getEndPoint();
        // Closing fails the body, which ends the wait.
        deadline = getComponents().getScheduler().schedule(endPoint::close, MAX_SECONDS, TimeUnit.SECONDS);
      }
      demand(this::end);
    }

    /** Returns whether the body has ended. */
    private boolean discardAvailable() {
      while (discarded <= MAX_DISCARDED_BYTES) {
        Content.Chunk chunk = read();
        if (chunk == null) {
          return false;
        }
        discarded += chunk.remaining();
        chunk.release();
        if (chunk.isLast()) {
          return true;
        }
      }
      return false;
    }
  }
}

package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.gateway.netty.loop.MinimumRate;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one HTTP/2 connection together: the connection's flow-control windows, the bytes that are buffered for
 * all streams, and whether the client reads any.
 */
final class Http2Streams {

  /** Streams that a client may leave unread, as a page with paused videos does, before the connection is ended. */
  private static final int MAX_STUCK = 3;

  private final Http2Connection connection;
  private final Http2Connection.PropertyKey key;

  private final MinimumRate bodyRate;

  /** How fast the client reads the data of all streams together. */
  private final MinimumRate readingRate;

  private final List<Http2RequestBody> touched = new ArrayList<>();
  private long unread;
  private long buffered;

  /**
   * @param bodyRate how fast a client must send the body of each request
   * @param readingRate how fast a client must read its responses
   */
  Http2Streams(Http2Connection connection, MinimumRate bodyRate, MinimumRate readingRate) {
    this.connection = connection;
    this.bodyRate = bodyRate;
    this.key = connection.newKey();
    this.readingRate = readingRate;
  }

  void add(Http2Stream stream, Http2ClientStream request) {
    stream.setProperty(key, request);
  }

  @Nullable Http2ClientStream find(int id) {
    Http2Stream stream = connection.stream(id);
    return stream == null ? null : of(stream);
  }

  @Nullable Http2ClientStream of(Http2Stream stream) {
    return stream.getProperty(key);
  }

  /** Registers a body that has passed data to its exchange, which is notified when no more can be read at the moment. */
  void touch(Http2RequestBody body) {
    touched.add(body);
  }

  void readComplete() {
    if (!touched.isEmpty()) {
      List<Http2RequestBody> now = List.copyOf(touched);
      touched.clear();
      now.forEach(Http2RequestBody::readComplete);
    }
  }

  /** Returns whether the client's flow-control windows allow data on that stream (RFC 9113, section 5.2). */
  boolean mayReceive(Http2Stream stream) {
    Http2RemoteFlowController windows = connection.remote().flowController();
    return windows.windowSize(stream) > 0 && windows.windowSize(connection.connectionStream()) > 0;
  }

  /** Returns whether the connection's receive window is used up, so that the client may not send on any stream. */
  boolean isInflowFull() {
    return connection.local().flowController().windowSize(connection.connectionStream()) <= 0;
  }

  /** The minimum rate at which a client must send bodies; the template for each stream. */
  MinimumRate bodyRate() {
    return bodyRate;
  }

  /** The minimum rate at which a client must read; also the template for each stream. */
  MinimumRate readingRate() {
    return readingRate;
  }

  /** Adds to the bytes of responses that wait for the client; {@code bytes} may be negative. */
  void unread(int bytes, long now) {
    if (unread == 0) {
      readingRate.restart(now);
    } else if (bytes < 0) {
      readingRate.arrived(-bytes, now);
    }
    unread += bytes;
  }

  /** Bytes of responses that wait for the client. */
  long unread() {
    return unread;
  }

  /** Adds to the bytes of request bodies that are buffered; {@code bytes} may be negative. */
  void buffered(int bytes) {
    buffered += bytes;
  }

  /** Bytes of request bodies that are buffered. */
  long buffered() {
    return buffered;
  }

  /** Checks the deadlines of each stream; returns whether the client leaves too many of them unread, or all. */
  boolean areStuck(long now) throws Http2Exception {
    int[] stuck = {0};
    long[] bytesOfStuck = {0};
    connection.forEachActiveStream(
        stream -> {
          Http2ClientStream active = of(stream);
          int bytes = active == null ? 0 : active.check(now);
          bytesOfStuck[0] += bytes;
          stuck[0] += bytes > 0 ? 1 : 0;
          return true;
        });
    boolean noneIsRead = stuck[0] > 0 && unread > bytesOfStuck[0] && readingRate.isOver(now);
    return stuck[0] > MAX_STUCK || noneIsRead;
  }
}

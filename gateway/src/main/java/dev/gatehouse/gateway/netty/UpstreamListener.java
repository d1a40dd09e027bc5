package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;

/** Hears what an app's connection has to say about one request. Called on the loop. */
interface UpstreamListener {

  /** Connected; the request may be written. */
  void ready(UpstreamConnection connection);

  /**
   * There is no response.
   *
   * @param stale the connection was an old one and nothing at all came back: the app had closed it meanwhile
   */
  void failed(UpstreamFailure failure, boolean stale);

  /** An interim or the final head. */
  void head(ResponseHead head);

  /**
   * The app switches protocols as it was asked to: 101. The listener takes the channel ({@link UpstreamConnection#detach}) or
   * abandons the connection.
   */
  default void upgraded(ResponseHead head) {
    throw new IllegalStateException("nobody asked for it");
  }

  /** A part of the body, to be released by the listener. */
  void data(ByteBuf data);

  /** The fields behind the body, before its {@link #end}. */
  default void trailers(Fields trailers) {}

  /** Bytes that are welcome at a time. */
  default int readSize() {
    return BoundedReceive.USUAL;
  }

  /** Whether its client has so many requests under way that others come first. */
  default boolean hasMany() {
    return false;
  }

  /** The connection's memory or place is needed elsewhere: it was closed, and the response is truncated. */
  default void evicted() {
    truncated();
  }

  /** What has arrived so far was handed over: time to flush. */
  void pause();

  /** The response is complete; the connection goes back to its pool or was closed. */
  void end();

  /** The connection ended, stalled or spoke nonsense in the middle of the body. */
  void truncated();

  /** The app takes more of the request's body. */
  void writable();
}

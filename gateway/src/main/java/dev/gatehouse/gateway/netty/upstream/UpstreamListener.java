package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.BoundedReceive;
import dev.gatehouse.gateway.upstream.Demand;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;

/** Receives the events of an app's connection for one request. Called on the event loop. */
public interface UpstreamListener {

  /** Called when connected; the request may be written. */
  void ready(UpstreamConnection connection);

  /**
   * Called when there is no response.
   *
   * @param stale whether the connection was reused and nothing came back: the app had closed it meanwhile
   */
  void failed(UpstreamFailure failure, boolean stale);

  /** Takes an interim or the final head. */
  void head(ResponseHead head);

  /**
   * Called when the app switches protocols as requested (101). The listener takes over the channel ({@link
   * UpstreamConnection#detach}) or abandons the connection.
   */
  default void upgraded(ResponseHead head) {
    throw new IllegalStateException("no upgrade was requested");
  }

  /** Takes a part of the body, which the listener must release. */
  void data(ByteBuf data);

  /** Takes the trailer fields, before {@link #end}. */
  default void trailers(Fields trailers) {}

  /** Bytes that are welcome at a time. */
  default int readSize() {
    return BoundedReceive.USUAL;
  }

  /** Returns whether the client has so many active requests that those of other clients come first. */
  default Demand demand() {
    return Demand.FEW;
  }

  /**
   * Called when the connection was closed because its memory or permit is needed elsewhere; the response is truncated.
   */
  default void evicted() {
    truncated();
  }

  /** Called when everything that has arrived was passed on: time to flush. */
  void pause();

  /** Called when the response is complete; the connection returns to its pool or was closed. */
  void end();

  /** Called when the connection closed, stalled or became malformed within the body. */
  void truncated();

  /** Called when the app takes more of the request's body. */
  void writable();
}

package dev.gatehouse.gateway.stream;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.cache.CachedBody;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.BoundedReceive;
import dev.gatehouse.gateway.netty.websocket.TunnelEnd;
import io.netty.buffer.Unpooled;

/**
 * The client's side of one exchange, independent of the HTTP version. Called on its event loop. After {@link #end},
 * {@link #reply} or {@link #abort} the exchange must not send anything more.
 */
public interface ClientStream extends ResponseSink {

  /** Starts to deliver the request's body as it arrives; sends 100 (Continue) if the client waits for it. */
  void receiveBody();

  /** Pauses or resumes the body. */
  void pauseBody(boolean stop);

  /** Returns whether the connection can become a tunnel; an HTTP/2 stream cannot. */
  default boolean canTunnel() {
    return false;
  }

  /** Sends the app's 101 and hands the connection over to the client end of the tunnel; the exchange is over. */
  default void switchProtocols(ResponseHead response, ResponseEdits edits, TunnelEnd end) {
    throw new IllegalStateException("not here");
  }

  /** Returns whether nothing may be read ahead for the client, because too much waits for it already or memory is tight. */
  boolean isCrowded();

  /** Bytes that may be read from the app for this client at a time. */
  default int readSize() {
    return isCrowded() ? BoundedReceive.SMALL : BoundedReceive.USUAL;
  }

  /** Counts the active requests of the client's connection. */
  RequestCount requestCount();

  /**
   * Refuses the request with only an error code, if the HTTP version has one that says that the request may be
   * repeated.
   *
   * @return true if the request was refused this way and the exchange is over
   */
  default boolean refuse() {
    return false;
  }

  /** The request's entry in the access log. */
  AccessEntry entry();

  /** The data that follow belong to that body. */
  void shares(CachedBody body);

  /** Sends a complete stored response. */
  default void stored(AgedResponse response, ResponseEdits edits) {
    shares(response.shared());
    head(response.head(), edits);
    data(Unpooled.wrappedBuffer(response.body()));
    end();
  }

  /** Sends a complete response of the gateway itself. */
  void reply(EdgeReply reply);
}

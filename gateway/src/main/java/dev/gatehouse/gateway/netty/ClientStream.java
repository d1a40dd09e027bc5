package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import io.netty.buffer.Unpooled;

/**
 * The client's side of one exchange, whatever version of HTTP it speaks. Called on its loop. After {@link #end}, {@link
 * #reply} or {@link #abort} the exchange has nothing more to say.
 */
interface ClientStream extends ResponseSink {

  /** From now on the request's body is delivered as it comes; 100 (Continue) is sent where the client waits for it. */
  void receiveBody();

  /** Stops or goes on receiving it. */
  void pauseBody(boolean stop);

  /** Whether the connection can become a tunnel; a stream among others cannot. */
  default boolean canTunnel() {
    return false;
  }

  /** Sends the app's 101 and leaves the connection to the tunnel's client end; the exchange is over. */
  default void switchProtocols(ResponseHead response, ResponseEdits edits, TunnelEnd end) {
    throw new IllegalStateException("not here");
  }

  /** Whether so much waits for the client, or memory is so tight, that nothing may be read ahead for it. */
  boolean isCrowded();

  /** Bytes that may be read from the app for it at a time. */
  default int readSize() {
    return isCrowded() ? BoundedReceive.SMALL : BoundedReceive.USUAL;
  }

  /** Requests of the client's connection that are under way. */
  RequestCount requestCount();

  /**
   * Refuses the request with nothing but an error code, where the version of HTTP has one that says it may be repeated; true
   * where that was done and the exchange is over.
   */
  default boolean refuse() {
    return false;
  }

  /** What the access log will say of the request. */
  AccessEntry entry();

  /** Sends a whole response that was kept. */
  default void stored(AgedResponse response, ResponseEdits edits) {
    head(response.head(), edits);
    data(Unpooled.wrappedBuffer(response.body()));
    end();
  }

  /** Sends a whole response of our own. */
  void reply(EdgeReply reply);
}

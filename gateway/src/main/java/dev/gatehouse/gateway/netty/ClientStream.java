package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;

/**
 * The client's side of one exchange, whatever version of HTTP it speaks. Called on its loop. After {@link #end}, {@link
 * #reply} or {@link #abort} the exchange has nothing more to say.
 */
interface ClientStream extends ResponseSink {

  /** From now on the request's body is delivered as it comes; 100 (Continue) is sent where the client waits for it. */
  void receiveBody();

  /** Stops or goes on receiving it. */
  void pauseBody(boolean stop);

  /** Sends a whole response of our own. */
  void reply(EdgeReply reply);
}

package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.message.ResponseHead;
import io.netty.buffer.ByteBuf;

/**
 * The client's side of one exchange, whatever version of HTTP it speaks. Called on its loop. After {@link #end}, {@link
 * #reply} or {@link #abort} the exchange has nothing more to say.
 */
interface ClientStream {

  /** From now on the request's body is delivered as it comes; 100 (Continue) is sent where the client waits for it. */
  void receiveBody();

  /** Stops or goes on receiving it. */
  void pauseBody(boolean stop);

  /** Sends an interim head of an app's, 103 (Early Hints) for example. */
  void interim(ResponseHead head);

  /** Sends a final head of an app's. @param identified the answer is for a known person */
  void head(ResponseHead head, boolean identified);

  /** Sends and releases a part of the body. */
  void data(ByteBuf data);

  void flush();

  /** Ends the app's response. */
  void end();

  /** Sends a whole response of our own. */
  void reply(EdgeReply reply);

  /** The response cannot be completed: the client must see that it is truncated. */
  void abort();

  boolean isWritable();
}

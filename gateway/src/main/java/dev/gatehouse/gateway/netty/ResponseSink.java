package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;

/**
 * Takes an app's response: the client itself, or something on the way to it that looks at the response or changes it. Called
 * on one loop, in the order of the methods. After {@link #end} or {@link #abort} nothing more comes.
 */
interface ResponseSink {

  /** An interim head, 103 (Early Hints) for example. */
  void interim(ResponseHead head);

  /** The final head. */
  void head(ResponseHead head, ResponseEdits edits);

  /** A part of the body, to be released by the sink. */
  void data(ByteBuf data);

  /** The fields behind the body, before its {@link #end}; dropped where the sink has no use for them. */
  default void trailers(Fields trailers) {}

  /** What was given so far is to be sent. */
  void flush();

  /** The response is complete. */
  void end();

  /** The response cannot be completed: the client must see that it is truncated. */
  void abort();

  /** Whether it takes more at the moment. */
  boolean isWritable();

  /** The app failed before its final head: true where the sink answers in its place. */
  default boolean replaces(UpstreamFailure failure) {
    return false;
  }
}

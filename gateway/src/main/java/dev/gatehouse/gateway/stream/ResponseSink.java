package dev.gatehouse.gateway.stream;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;

/**
 * Takes an app's response: the client itself, or a handler that inspects or changes the response on the way. Called on
 * one event loop, in the order of the methods. Nothing follows {@link #end} or {@link #abort}.
 */
public interface ResponseSink {

  /** Takes an interim head, for example 103 (Early Hints). */
  void interim(ResponseHead head);

  /** Takes the final head. */
  void head(ResponseHead head, ResponseEdits edits);

  /** Takes a part of the body, which the sink must release. */
  void data(ByteBuf data);

  /** Takes the trailer fields, before {@link #end}; ignored by default. */
  default void trailers(Fields trailers) {}

  /** Asks to send everything taken so far. */
  void flush();

  /** Called when the response is complete. */
  void end();

  /** Called when the response cannot be completed: the client must see that it is truncated. */
  void abort();

  /** Returns whether the sink takes more at the moment. */
  boolean isWritable();

  /** Returns whether the sink answers in place of an app that failed before its final head. */
  default boolean replaces(UpstreamFailure failure) {
    return false;
  }
}

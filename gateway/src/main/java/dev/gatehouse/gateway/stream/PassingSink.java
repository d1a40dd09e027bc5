package dev.gatehouse.gateway.stream;

import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;

/** Passes a response on unchanged; subclasses override the methods whose part they inspect or change. */
public class PassingSink implements ResponseSink {

  private final ResponseSink next;

  public PassingSink(ResponseSink next) {
    this.next = next;
  }

  @Override
  public void interim(ResponseHead head) {
    next.interim(head);
  }

  @Override
  public void head(ResponseHead head, ResponseEdits edits) {
    next.head(head, edits);
  }

  @Override
  public void data(ByteBuf data) {
    next.data(data);
  }

  @Override
  public void trailers(Fields trailers) {
    next.trailers(trailers);
  }

  @Override
  public void flush() {
    next.flush();
  }

  @Override
  public void end() {
    next.end();
  }

  @Override
  public void abort() {
    next.abort();
  }

  @Override
  public boolean isWritable() {
    return next.isWritable();
  }

  @Override
  public boolean replaces(UpstreamFailure failure) {
    return next.replaces(failure);
  }
}

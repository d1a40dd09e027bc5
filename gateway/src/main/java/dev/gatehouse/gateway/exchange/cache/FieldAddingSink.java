package dev.gatehouse.gateway.exchange.cache;

import dev.gatehouse.gateway.filter.HeaderEdits.Edit;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.stream.PassingSink;
import dev.gatehouse.gateway.stream.ResponseSink;

/** Adds one header field to a response. */
final class FieldAddingSink extends PassingSink {

  private final Edit added;

  FieldAddingSink(ResponseSink next, Edit added) {
    super(next);
    this.added = added;
  }

  @Override
  public void head(ResponseHead head, ResponseEdits edits) {
    super.head(head, edits.and(added));
  }
}

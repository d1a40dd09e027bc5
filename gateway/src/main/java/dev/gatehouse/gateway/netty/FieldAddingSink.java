package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.filter.HeaderEdits.Edit;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;

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

package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments.Place;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.codec.UtcMillis;
import java.time.Instant;

/** An event that a search found. */
record Found(long seq, long millis, Place place) {

  /** Returns what the index knows, for a line that cannot be read any more. */
  byte[] toJson() {
    return new JsonText().text("time", UtcMillis.full(Instant.ofEpochMilli(millis))).number("seq", seq).toBytes();
  }

  AuditQuery.Cursor cursor() {
    return new AuditQuery.Cursor(millis, seq);
  }
}

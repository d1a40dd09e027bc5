package dev.gatehouse.gateway.admin.audit;

import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.Coverage;
import dev.gatehouse.common.audit.search.EventSearch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Finds a page of events, and fails when it is asked for the next one, as a damaged file of the log would make it. */
public final class BrokenSearch implements EventSearch {

  private static final byte[] EVENT =
      "{\"time\":\"2026-01-01T12:00:00.000Z\",\"event\":\"LoginRefused\",\"realm\":\"demo\",\"seq\":7}".getBytes(StandardCharsets.US_ASCII);

  private final int found;

  /** @param found the number of events on the first page; what a thousand take is more than is kept until it is sent */
  public BrokenSearch(int found) {
    this.found = found;
  }

  @Override
  public AuditPage search(AuditQuery query) throws IOException {
    return search(query, Duration.ZERO);
  }

  @Override
  public AuditPage search(AuditQuery query, Duration atMost) throws IOException {
    if (query.after().isPresent()) {
      throw new IOException("a flipped byte");
    }
    AuditQuery.Cursor next = AuditQuery.Cursor.endOf(query.to().toEpochMilli() - 2);
    return new AuditPage(Collections.nCopies(found, EVENT), Optional.of(next), Optional.empty());
  }

  @Override
  public Coverage coverage(Instant to) {
    return new Coverage(true, List.of());
  }

  @Override
  public void close() {}
}

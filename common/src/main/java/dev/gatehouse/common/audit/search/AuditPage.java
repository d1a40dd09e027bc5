package dev.gatehouse.common.audit.search;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A page of events.
 *
 * @param events the newest first, each as its line of JSON without the line feed
 * @param next where the next page begins; empty on the last one
 * @param lookedBackTo the time up to which the search looked because it took long; there may be older events on the next page
 */
public record AuditPage(List<byte[]> events, Optional<AuditQuery.Cursor> next, Optional<Instant> lookedBackTo) {}

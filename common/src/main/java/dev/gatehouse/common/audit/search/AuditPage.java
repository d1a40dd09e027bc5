package dev.gatehouse.common.audit.search;

import java.util.List;
import java.util.Optional;

/**
 * A page of events.
 *
 * @param events the newest first, each as its line of JSON without the line feed
 * @param next where the next page begins; empty on the last one
 */
public record AuditPage(List<byte[]> events, Optional<AuditQuery.Cursor> next) {}

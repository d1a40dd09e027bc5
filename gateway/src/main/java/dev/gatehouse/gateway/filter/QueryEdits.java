package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.HeadBuffer;
import java.util.List;

/**
 * Parameters that the app gets in the query, after the client's own. Client parameters that an app could take for an
 * injected one are removed. A semicolon counts as a separator as well, because some parsers treat it as one.
 */
final class QueryEdits {

  private final LookalikeNames names;
  private final String added;

  /** @param edits with encoded values */
  QueryEdits(LookalikeNames names, List<HeaderEdits.Edit> edits) {
    this.names = names;
    StringBuilder text = new StringBuilder();
    edits.forEach(edit -> text.append(text.isEmpty() ? "" : "&").append(edit.name()).append('=').append(edit.value()));
    this.added = text.toString();
  }

  /**
   * Writes the query with its question mark; {@code start} is the index of the received question mark, or the end of
   * the target.
   */
  void write(byte[] bytes, int start, int end, HeadBuffer out) {
    LookalikeNames.Search alike = names.search();
    char next = '?';
    char separator = '&';
    int at = start + 1;
    while (at <= end && start < end) {
      int stop = at;
      while (stop < end && bytes[stop] != '&' && bytes[stop] != ';') {
        stop++;
      }
      int equals = at;
      while (equals < stop && bytes[equals] != '=') {
        equals++;
      }
      if (stop > at && !alike.contains(bytes, at, equals)) {
        out.put(next == '?' ? '?' : separator).put(bytes, at, stop);
        next = '&';
      }
      separator = stop < end ? (char) bytes[stop] : '&';
      at = stop + 1;
    }
    if (!added.isEmpty()) {
      out.put(next).put(added);
    }
  }
}

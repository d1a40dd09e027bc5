package dev.gatehouse.common.audit.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** The sequence numbers of events that a search finds. */
final class FoundEvents {

  private static final Pattern SEQ = Pattern.compile("\"seq\":(\\d+)");

  private FoundEvents() {}

  /** Those of a page, in its order. */
  static List<Long> seqs(AuditPage page) {
    return page.events().stream()
        .map(line -> SEQ.matcher(new String(line, StandardCharsets.US_ASCII)).results().findFirst().orElseThrow().group(1))
        .map(Long::parseLong)
        .toList();
  }

  /** Those of all pages, one after the other; each cursor is read back from its text. */
  static List<Long> all(EventSearch search, AuditQuery query) throws IOException {
    List<Long> all = new ArrayList<>();
    AuditQuery next = query;
    for (AuditPage page = search.search(next); ; page = search.search(next)) {
      all.addAll(seqs(page));
      if (page.next().isEmpty()) {
        return all;
      }
      next = next.after(AuditQuery.Cursor.parse(page.next().get().toString()).orElseThrow());
    }
  }

  /** The numbers from one to another, which is not larger. */
  static List<Long> down(long from, long to) {
    return LongStream.rangeClosed(to, from).mapToObj(i -> from + to - i).toList();
  }
}

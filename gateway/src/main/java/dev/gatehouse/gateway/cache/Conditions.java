package dev.gatehouse.gateway.cache;

import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Judges a request's conditions by what is kept (RFC 9110, section 13). */
final class Conditions {

  private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[^\"]*\")");

  private Conditions() {}

  /** Whether the client has what is kept: 304. If-None-Match hides If-Modified-Since. */
  static boolean isUnchanged(StoredResponse kept, CacheRequest request) {
    List<String> tags = request.ifNoneMatch();
    if (!tags.isEmpty()) {
      return tags.stream().anyMatch(tag -> tag.equals("*"))
          || kept.etag().filter(tag -> matches(tag, String.join(",", tags))).isPresent();
    }
    OptionalLong since = HttpDate.parse(request.ifModifiedSince());
    OptionalLong modified = kept.lastModified();
    return since.isPresent() && modified.isPresent() && modified.getAsLong() <= since.getAsLong();
  }

  /** Weakly (RFC 9110, section 8.8.3.2). */
  private static boolean matches(String etag, String list) {
    String opaque = opaque(etag);
    Matcher tag = TAG.matcher(list);
    while (tag.find()) {
      if (opaque.equals(tag.group(1))) {
        return true;
      }
    }
    return false;
  }

  private static String opaque(String etag) {
    return etag.startsWith("W/") ? etag.substring(2) : etag;
  }

  /** Whether If-Range allows a part; strongly, or by the very date (RFC 9110, section 13.1.5). */
  static boolean mayBePart(StoredResponse kept, CacheRequest request) {
    String condition = request.ifRange();
    if (request.range().isEmpty()) {
      return false;
    }
    if (condition.isEmpty()) {
      return true;
    }
    if (condition.startsWith("\"")) {
      return kept.etag().filter(condition::equals).isPresent();
    }
    OptionalLong asked = HttpDate.parse(condition);
    OptionalLong modified = kept.lastModified();
    // A date is strong only where the app cannot have changed the page twice in that second (RFC 9110, section 8.8.2.2).
    OptionalLong made = kept.date();
    boolean strong = modified.isPresent() && made.isPresent() && made.getAsLong() - modified.getAsLong() >= 1;
    return asked.isPresent() && strong && asked.equals(modified);
  }
}

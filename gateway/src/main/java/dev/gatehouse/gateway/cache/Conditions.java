package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.HttpDate;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Evaluates a request's conditions against a stored response (RFC 9110, section 13). */
final class Conditions {

  private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[^\"]*\")");

  /** Entity tags that are compared; a client that names more gets the response. */
  private static final int MAX_TAGS = 64;

  private Conditions() {}

  /**
   * Returns whether the client already has the stored response, so that 304 is sent. If-None-Match takes precedence over
   * If-Modified-Since.
   */
  static boolean isUnchanged(StoredResponse stored, CacheRequest request) {
    List<String> tags = request.ifNoneMatch();
    if (!tags.isEmpty()) {
      return tags.stream().anyMatch(tag -> tag.equals("*"))
          || stored.etag().filter(tag -> matches(tag, String.join(",", tags))).isPresent();
    }
    OptionalLong since = HttpDate.parse(request.ifModifiedSince());
    OptionalLong modified = stored.lastModified();
    return since.isPresent() && modified.isPresent() && modified.getAsLong() <= since.getAsLong();
  }

  /** Compares weakly (RFC 9110, section 8.8.3.2). */
  private static boolean matches(String etag, String list) {
    String opaque = opaque(etag);
    Matcher tag = TAG.matcher(list);
    for (int i = 0; i < MAX_TAGS && tag.find(); i++) {
      if (opaque.equals(tag.group(1))) {
        return true;
      }
    }
    return false;
  }

  private static String opaque(String etag) {
    return etag.startsWith("W/") ? etag.substring(2) : etag;
  }

  /** Returns whether If-Range permits a part: compares strongly, or by the exact date (RFC 9110, section 13.1.5). */
  static boolean mayBePart(StoredResponse stored, CacheRequest request) {
    String condition = request.ifRange();
    if (request.range().isEmpty()) {
      return false;
    }
    if (condition.isEmpty()) {
      return true;
    }
    if (condition.startsWith("\"")) {
      return stored.etag().filter(condition::equals).isPresent();
    }
    OptionalLong asked = HttpDate.parse(condition);
    OptionalLong modified = stored.lastModified();
    // A date is a strong validator only if the app cannot have changed the page twice in that second (RFC 9110, section
    // 8.8.2.2).
    OptionalLong made = stored.date();
    boolean strong = modified.isPresent() && made.isPresent() && made.getAsLong() - modified.getAsLong() >= 1;
    return asked.isPresent() && strong && asked.equals(modified);
  }
}

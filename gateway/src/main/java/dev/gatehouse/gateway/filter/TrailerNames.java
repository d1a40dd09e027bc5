package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The fields that are allowed as trailers (RFC 9110, section 6.5.1): none for framing, routing, authentication,
 * cookies, caching, conditions or the interpretation of the body, because a recipient that merges trailers into the
 * head would apply them too late.
 */
final class TrailerNames {

  private static final Set<String> REFUSED =
      Set.of(
          "accept-ranges", "age", "allow", "authentication-info", "clear-site-data", "date", "expires", "from",
          "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-modified", "link",
          "location", "max-forwards", "method", "origin", "path", "pragma", "priority", "range", "referer", "refresh",
          "retry-after", "server", "status", "strict-transport-security", "user-agent", "vary", "via", "warning",
          "www-authenticate");

  private static final List<String> PREFIXES =
      List.of(
          "accept-", "access-control-", "content-encoding", "content-language", "content-length", "content-location",
          "content-range", "content-security-policy", "content-type", "content-disposition", "cross-origin-", "proxy-",
          "sec-", "x-content-type-", "x-forwarded-", "x-frame-", "x-http-method", "x-method-override");

  private TrailerNames() {}

  static boolean allows(Fields fields, int field) {
    if (fields.name(field) != FieldName.OTHER) {
      return false;
    }
    byte[] folded = Arrays.copyOfRange(fields.bytes(), fields.nameStart(field), fields.nameEnd(field));
    for (int i = 0; i < folded.length; i++) {
      folded[i] = Ascii.folded(folded[i]);
    }
    String name = Ascii.string(folded, 0, folded.length).toLowerCase(Locale.ROOT);
    return !name.startsWith("-") && !REFUSED.contains(name) && PREFIXES.stream().noneMatch(name::startsWith);
  }
}

package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The request fields that an app gets where its answer may be served to others. A list of what passes is shorter and safer
 * than one of what is dangerous: all that it does not name is absent from every request, so that no answer can depend on it.
 */
final class PassedFields {

  /** What clients usually send, and what answers are not expected to depend on unless Vary says so (RFC 9110, 12.5.5). */
  private static final Set<String> USUAL =
      Set.of(
          "accept", "accept-charset", "accept-language", "user-agent", "dnt", "priority", "purpose", "save-data",
          "upgrade-insecure-requests", "device-memory", "dpr", "viewport-width", "width", "downlink", "ect", "rtt",
          "early-data");

  /** Client hints and fetch metadata; no script can set them. */
  private static final String USUAL_PREFIX = "sec-";

  /** About the one exchange: what stands there is no reason for another answer, as long as it is what it should be. */
  private static final Set<String> OURS = Set.of("traceparent", "x-request-id");

  private static final Pattern OUR_VALUE = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");

  /** What apps often answer to without a Vary. */
  private static final Set<String> TELLING = Set.of("origin", "x-requested-with", "prefer");

  /** Which form or part of the answer the client wants: the cache itself sees to that. */
  private static final Set<String> CONDITIONS =
      Set.of(
          "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
          "accept-encoding", "pragma");

  private final Set<String> keyed;
  private final Set<String> telling;

  PassedFields(CacheConfig.Request config) {
    this.keyed = config.keyHeaders();
    this.telling = new HashSet<>(TELLING);
    telling.addAll(config.passFields());
    telling.removeAll(keyed);
  }

  /** Whether the app gets fields of that name. @param name in lower case */
  boolean contains(String name) {
    return USUAL.contains(name)
        || name.startsWith(USUAL_PREFIX)
        || OURS.contains(name)
        || keyed.contains(name)
        || telling.contains(name);
  }

  /** Whether a request has a field that its answer may depend on, and that is none of those. */
  boolean tellsMoreThan(List<String> names, Fields fields) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) == FieldName.OTHER) {
        String name = lower(fields, i);
        if (telling.contains(name) && !names.contains(name)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a request that fills the cache has that field of the client's. */
  boolean fills(Fields fields, int field) {
    return switch (fields.name(field)) {
      case OTHER -> isPassed(fields, field);
      case HOST, AUTHORIZATION, DPOP, COOKIE, TE -> true;
      default -> false;
    };
  }

  /** Whether a request has that field of the client's that passes the cache by. */
  boolean passesBy(Fields fields, int field) {
    return switch (fields.name(field)) {
      case OTHER -> isPassed(fields, field) || CONDITIONS.contains(lower(fields, field));
      case CONNECTION, CDN_CACHE_CONTROL, SURROGATE_CONTROL, SET_COOKIE -> false;
      default -> true;
    };
  }

  private boolean isPassed(Fields fields, int field) {
    String name = lower(fields, field);
    return contains(name) && (!OURS.contains(name) || OUR_VALUE.matcher(fields.value(field)).matches());
  }

  private static String lower(Fields fields, int field) {
    return fields.nameText(field).toLowerCase(Locale.ROOT);
  }
}

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
 * The request fields that an app gets if its response may be served to other clients. A list of passed fields is
 * shorter and safer than a list of dangerous ones: every other field is removed from the request, so that the response
 * cannot depend on it.
 */
final class PassedFields {

  /**
   * Fields that clients usually send, and that responses depend on only if Vary names them (RFC 9110, section 12.5.5).
   */
  private static final Set<String> USUAL =
      Set.of(
          "accept", "accept-charset", "accept-language", "user-agent", "dnt", "priority", "purpose", "save-data",
          "upgrade-insecure-requests", "device-memory", "dpr", "viewport-width", "width", "downlink", "ect", "rtt",
          "early-data");

  /** Client hints and fetch metadata; scripts cannot set them. */
  private static final String USUAL_PREFIX = "sec-";

  /** Identifiers of one exchange; a well-formed value does not influence the response. */
  private static final Set<String> IDENTIFIERS = Set.of("traceparent", "x-request-id");

  private static final Pattern IDENTIFIER_VALUE = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");

  /** Fields that apps often depend on without sending Vary. */
  private static final Set<String> INFLUENTIAL = Set.of("origin", "x-requested-with", "prefer");

  /** Conditions, ranges and codings, which the cache handles itself. */
  private static final Set<String> CONDITIONS =
      Set.of(
          "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
          "accept-encoding", "pragma");

  private final Set<String> keyed;
  private final Set<String> influential;

  PassedFields(CacheConfig.Request config) {
    this.keyed = config.keyHeaders();
    this.influential = new HashSet<>(INFLUENTIAL);
    influential.addAll(config.passFields());
    influential.removeAll(keyed);
  }

  /**
   * Returns whether the app gets fields of that name.
   *
   * @param name in lower case
   */
  boolean contains(String name) {
    return USUAL.contains(name)
        || name.startsWith(USUAL_PREFIX)
        || IDENTIFIERS.contains(name)
        || keyed.contains(name)
        || influential.contains(name);
  }

  /** Returns whether a request has a field that its response may depend on, and that is not in {@code names}. */
  boolean tellsMoreThan(List<String> names, Fields fields) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) == FieldName.OTHER) {
        String name = lower(fields, i);
        if (influential.contains(name) && !names.contains(name)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a request that fills the cache contains that client field. */
  boolean fills(Fields fields, int field) {
    return switch (fields.name(field)) {
      case OTHER -> isPassed(fields, field);
      case HOST, AUTHORIZATION, DPOP, COOKIE, TE -> true;
      default -> false;
    };
  }

  /** Returns whether a request that bypasses the cache contains that client field. */
  boolean passesBy(Fields fields, int field) {
    return switch (fields.name(field)) {
      case OTHER -> isPassed(fields, field) || CONDITIONS.contains(lower(fields, field));
      case CONNECTION, CDN_CACHE_CONTROL, SURROGATE_CONTROL, SET_COOKIE -> false;
      default -> true;
    };
  }

  private boolean isPassed(Fields fields, int field) {
    String name = lower(fields, field);
    return contains(name) && (!IDENTIFIERS.contains(name) || IDENTIFIER_VALUE.matcher(fields.value(field)).matches());
  }

  private static String lower(Fields fields, int field) {
    return fields.nameText(field).toLowerCase(Locale.ROOT);
  }
}

package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * The request fields by which one variant of a response was selected (RFC 9111, section 4.1), with their values.
 *
 * @param names in lower case, sorted
 * @param values all fields of the name joined; an empty text if there was none
 */
record Vary(List<String> names, List<String> values) {

  static final Vary NOTHING = new Vary(List.of(), List.of());

  /** The gateway sets these fields itself, or they are the same for all requests with one key. */
  private static final List<String> SET_BY_GATEWAY =
      List.of("accept-encoding", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "host");

  /**
   * The names in a response's Vary and in the route's configuration, without those that do not matter here: the cache
   * requests no content coding, and the forwarded scheme and host are part of the key.
   */
  static List<String> names(Fields response, CacheScope scope) {
    TreeSet<String> names = new TreeSet<>(scope.config().request().keyHeaders());
    for (String value : HeadFields.all(response, "vary")) {
      for (String name : value.split(",", -1)) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        if (!lower.isEmpty() && !SET_BY_GATEWAY.contains(lower)) {
          names.add(lower);
        }
      }
    }
    return List.copyOf(names);
  }

  /**
   * The variant selected for a request, by those fields that reach the app. All others are removed from every request
   * that the cache sends to the app.
   */
  static Vary of(List<String> names, CacheScope scope, Fields request) {
    List<String> passed = new ArrayList<>(names.size());
    for (String name : names) {
      if (scope.passes().contains(name)) {
        passed.add(name);
      } else if (!HeadFields.all(request, name).isEmpty()) {
        scope.reportUnpassed(name);
      }
    }
    return passed.isEmpty() ? NOTHING : new Vary(List.copyOf(passed), values(passed, request));
  }

  boolean matches(Fields request) {
    return names.isEmpty() || values.equals(values(names, request));
  }

  private static List<String> values(List<String> names, Fields request) {
    List<String> values = new ArrayList<>(names.size());
    for (String name : names) {
      values.add(String.join(", ", HeadFields.all(request, name)));
    }
    return values;
  }
}

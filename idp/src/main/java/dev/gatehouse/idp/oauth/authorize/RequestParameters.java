package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.Parameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of an authorization request, from any source. A parameter without a value counts as missing; none may
 * be repeated (RFC 6749, section 3.1) except {@code resource} (RFC 8707, section 2).
 *
 * @param values the first value of each name
 * @param twice names of repeated parameters
 */
record RequestParameters(Map<String, String> values, List<String> resources, Set<String> twice) {

  private static final String RESOURCE = "resource";

  private static final Set<String> NOT_KEPT =
      Set.of("client_secret", "client_assertion", "client_assertion_type", "request");

  /** Enough for any state and claims; request objects have their own limit. */
  private static final int LONGEST = 16_384;

  RequestParameters {
    values = Map.copyOf(values);
    resources = List.copyOf(resources);
    twice = Set.copyOf(twice);
  }

  static RequestParameters of(Parameters sent) {
    Map<String, String> values = new LinkedHashMap<>();
    List<String> resources = new ArrayList<>();
    Set<String> twice = new HashSet<>();
    for (Parameters.Parameter parameter : sent.all()) {
      if (parameter.value().isEmpty()) {
        continue;
      }
      if (parameter.name().equals(RESOURCE)) {
        resources.add(parameter.value());
      } else if (values.putIfAbsent(parameter.name(), parameter.value()) != null) {
        twice.add(parameter.name());
      }
    }
    return new RequestParameters(values, resources, twice);
  }

  /** Returns the value; empty also if the parameter is repeated, because it is ambiguous. */
  Optional<String> one(String name) {
    return twice.contains(name) ? Optional.empty() : Optional.ofNullable(values.get(name));
  }

  RequestParameters with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value);
    return new RequestParameters(more, resources, twice);
  }

  /** Removes the client's credentials and the request object, which was already read: they are not stored. */
  RequestParameters withoutCredentials() {
    Map<String, String> less = new LinkedHashMap<>(values);
    less.keySet().removeAll(NOT_KEPT);
    return new RequestParameters(less, resources, twice);
  }

  boolean isTooLong() {
    return length() > LONGEST;
  }

  /** The length in characters, without a request object. */
  int length() {
    int length = resources.stream().mapToInt(String::length).sum();
    for (Map.Entry<String, String> value : values.entrySet()) {
      length += value.getKey().equals("request") ? 0 : value.getValue().length();
    }
    return length;
  }

  /** Contains no values, because they may be secret. */
  @Override
  public String toString() {
    return values.keySet().toString();
  }
}

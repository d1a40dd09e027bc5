package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.Parameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The parameters of an authorization request, from any source. A parameter without a value counts as missing; none may
 * be repeated (RFC 6749, section 3.1) except {@code resource} (RFC 8707, section 2). Those that we do not know are ignored.
 *
 * @param values the first value of each known name
 * @param twice names of repeated parameters
 */
record RequestParameters(Map<String, String> values, List<String> resources, Set<String> twice) {

  private static final String RESOURCE = "resource";

  /**
   * What {@link #one} may be asked for. All others are left out, because a pushed request is stored: they may be the
   * client's credentials, a request object that was already read, or anything that a stranger likes to store here.
   */
  private static final Set<String> KNOWN =
      Set.of(
          "acr_values", "claims", "client_id", "code_challenge", "code_challenge_method", "dpop_jkt", "id_token_hint",
          "login_hint", "max_age", "nonce", "prompt", "redirect_uri", "registration", "request_uri", "response_mode",
          "response_type", "scope", "state", "ui_locales");

  /** In characters; enough for any state and claims. Request objects have their own limit. */
  private static final int LONGEST = 16_384;

  RequestParameters {
    values = Map.copyOf(values);
    resources = List.copyOf(resources);
    twice = Set.copyOf(twice);
  }

  static RequestParameters of(Parameters sent) {
    Map<String, String> values = new LinkedHashMap<>();
    List<String> resources = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> twice = new HashSet<>();
    for (Parameters.Parameter parameter : sent.all()) {
      String name = parameter.name();
      if (parameter.value().isEmpty()) {
        continue;
      }
      if (name.equals(RESOURCE)) {
        resources.add(parameter.value());
      } else if (!names.add(name)) {
        twice.add(name);
      } else if (KNOWN.contains(name)) {
        values.put(name, parameter.value());
      }
    }
    return new RequestParameters(values, resources, twice);
  }

  /** Returns the value; empty also if the parameter is repeated, because it is ambiguous. */
  Optional<String> one(String name) {
    if (!KNOWN.contains(name)) {
      throw new IllegalArgumentException(name + " is left out when parameters are read");
    }
    return twice.contains(name) ? Optional.empty() : Optional.ofNullable(values.get(name));
  }

  RequestParameters with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value);
    return new RequestParameters(more, resources, twice);
  }

  boolean isTooLong() {
    return Stream.concat(values.values().stream(), resources.stream()).mapToInt(String::length).sum() > LONGEST;
  }

  /** Contains no values, because they may be secret. */
  @Override
  public String toString() {
    return values.keySet().toString();
  }
}

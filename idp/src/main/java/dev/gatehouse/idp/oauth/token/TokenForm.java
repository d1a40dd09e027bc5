package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a request to the token endpoint and its like: none twice, and one without a value is as if it were not there
 * (RFC 6749, section 3.2). What stands in the query counts for nothing.
 */
record TokenForm(Parameters parameters) {

  /** May come several times (RFC 8707, section 2). */
  private static final String RESOURCE = "resource";

  static Outcome<TokenForm> read(RealmRequest request) {
    if (!request.http().isForm()) {
      return Outcome.refused(Code.INVALID_REQUEST, "The body has to be application/x-www-form-urlencoded");
    }
    Parameters parameters = request.http().formParameters();
    Set<String> names = new HashSet<>();
    for (Parameters.Parameter parameter : parameters.all()) {
      if (!names.add(parameter.name()) && !parameter.name().equals(RESOURCE)) {
        return Outcome.refused(Code.INVALID_REQUEST, "The parameter " + parameter.name() + " stands more than once");
      }
    }
    return Outcome.passed(new TokenForm(parameters));
  }

  Optional<String> value(String name) {
    return parameters.one(name).filter(value -> !value.isEmpty());
  }

  Outcome<String> required(String name) {
    return value(name)
        .map(Outcome::passed)
        .orElseGet(() -> Outcome.refused(Code.INVALID_REQUEST, "The parameter " + name + " is missing"));
  }

  /** The scopes that are asked for (RFC 6749, section 3.3); empty where the parameter is not there. */
  Optional<Set<String>> scopes() {
    return value("scope").map(scope -> Set.copyOf(new HashSet<>(List.of(scope.strip().split(" +")))));
  }

  List<String> resources() {
    return parameters.all().stream()
        .filter(parameter -> parameter.name().equals(RESOURCE) && !parameter.value().isEmpty())
        .map(Parameters.Parameter::value)
        .distinct()
        .toList();
  }
}

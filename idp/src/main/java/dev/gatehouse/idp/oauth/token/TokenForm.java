package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.ProgramForm;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a request to the token endpoint and similar endpoints. None may be repeated, and one without a
 * value counts as missing (RFC 6749, section 3.2). Parameters in the query are ignored.
 */
record TokenForm(Parameters parameters) {

  /** May be repeated (RFC 8707, section 2). */
  private static final String RESOURCE = "resource";

  static Result<TokenForm, OAuthError> read(RealmRequest request) {
    return ProgramForm.read(request, Set.of(RESOURCE)).then(parameters -> Result.accepted(new TokenForm(parameters)));
  }

  Optional<String> value(String name) {
    return parameters.one(name).filter(value -> !value.isEmpty());
  }

  Result<String, OAuthError> required(String name) {
    return value(name)
        .<Result<String, OAuthError>>map(Result::accepted)
        .orElseGet(() -> OAuthError.refused(Code.INVALID_REQUEST, "The parameter " + name + " is missing"));
  }

  /** The requested scopes (RFC 6749, section 3.3); empty if the parameter is missing. */
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

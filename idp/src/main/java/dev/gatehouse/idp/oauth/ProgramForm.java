package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.util.HashSet;
import java.util.Set;

/**
 * The form that a program posts (RFC 6749, section 3.2): no parameter occurs more than once. Parameters in the query are ignored: addresses
 * stand in logs.
 */
public final class ProgramForm {

  private ProgramForm() {}

  /** @param repeatable names of parameters that may occur more than once */
  public static Result<Parameters, OAuthError> read(RealmRequest request, Set<String> repeatable) {
    if (!request.http().isForm()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "The body has to be application/x-www-form-urlencoded");
    }
    Parameters parameters = request.http().formParameters();
    Set<String> names = new HashSet<>();
    for (Parameters.Parameter parameter : parameters.all()) {
      if (!names.add(parameter.name()) && !repeatable.contains(parameter.name())) {
        return OAuthError.refused(Code.INVALID_REQUEST, "The parameter " + parameter.name() + " occurs more than once");
      }
    }
    return Result.accepted(parameters);
  }
}

package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;

/** Checks an authorization that a person gave some time ago once more, before it becomes valid. */
final class RevalidatedGrant {

  private RevalidatedGrant() {}

  /** Refused if the session is over, the person is gone, or the client may not have the grant any more. */
  static Result<GrantResult, OAuthError> of(Authorizations authorizations, TokenRequest request, Authorization agreed) {
    if (!authorizations.isInSession(agreed)) {
      return OAuthError.refused(Code.INVALID_GRANT, "The session that it began in has ended");
    }
    return authorizations
        .upToDate(request.request(), agreed)
        .map(current -> checked(request, current))
        .orElseGet(() -> OAuthError.refused(Code.INVALID_GRANT, "The person may not log in any more"));
  }

  private static Result<GrantResult, OAuthError> checked(TokenRequest request, Authorization current) {
    TokenForm form = request.form();
    return ScopeCheck.check(request.client(), current.grant().scopes(), form.scopes())
        .then(
            scopes ->
                ResourceCheck.check(request, current.grant().resources())
                    .then(resources -> Result.accepted(new GrantResult.Fresh(current, scopes, resources))));
  }
}

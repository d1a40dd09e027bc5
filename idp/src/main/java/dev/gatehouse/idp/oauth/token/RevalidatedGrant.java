package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;

/** Checks an authorization that a person gave some time ago once more, before it gets its tokens. */
final class RevalidatedGrant {

  private RevalidatedGrant() {}

  /**
   * For an authorization that is stored with its tokens only. Refused if the session is over, the person is gone, or the
   * client may not have the grant any more.
   */
  static Result<GrantResult, OAuthError> of(Authorizations authorizations, TokenRequest request, Authorization agreed) {
    return authorizations.isInSession(agreed)
        ? current(authorizations, request, agreed, false)
        : OAuthError.refused(Code.INVALID_GRANT, "The session that it began in has ended");
  }

  /**
   * For an authorization that has been stored since the person agreed. Refused if it has ended, the person is gone, or
   * the client may not have the grant any more.
   */
  static Result<GrantResult, OAuthError> ofBegun(Authorizations authorizations, TokenRequest request, SessionId id) {
    return authorizations
        .find(request.request(), id)
        .map(begun -> current(authorizations, request, begun, true))
        .orElseGet(() -> OAuthError.refused(Code.INVALID_GRANT, "The authorization has ended"));
  }

  private static Result<GrantResult, OAuthError> current(
      Authorizations authorizations, TokenRequest request, Authorization agreed, boolean begun) {
    return authorizations
        .upToDate(request.request(), agreed)
        .map(current -> checked(request, current, begun))
        .orElseGet(() -> OAuthError.refused(Code.INVALID_GRANT, "The person may not log in any more"));
  }

  private static Result<GrantResult, OAuthError> checked(TokenRequest request, Authorization current, boolean begun) {
    TokenForm form = request.form();
    return ScopeCheck.check(request.client(), current.grant().scopes(), form.scopes())
        .then(
            scopes ->
                ResourceCheck.check(request, current.grant().resources())
                    .then(resources -> Result.accepted(new GrantResult.Fresh(current, begun, scopes, resources))));
  }
}

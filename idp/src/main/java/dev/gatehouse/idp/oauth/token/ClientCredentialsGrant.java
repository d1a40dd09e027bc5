package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.StandardScopes;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Set;
import java.util.stream.Collectors;

/** The client credentials grant (RFC 6749, section 4.4): for clients that authenticate, and never for personal data. */
final class ClientCredentialsGrant implements Grant {

  @Override
  public String name() {
    return "client_credentials";
  }

  @Override
  public Set<GrantType> uses() {
    return Set.of(GrantType.CLIENT_CREDENTIALS);
  }

  @Override
  public Result<GrantResult, OAuthError> grant(TokenRequest request) {
    Client client = request.client();
    if (request.authenticated().method() == Method.NONE) {
      return OAuthError.refused(Code.UNAUTHORIZED_CLIENT, "A public client has no credentials");
    }
    Set<String> own =
        client.config().permissions().scopes().stream()
            .filter(scope -> !StandardScopes.ALL.contains(scope))
            .collect(Collectors.toSet());
    return ScopeCheck.check(client, own, request.form().scopes())
        .then(scopes -> ResourceCheck.ofClient(request).then(to -> Result.accepted(new GrantResult.ToClient(scopes, to))));
  }
}

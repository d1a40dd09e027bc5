package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.oauth.Authorization;
import java.util.List;
import java.util.Set;

/** What a grant came to: what tokens are to be issued for. Scopes and resources are those of the access token. */
sealed interface GrantResult {

  Set<String> scopes();

  List<String> resources();

  /** For the client itself. */
  record ToClient(Set<String> scopes, List<String> resources) implements GrantResult {}

  /** For a person who has just let the client in: the authorization becomes real with its tokens. */
  record Fresh(Authorization authorization, Set<String> scopes, List<String> resources) implements GrantResult {}

  /** For an authorization that goes on. */
  record Again(Authorization authorization, Set<String> scopes, List<String> resources, String refreshToken)
      implements GrantResult {}
}

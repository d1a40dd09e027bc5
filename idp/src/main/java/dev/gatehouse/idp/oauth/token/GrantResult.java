package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.oauth.Authorization;
import java.util.List;
import java.util.Set;

/** The result of a grant: the data for the tokens to issue. Scopes and resources are those of the access token. */
sealed interface GrantResult {

  Set<String> scopes();

  List<String> resources();

  /** Tokens for the client itself. */
  record ToClient(Set<String> scopes, List<String> resources) implements GrantResult {}

  /**
   * The first tokens for an authorization by a person. The authorization is stored together with them.
   *
   * @param begun whether it has been stored without tokens since the person agreed; it may have ended meanwhile
   */
  record Fresh(Authorization authorization, boolean begun, Set<String> scopes, List<String> resources)
      implements GrantResult {}

  /** Tokens for an existing authorization. */
  record Again(Authorization authorization, Set<String> scopes, List<String> resources, String refreshToken)
      implements GrantResult {}
}

package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks that the requested scopes are among those granted (RFC 6749, sections 3.3 and 6), and among those that the
 * client may currently have.
 */
final class ScopeCheck {

  private ScopeCheck() {}

  /** @param asked empty means all that were granted */
  static Result<Set<String>, OAuthError> check(Client client, Set<String> granted, Optional<Set<String>> asked) {
    if (asked.isPresent() && !granted.containsAll(asked.get())) {
      return OAuthError.refused(Code.INVALID_SCOPE, "A scope was asked for that was not granted");
    }
    Set<String> wanted = asked.orElse(granted);
    Set<String> scopes =
        wanted.stream().filter(client.config().permissions().scopes()::contains).collect(Collectors.toUnmodifiableSet());
    return scopes.isEmpty() && !wanted.isEmpty()
        ? OAuthError.refused(Code.INVALID_SCOPE, "The client may not have any of these scopes any more")
        : Result.accepted(scopes);
  }
}

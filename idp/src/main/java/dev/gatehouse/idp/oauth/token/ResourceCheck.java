package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Collection;
import java.util.List;

/**
 * Checks that the requested audiences are among those granted, and among those that the client may currently have (RFC
 * 8707, section 2.2).
 */
final class ResourceCheck {

  private ResourceCheck() {}

  /** @param asked empty means all that were granted */
  static Result<List<String>, OAuthError> check(Client client, Collection<String> granted, List<String> asked) {
    if (!granted.containsAll(asked)) {
      return OAuthError.refused(Code.INVALID_TARGET, "A resource was asked for that was not granted");
    }
    List<String> resources = asked.isEmpty() ? List.copyOf(granted) : asked;
    return client.config().permissions().resources().containsAll(resources)
        ? Result.accepted(resources)
        : OAuthError.refused(Code.INVALID_TARGET, "The client may not have tokens for that resource");
  }
}

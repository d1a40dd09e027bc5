package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
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
  static Outcome<List<String>> check(Client client, Collection<String> granted, List<String> asked) {
    if (!granted.containsAll(asked)) {
      return Outcome.refused(Code.INVALID_TARGET, "A resource was asked for that was not granted");
    }
    List<String> resources = asked.isEmpty() ? List.copyOf(granted) : asked;
    return client.config().resources().containsAll(resources)
        ? Outcome.passed(resources)
        : Outcome.refused(Code.INVALID_TARGET, "The client may not have tokens for that resource");
  }
}

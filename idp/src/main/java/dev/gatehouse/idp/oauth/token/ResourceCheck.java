package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.util.List;

/**
 * Checks that the requested audiences are among those granted, and among those that the client may currently have (RFC
 * 8707, section 2.2).
 */
final class ResourceCheck {

  private ResourceCheck() {}

  /**
   * Returns the resources of the request; all that were granted if it names none.
   *
   * @param granted empty means our own issuer
   */
  static Result<List<String>, OAuthError> check(TokenRequest request, List<String> granted) {
    List<String> asked = request.form().resources();
    List<String> named = granted.isEmpty() ? List.of(request.request().entityId()) : granted;
    if (!named.containsAll(asked)) {
      return notGranted();
    }
    List<String> resources = asked.isEmpty() ? granted : asked;
    return mayHave(request, resources)
        ? Result.accepted(resources)
        : OAuthError.refused(Code.INVALID_TARGET, "The client may not have tokens for that resource");
  }

  /** Returns the resources of a request that no grant precedes; empty, meaning our own issuer, if it names none. */
  static Result<List<String>, OAuthError> ofClient(TokenRequest request) {
    List<String> asked = request.form().resources();
    return mayHave(request, asked) ? Result.accepted(asked) : notGranted();
  }

  private static boolean mayHave(TokenRequest request, List<String> resources) {
    return resources.stream().allMatch(resource -> request.client().mayHaveTokensFor(request.request(), resource));
  }

  private static Result<List<String>, OAuthError> notGranted() {
    return OAuthError.refused(Code.INVALID_TARGET, "A resource was asked for that was not granted");
  }
}

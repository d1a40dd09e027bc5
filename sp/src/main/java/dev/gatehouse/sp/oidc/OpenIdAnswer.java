package dev.gatehouse.sp.oidc;

import java.util.Map;
import java.util.Optional;

/**
 * What a provider answered in a test login, as far as it is needed to check it again: no code, access token or verifier.
 *
 * @param idToken with its signature
 * @param nonce of our request
 * @param accessTokenHash of the access token, by the ID token's algorithm
 * @param userInfo the answer of the UserInfo endpoint, if it was called
 */
public record OpenIdAnswer(
    String idToken, String nonce, Optional<String> accessTokenHash, Optional<Map<String, Object>> userInfo) {

  /** Contains personal data. */
  @Override
  public String toString() {
    return "answer of an OpenID provider";
  }
}

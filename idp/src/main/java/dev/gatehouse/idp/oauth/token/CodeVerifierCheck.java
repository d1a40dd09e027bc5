package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * PKCE at the token endpoint (RFC 7636, sections 4.1 and 4.6; RFC 9700, section 2.1.1). S256 is the only supported
 * method.
 */
final class CodeVerifierCheck {

  private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9._~-]{43,128}");

  private CodeVerifierCheck() {}

  /** Checks that can be made without the code. */
  static Result<Optional<String>, OAuthError> syntax(Optional<String> verifier) {
    return verifier.filter(text -> !SYNTAX.matcher(text).matches()).isPresent()
        ? OAuthError.refused(Code.INVALID_REQUEST, "The code_verifier is malformed")
        : Result.accepted(verifier);
  }

  /** @param isRequired whether the client must use PKCE */
  static Result<Boolean, OAuthError> check(Optional<String> challenge, Optional<String> verifier, boolean isRequired) {
    if (challenge.isEmpty()) {
      if (verifier.isPresent()) {
        return OAuthError.refused(Code.INVALID_GRANT, "A code_verifier was sent for a code without code_challenge");
      }
      return isRequired
          ? OAuthError.refused(Code.INVALID_GRANT, "The code has no code_challenge, which the client needs")
          : Result.accepted(true);
    }
    if (verifier.isEmpty()) {
      return OAuthError.refused(Code.INVALID_GRANT, "The code_verifier is missing");
    }
    byte[] expected = challenge.get().getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(expected, challengeOf(verifier.get()).getBytes(StandardCharsets.US_ASCII))
        ? Result.accepted(true)
        : OAuthError.refused(Code.INVALID_GRANT, "The code_verifier does not fit");
  }

  /** The code challenge of RFC 7636, section 4.2. */
  static String challengeOf(String verifier) {
    return Sha256.base64Url(verifier);
  }
}

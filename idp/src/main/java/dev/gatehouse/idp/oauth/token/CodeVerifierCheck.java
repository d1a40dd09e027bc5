package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
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
  static Outcome<Optional<String>> syntax(Optional<String> verifier) {
    return verifier.filter(text -> !SYNTAX.matcher(text).matches()).isPresent()
        ? Outcome.refused(Code.INVALID_REQUEST, "The code_verifier is malformed")
        : Outcome.passed(verifier);
  }

  /** @param isRequired whether the client must use PKCE */
  static Outcome<Boolean> check(Optional<String> challenge, Optional<String> verifier, boolean isRequired) {
    if (challenge.isEmpty()) {
      if (verifier.isPresent()) {
        return Outcome.refused(Code.INVALID_GRANT, "A code_verifier was sent for a code without code_challenge");
      }
      return isRequired
          ? Outcome.refused(Code.INVALID_GRANT, "The code has no code_challenge, which the client needs")
          : Outcome.passed(true);
    }
    if (verifier.isEmpty()) {
      return Outcome.refused(Code.INVALID_GRANT, "The code_verifier is missing");
    }
    byte[] expected = challenge.get().getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(expected, challengeOf(verifier.get()).getBytes(StandardCharsets.US_ASCII))
        ? Outcome.passed(true)
        : Outcome.refused(Code.INVALID_GRANT, "The code_verifier does not fit");
  }

  /** The code challenge of RFC 7636, section 4.2. */
  static String challengeOf(String verifier) {
    return Sha256.base64Url(verifier);
  }
}

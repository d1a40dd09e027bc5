package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.oauth.Authorization;
import java.util.Optional;

/**
 * The data behind an authorization code (RFC 6749, section 4.1.2): the authorization that its first use makes valid,
 * and the values that bind it to the request.
 *
 * @param redirectUri of the authorization request, if it named one
 * @param codeChallenge S256 (RFC 7636, section 4.3); empty if the client may omit PKCE
 * @param dpopThumbprint of the {@code dpop_jkt} parameter (RFC 9449, section 10)
 */
public record IssuedCode(
    Authorization authorization,
    Optional<String> redirectUri,
    Optional<String> codeChallenge,
    Optional<String> dpopThumbprint) {

  /** The name of the store. */
  public static final String STORE = "oauth-codes";
}

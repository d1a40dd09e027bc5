package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.idp.oauth.Authorization;
import java.util.Optional;

/**
 * What an authorization code stands for (RFC 6749, section 4.1.2): the authorization that its first use makes real, and what
 * binds it to the request.
 *
 * @param redirectUri of the authorization request, where it named one
 * @param codeChallenge S256 (RFC 7636, section 4.3); empty where the client may go without
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

package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.PersonLogins.Provider;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.node.Node.AdminLogin;
import java.time.Duration;
import java.util.Optional;

/** The authorization request of the console (OpenID Connect Core 3.1.2.1), with PKCE by S256 (RFC 7636, section 4.3). */
final class AuthorizationUrl {

  /** Of a login that must be recent: less than what is asked for later, so that it stays recent for a while. */
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  private AuthorizationUrl() {}

  /** @param hint the name for the login form */
  static String of(Provider provider, AdminLogin login, PendingLogin pending, Optional<String> hint) {
    return Address.with(
        provider.authorizationEndpoint(),
        "response_type", "code",
        "client_id", AdminLogin.CLIENT_ID,
        "redirect_uri", login.redirectUri(),
        "scope", "openid",
        "state", pending.state(),
        "nonce", pending.nonce(),
        "code_challenge", Sha256.base64Url(pending.codeVerifier()),
        "code_challenge_method", "S256",
        "max_age", pending.again() ? String.valueOf(MAX_AGE.toSeconds()) : "",
        "prompt", pending.setUp().isPresent() ? "login" : "",
        "login_hint", hint.orElse(""));
  }
}

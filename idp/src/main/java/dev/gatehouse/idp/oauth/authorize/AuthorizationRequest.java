package dev.gatehouse.idp.oauth.authorize;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An accepted authorization request: all data that are needed to answer it, whoever the person is.
 *
 * @param receivedAt the time of receipt
 */
record AuthorizationRequest(
    String realm,
    String clientId,
    ResponseTarget reply,
    Set<ResponseType> types,
    Wanted wanted,
    CodeBinding binding,
    Authentication authentication,
    LoginPage loginPage,
    Instant receivedAt,
    Once once) {

  /**
   * The requested grant.
   *
   * @param scopes the requested scopes that the client may have
   * @param claims OpenID Connect Core 5.5
   */
  record Wanted(
      Set<String> scopes, List<String> resources, Optional<String> nonce, Optional<ClaimsParameter> claims) {}

  /**
   * The values to which the code will be bound.
   *
   * @param codeChallenge S256 (RFC 7636, section 4.3)
   * @param dpopThumbprint the key (RFC 9449, section 10)
   */
  record CodeBinding(Optional<String> codeChallenge, Optional<String> dpopThumbprint) {}

  /**
   * The demands on the authentication (OpenID Connect Core 3.1.2.1).
   *
   * @param hintedSubject the person whom the client demands, by {@code id_token_hint} or by the claim {@code sub}
   * @param login whether only a login after the receipt counts
   */
  record Authentication(
      AcrValues acr, Set<Prompt> prompts, Optional<Duration> maxAge, Optional<String> hintedSubject, boolean login) {}

  /**
   * The client's preferences for our pages.
   *
   * @param hint for the login form
   * @param uiLocales languages of pages, as sent
   */
  record LoginPage(Optional<String> hint, List<String> uiLocales) {}

  /**
   * The key of a request that is answered once.
   *
   * @param pushed the key of a pushed request
   * @param resumed the ID of a request that was saved and came back
   */
  record Once(Optional<String> pushed, Optional<String> resumed) {

    static final Once NOT = new Once(Optional.empty(), Optional.empty());
  }

  boolean isPassive() {
    return authentication.prompts().contains(Prompt.NONE);
  }

  boolean asksForConsent() {
    return authentication.prompts().contains(Prompt.CONSENT);
  }

  boolean isOpenId() {
    return wanted.scopes().contains(Scopes.OPENID);
  }

  /** The earliest login that counts. */
  Optional<Instant> notBefore() {
    return authentication.login() ? Optional.of(receivedAt) : authentication.maxAge().map(receivedAt::minus);
  }

  /** The same request, for which a person must log in first because the logged-in person is not the demanded one. */
  AuthorizationRequest withLogin() {
    Authentication again =
        new Authentication(
            authentication.acr(), authentication.prompts(), authentication.maxAge(), authentication.hintedSubject(), true);
    return new AuthorizationRequest(
        realm, clientId, reply, types, wanted, binding, again, loginPage, receivedAt, once);
  }

  /** Sets {@link Once#pushed}. */
  AuthorizationRequest withPushed(String key) {
    return with(new Once(Optional.of(key), once.resumed()));
  }

  /** Sets {@link Once#resumed}. */
  AuthorizationRequest withResumed(String id) {
    return with(new Once(once.pushed(), Optional.of(id)));
  }

  private AuthorizationRequest with(Once keys) {
    return new AuthorizationRequest(
        realm, clientId, reply, types, wanted, binding, authentication, loginPage, receivedAt, keys);
  }
}

package dev.gatehouse.idp.oauth.authorize;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An authorization request that was accepted as such: what must be known to answer it, whoever the person turns out to be.
 *
 * @param scopes those asked for that the client may have
 * @param codeChallenge S256 (RFC 7636, section 4.3)
 * @param dpopThumbprint key that the code will be bound to (RFC 9449, section 10)
 * @param hintedSubject whom the client means, by {@code id_token_hint} or by the claim {@code sub}
 * @param loginHint for the login form
 * @param uiLocales languages of pages, as sent
 * @param receivedAt when it came to us
 * @param login whether only a login since then counts
 * @param pushed its key where it was pushed: answered once
 * @param parked its id where it was parked: answered once
 */
record AuthorizationRequest(
    String realm,
    String clientId,
    ResponseTarget reply,
    Set<ResponseType> types,
    Set<String> scopes,
    List<String> resources,
    Optional<String> nonce,
    Optional<String> codeChallenge,
    Optional<String> dpopThumbprint,
    Optional<ClaimsParameter> claims,
    AcrValues acr,
    Set<Prompt> prompts,
    Optional<Duration> maxAge,
    Optional<String> hintedSubject,
    Optional<String> loginHint,
    List<String> uiLocales,
    Instant receivedAt,
    boolean login,
    Optional<String> pushed,
    Optional<String> parked) {

  boolean isPassive() {
    return prompts.contains(Prompt.NONE);
  }

  boolean asksForConsent() {
    return prompts.contains(Prompt.CONSENT);
  }

  boolean isOpenId() {
    return scopes.contains(Scopes.OPENID);
  }

  /** The earliest login that counts. */
  Optional<Instant> notBefore() {
    return login ? Optional.of(receivedAt) : maxAge.map(receivedAt::minus);
  }

  /** Whoever is logged in is not the person that is meant: somebody has to log in first. */
  AuthorizationRequest withLogin() {
    return new AuthorizationRequest(
        realm, clientId, reply, types, scopes, resources, nonce, codeChallenge, dpopThumbprint, claims, acr, prompts,
        maxAge, hintedSubject, loginHint, uiLocales, receivedAt, true, pushed, parked);
  }

  /** As {@link #pushed}. */
  AuthorizationRequest withPushed(String key) {
    return new AuthorizationRequest(
        realm, clientId, reply, types, scopes, resources, nonce, codeChallenge, dpopThumbprint, claims, acr, prompts,
        maxAge, hintedSubject, loginHint, uiLocales, receivedAt, login, Optional.of(key), parked);
  }

  /** As {@link #parked}. */
  AuthorizationRequest withParked(String id) {
    return new AuthorizationRequest(
        realm, clientId, reply, types, scopes, resources, nonce, codeChallenge, dpopThumbprint, claims, acr, prompts,
        maxAge, hintedSubject, loginHint, uiLocales, receivedAt, login, pushed, Optional.of(id));
  }
}

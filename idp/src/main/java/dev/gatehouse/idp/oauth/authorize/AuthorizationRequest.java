package dev.gatehouse.idp.oauth.authorize;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An accepted authorization request: all data that are needed to answer it, whoever the person is.
 *
 * @param scopes the requested scopes that the client may have
 * @param codeChallenge S256 (RFC 7636, section 4.3)
 * @param dpopThumbprint the key to which the code will be bound (RFC 9449, section 10)
 * @param hintedSubject the person whom the client demands, by {@code id_token_hint} or by the claim {@code sub}
 * @param loginHint for the login form
 * @param uiLocales languages of pages, as sent
 * @param receivedAt the time of receipt
 * @param login whether only a login after that counts
 * @param pushed the key of a pushed request, which is answered once
 * @param parked the ID of a parked request, which is answered once
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

  /** The same request, for which a person must log in first because the logged-in person is not the demanded one. */
  AuthorizationRequest withLogin() {
    return new AuthorizationRequest(
        realm, clientId, reply, types, scopes, resources, nonce, codeChallenge, dpopThumbprint, claims, acr, prompts,
        maxAge, hintedSubject, loginHint, uiLocales, receivedAt, true, pushed, parked);
  }

  /** Sets {@link #pushed}. */
  AuthorizationRequest withPushed(String key) {
    return new AuthorizationRequest(
        realm, clientId, reply, types, scopes, resources, nonce, codeChallenge, dpopThumbprint, claims, acr, prompts,
        maxAge, hintedSubject, loginHint, uiLocales, receivedAt, login, Optional.of(key), parked);
  }

  /** Sets {@link #parked}. */
  AuthorizationRequest withParked(String id) {
    return new AuthorizationRequest(
        realm, clientId, reply, types, scopes, resources, nonce, codeChallenge, dpopThumbprint, claims, acr, prompts,
        maxAge, hintedSubject, loginHint, uiLocales, receivedAt, login, pushed, Optional.of(id));
  }
}

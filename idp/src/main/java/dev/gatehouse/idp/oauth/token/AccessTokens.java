package dev.gatehouse.idp.oauth.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oidc.JwsVerifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Evaluates and revokes the access tokens that {@link AccessTokenIssuer} issued. A person's token ends together with its
 * authorization, whatever its format, so that no list of tokens is needed.
 */
public final class AccessTokens {

  /** The name of the store of opaque tokens. */
  public static final String STORE = "oauth-access-tokens";

  /** Longer tokens are not ours. */
  private static final int LONGEST = 8192;

  /** The number of cached results of signature verification; the token's validity is looked up each time. */
  private static final int MAX_VERIFIED = 10_000;

  /** A valid token with its client and authorization; a client's own token has no authorization. */
  record ValidToken(AccessToken token, Client client, Optional<Authorization> authorization) {}

  private final SingleUseStore<AccessToken> opaque;
  private final Revocations revocations;
  private final Authorizations authorizations;
  private final Clients clients;
  private final JwsVerifier verifier;
  private final InstantSource clock;
  private final Cache<String, AccessToken> verified =
      Caffeine.newBuilder().maximumSize(MAX_VERIFIED).expireAfterWrite(Duration.ofMinutes(5)).executor(Runnable::run).build();

  public AccessTokens(
      SingleUseStore<AccessToken> opaque,
      Revocations revocations,
      Authorizations authorizations,
      Clients clients,
      JwsVerifier verifier,
      InstantSource clock) {
    this.opaque = opaque;
    this.revocations = revocations;
    this.authorizations = authorizations;
    this.clients = clients;
    this.verifier = verifier;
    this.clock = clock;
  }

  /**
   * Returns the content of a valid token: it was issued by us for this realm, has not expired, was not revoked, and its
   * authorization is still valid. Empty for every other token. The caller must check the proof of the token's binding.
   */
  public Optional<AccessToken> find(RealmRequest request, String value) {
    return findValid(request, value).map(ValidToken::token);
  }

  /** Like {@link #find}, with the authorization. */
  Optional<ValidToken> findValid(RealmRequest request, String value) {
    if (value.length() > LONGEST) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    return said(request, value)
        .filter(token -> token.realm().equals(request.realm().name()) && now.isBefore(token.validity().expiresAt()))
        .flatMap(
            token ->
                clients.find(request.realm(), token.clientId()).flatMap(client -> findValid(request, token, client)));
  }

  private Optional<ValidToken> findValid(RealmRequest request, AccessToken token, Client client) {
    if (token.authorization().isEmpty()) {
      return Optional.of(new ValidToken(token, client, Optional.empty()));
    }
    return authorizations
        .find(request, token.authorization().get())
        .filter(authorization -> authorization.clientId().equals(token.clientId()))
        .map(authorization -> new ValidToken(token.of(authorization.person()), client, Optional.of(authorization)));
  }

  private Optional<AccessToken> said(RealmRequest request, String value) {
    return value.indexOf('.') < 0
        ? SessionToken.parse(value).flatMap(this::opaque)
        : jwt(request, value).filter(token -> !revocations.isRevoked(token));
  }

  private Optional<AccessToken> opaque(SessionToken value) {
    try {
      return opaque.peek(value.id().value());
    } catch (IllegalArgumentException e) {
      // A version that was rolled back wrote it; the client gets a new one.
      return Optional.empty();
    }
  }

  /** A key that is no longer published verifies nothing, even if it did before. */
  private Optional<AccessToken> jwt(RealmRequest request, String value) {
    String key = digest(request.realm().name(), value);
    AccessToken known = verified.getIfPresent(key);
    if (known != null) {
      return verifier.knows(request.realm(), AccessTokenClaims.TYPE, value) ? Optional.of(known) : Optional.empty();
    }
    Optional<AccessToken> fresh =
        verifier
            .read(request.realm(), AccessTokenClaims.TYPE, value)
            .flatMap(claims -> AccessTokenClaims.read(claims, request.realm().name(), request.entityId()));
    fresh.ifPresent(token -> verified.put(key, token));
    return fresh;
  }

  /** Revokes this token only (RFC 7009, section 2.1). The revocation is durable when the method returns. */
  public void revoke(RealmRequest request, AccessToken token) {
    if (!(opaque.take(token.id()) instanceof TakeResult.First<AccessToken>)) {
      revocations.revoke(token.id(), token.validity().expiresAt());
    }
  }

  private static String digest(String realm, String value) {
    return new String(Sha256.of(realm + '\n' + value), StandardCharsets.ISO_8859_1);
  }
}

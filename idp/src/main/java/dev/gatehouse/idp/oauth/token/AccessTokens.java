package dev.gatehouse.idp.oauth.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.realm.ClientConfig.AccessTokenFormat;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.JsonText;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oidc.JwsSigner;
import dev.gatehouse.idp.oidc.JwsVerifier;
import dev.gatehouse.idp.oidc.Subjects;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Issues access tokens in each client's format (RFC 9068, or opaque), and evaluates presented ones. The ID of a
 * person's token begins with the ID of the authorization from which it was issued. The token ends together with the
 * authorization, whatever its format, so that no list of tokens is needed.
 */
public final class AccessTokens {

  /** The name of the store of opaque tokens. */
  public static final String STORE = "oauth-access-tokens";

  private static final int ID_BYTES = 16;

  /** Longer tokens are not ours. */
  private static final int LONGEST = 8192;

  /** The number of cached results of signature verification; the token's validity is looked up each time. */
  private static final int MAX_VERIFIED = 10_000;

  /**
   * @param value the token to send
   * @param token its content
   */
  public record Issued(String value, AccessToken token) {
    @Override
    public String toString() {
      return "Issued " + token.id();
    }
  }

  /** A valid token with its client and authorization; a client's own token has no authorization. */
  record ValidToken(AccessToken token, Client client, Optional<Authorization> authorization) {}

  private final SingleUseStore<AccessToken> opaque;
  private final Revocations revocations;
  private final Authorizations authorizations;
  private final Clients clients;
  private final Subjects subjects;
  private final JwsSigner signer;
  private final JwsVerifier verifier;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Cache<String, AccessToken> verified =
      Caffeine.newBuilder().maximumSize(MAX_VERIFIED).expireAfterWrite(Duration.ofMinutes(5)).build();

  public AccessTokens(
      SingleUseStore<AccessToken> opaque,
      Revocations revocations,
      Authorizations authorizations,
      Clients clients,
      Subjects subjects,
      JwsSigner signer,
      JwsVerifier verifier,
      InstantSource clock,
      RandomGenerator random) {
    this.opaque = opaque;
    this.revocations = revocations;
    this.authorizations = authorizations;
    this.clients = clients;
    this.subjects = subjects;
    this.signer = signer;
    this.verifier = verifier;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Issues a token for a person's authorization.
   *
   * @param resources a subset of the authorization's; empty means our own issuer
   */
  public Issued issue(
      RealmRequest request,
      Client client,
      Authorization authorization,
      Set<String> scopes,
      List<String> resources,
      Optional<Confirmation> confirmation) {
    String subject = subjects.subject(request.realm(), client, authorization.person());
    return issue(request, client, Optional.of(authorization), subject, scopes, resources, confirmation);
  }

  /** Issues a token for the client itself (RFC 6749, section 4.4). */
  public Issued issueToClient(
      RealmRequest request,
      Client client,
      Set<String> scopes,
      List<String> resources,
      Optional<Confirmation> confirmation) {
    return issue(request, client, Optional.empty(), client.id(), scopes, resources, confirmation);
  }

  private Issued issue(
      RealmRequest request,
      Client client,
      Optional<Authorization> authorization,
      String subject,
      Set<String> scopes,
      List<String> resources,
      Optional<Confirmation> confirmation) {
    Tokens form = client.config().tokens();
    boolean isOpaque = form.accessToken() == AccessTokenFormat.OPAQUE;
    SessionToken secret = SessionToken.create(random);
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    AccessToken token =
        new AccessToken(
            isOpaque ? secret.id().value() : id(authorization.map(Authorization::id)),
            request.realm().name(),
            client.id(),
            authorization.map(Authorization::id),
            authorization.map(Authorization::person),
            subject,
            scopes,
            resources.isEmpty() ? List.of(request.entityId()) : resources,
            confirmation,
            now,
            now.plus(life(request, client)));
    if (isOpaque) {
      opaque.put(token.id(), token, token.expiresAt());
      return new Issued(secret.value(), token);
    }
    byte[] claims = AccessTokenClaims.write(new JsonText(), request, token, authorization).toBytes();
    return new Issued(
        signer.sign(request.realm(), form.accessTokenAlgorithm(), AccessTokenClaims.TYPE, claims), token);
  }

  /** The lifetime of the client's access tokens. */
  static Duration life(RealmRequest request, Client client) {
    return client.config().tokens().accessTokenLife().orElse(request.idp().oauth().accessTokenLife());
  }

  private String id(Optional<SessionId> authorization) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String own = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    return authorization.map(id -> id.value() + "." + own).orElse(own);
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
        .filter(token -> token.realm().equals(request.realm().name()) && now.isBefore(token.expiresAt()))
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
      revocations.revoke(token.id(), token.expiresAt());
    }
  }

  private static String digest(String realm, String value) {
    return new String(Sha256.of(realm + '\n' + value), StandardCharsets.ISO_8859_1);
  }
}

package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.realm.ClientConfig.AccessTokenFormat;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oidc.JwsSigner;
import dev.gatehouse.idp.oidc.Subjects;
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
 * Issues access tokens in each client's format (RFC 9068, or opaque). The ID of a person's token begins with the ID of the
 * authorization from which it was issued.
 */
public final class AccessTokenIssuer {

  private static final int ID_BYTES = 16;

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

  private final SingleUseStore<AccessToken> opaque;
  private final Subjects subjects;
  private final JwsSigner signer;
  private final InstantSource clock;
  private final RandomGenerator random;

  public AccessTokenIssuer(
      SingleUseStore<AccessToken> opaque, Subjects subjects, JwsSigner signer, InstantSource clock, RandomGenerator random) {
    this.opaque = opaque;
    this.subjects = subjects;
    this.signer = signer;
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
            new AccessToken.Validity(now, now.plus(life(request, client))));
    if (isOpaque) {
      opaque.put(token.id(), token, token.validity().expiresAt());
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
}

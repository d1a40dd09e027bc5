package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.oauth.Confirmation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The content of an access token, in any format.
 *
 * @param id {@code jti}
 * @param authorization the authorization from which it was issued; empty for a client's own (client credentials)
 * @param person the person; empty for a client's own
 * @param subject {@code sub}: that of the person for this client, otherwise the client ID
 * @param audience never empty
 */
public record AccessToken(
    String id,
    String realm,
    String clientId,
    Optional<SessionId> authorization,
    Optional<PersonId> person,
    String subject,
    Set<String> scopes,
    List<String> audience,
    Optional<Confirmation> confirmation,
    Validity validity) {

  /** The time for which it is valid. */
  public record Validity(Instant issuedAt, Instant expiresAt) {}

  public AccessToken {
    scopes = Set.copyOf(scopes);
    audience = List.copyOf(audience);
  }

  /** The same token with the person of its authorization. */
  AccessToken of(PersonId whose) {
    return new AccessToken(
        id, realm, clientId, authorization, Optional.of(whose), subject, scopes, audience, confirmation, validity);
  }
}

package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.oauth.Confirmation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an access token says, whatever its form.
 *
 * @param id {@code jti}
 * @param authorization that it came of; empty for a client's own (client credentials)
 * @param person whose; empty for a client's own
 * @param subject {@code sub}: the person's for this client, else the client ID
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
    Instant issuedAt,
    Instant expiresAt) {

  public AccessToken {
    scopes = Set.copyOf(scopes);
    audience = List.copyOf(audience);
  }

  /** As told by what it came of. */
  AccessToken of(PersonId whose) {
    return new AccessToken(
        id, realm, clientId, authorization, Optional.of(whose), subject, scopes, audience, confirmation, issuedAt,
        expiresAt);
  }
}

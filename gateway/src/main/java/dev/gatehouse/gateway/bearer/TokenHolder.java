package dev.gatehouse.gateway.bearer;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The holder of a valid access token, and what the token permits.
 *
 * @param client the client it was issued to ({@code client_id}; RFC 9068, section 2.2; RFC 7662, section 2.2)
 * @param user the name that apps see
 * @param attributes claims by {@linkplain dev.gatehouse.common.saml.AttributeName plain} name
 * @param keyThumbprint the thumbprint of the DPoP key that the token is bound to (RFC 9449, section 6)
 * @param expiresAt when the token expires
 */
public record TokenHolder(
    String issuer,
    String subject,
    Optional<String> client,
    String user,
    List<String> roles,
    List<String> groups,
    Map<String, List<String>> attributes,
    Set<String> scopes,
    Optional<String> acr,
    Optional<String> keyThumbprint,
    Instant expiresAt) {

  public TokenHolder {
    roles = List.copyOf(roles);
    groups = List.copyOf(groups);
    scopes = Set.copyOf(scopes);
  }

  /** The identifier in the audit log, formed as for a session's person: issuer and subject. */
  public String person() {
    return issuer + "!" + subject;
  }

  /** Omits all personal data. */
  @Override
  public String toString() {
    return "token of " + issuer;
  }
}

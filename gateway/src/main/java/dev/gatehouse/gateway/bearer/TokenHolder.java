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
 * @param account what apps see of the holder
 * @param keyThumbprint the thumbprint of the DPoP key that the token is bound to (RFC 9449, section 6)
 * @param expiresAt when the token expires
 */
public record TokenHolder(
    String issuer,
    String subject,
    Optional<String> client,
    Account account,
    Set<String> scopes,
    Optional<String> acr,
    Optional<String> keyThumbprint,
    Instant expiresAt) {

  public TokenHolder {
    scopes = Set.copyOf(scopes);
  }

  /**
   * The holder as apps and rules see it.
   *
   * @param attributes claims by {@linkplain dev.gatehouse.common.saml.AttributeName plain} name
   */
  public record Account(String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes) {
    public Account {
      roles = List.copyOf(roles);
      groups = List.copyOf(groups);
    }

    /** Omits all personal data. */
    @Override
    public String toString() {
      return "account";
    }
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

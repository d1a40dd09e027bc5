package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.saml.SamlAttribute;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An Assertion for Web Browser SSO (SAML Core 2.3.3): one subject, at most one AuthnStatement, text attributes.
 *
 * @param audienceRestrictions one list for each AudienceRestriction: each must name us (SAML Core 2.5.1.4)
 */
public record Assertion(
    String id,
    Instant issueInstant,
    String issuer,
    NameId subject,
    List<SubjectConfirmation> confirmations,
    Optional<Instant> notBefore,
    Optional<Instant> notOnOrAfter,
    List<List<String>> audienceRestrictions,
    Optional<AuthnStatement> authnStatement,
    List<SamlAttribute> attributes) {

  public static final String BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

  /** A SubjectConfirmation with its data (SAML Core 2.4.1.1, 2.4.1.2). */
  public record SubjectConfirmation(
      String method,
      Optional<String> recipient,
      Optional<String> inResponseTo,
      Optional<Instant> notBefore,
      Optional<Instant> notOnOrAfter) {}

  /** An AuthnStatement (SAML Core 2.7.2). */
  public record AuthnStatement(
      Instant authnInstant,
      Optional<String> sessionIndex,
      Optional<Instant> sessionNotOnOrAfter,
      Optional<String> authnContextClassRef) {}
}

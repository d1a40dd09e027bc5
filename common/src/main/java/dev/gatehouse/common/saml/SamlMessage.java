package dev.gatehouse.common.saml;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Protocol messages (SAML Core 3) as values; what our records leave out, a reader has checked or refused. */
public sealed interface SamlMessage {

  String id();

  Instant issueInstant();

  String issuer();

  Optional<String> destination();

  /** An AuthnRequest (SAML Core 3.4.1). */
  record AuthnRequest(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<String> assertionConsumerServiceUrl,
      Optional<Integer> assertionConsumerServiceIndex,
      Optional<String> protocolBinding,
      Optional<NameIdPolicy> nameIdPolicy,
      boolean forceAuthn,
      boolean isPassive,
      Optional<RequestedAuthnContext> requestedAuthnContext,
      Optional<NameId> subject)
      implements SamlMessage {}

  /** A NameIDPolicy (SAML Core 3.4.1.1). */
  record NameIdPolicy(Optional<String> format, Optional<String> spNameQualifier, boolean allowCreate) {}

  /** A RequestedAuthnContext (SAML Core 3.3.2.2.1); {@code comparison} is exact, minimum, maximum or better. */
  record RequestedAuthnContext(String comparison, List<String> classRefs) {}

  /** A Response (SAML Core 3.3.3). */
  record Response(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<String> inResponseTo,
      SamlStatus status,
      List<Assertion> assertions)
      implements SamlMessage {}

  /** A LogoutRequest (SAML Core 3.7.1). */
  record LogoutRequest(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<Instant> notOnOrAfter,
      NameId nameId,
      List<String> sessionIndexes)
      implements SamlMessage {}

  /** A LogoutResponse (SAML Core 3.7.2). */
  record LogoutResponse(
      String id,
      Instant issueInstant,
      String issuer,
      Optional<String> destination,
      Optional<String> inResponseTo,
      SamlStatus status)
      implements SamlMessage {}
}

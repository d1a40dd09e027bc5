package dev.gatehouse.common.saml;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a partner's metadata says (SAML Metadata 2), read once.
 *
 * @param validUntil the earliest of those that apply; empty where it has none
 * @param cacheDuration the shortest of those that apply: after it the document should be fetched again
 * @param displayName of the user interface or the organization, for people
 */
public record PartnerMetadata(
    String entityId,
    Optional<Instant> validUntil,
    Optional<Duration> cacheDuration,
    Optional<String> displayName,
    Optional<IdpRole> idp,
    Optional<SpRole> sp) {

  /** An endpoint. {@code responseLocation} where responses go if it differs. */
  public record Endpoint(Binding binding, String location, Optional<String> responseLocation) {

    public String locationForResponses() {
      return responseLocation.orElse(location);
    }
  }

  /** An indexed AssertionConsumerService. */
  public record AssertionConsumerService(int index, boolean isDefault, Binding binding, String location) {}

  /** IDPSSODescriptor. */
  public record IdpRole(
      List<X509Certificate> signing,
      boolean wantAuthnRequestsSigned,
      List<Endpoint> singleSignOn,
      List<Endpoint> singleLogout,
      List<String> nameIdFormats) {}

  /** SPSSODescriptor. */
  public record SpRole(
      List<X509Certificate> signing,
      boolean authnRequestsSigned,
      boolean wantAssertionsSigned,
      List<AssertionConsumerService> assertionConsumers,
      List<Endpoint> singleLogout,
      List<String> nameIdFormats) {

    /** The default consumer: isDefault, else the lowest index (SAML Metadata 2.2.3). */
    public Optional<AssertionConsumerService> defaultConsumer() {
      return assertionConsumers.stream()
          .filter(AssertionConsumerService::isDefault)
          .findFirst()
          .or(() -> assertionConsumers.stream().min(Comparator.comparingInt(AssertionConsumerService::index)));
    }
  }
}

package dev.gatehouse.common.saml.metadata;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The content of a partner's metadata (SAML Metadata 2), read once.
 *
 * @param validUntil the earliest of those that apply; empty if there is none
 * @param cacheDuration the shortest of those that apply, after which the document should be fetched again
 * @param displayName of the user interface or the organization, for people
 * @param notes about ignored content, for administrators
 */
public record PartnerMetadata(
    String entityId,
    Optional<Instant> validUntil,
    Optional<Duration> cacheDuration,
    Optional<String> displayName,
    Optional<IdpRole> idp,
    Optional<SpRole> sp,
    List<String> notes) {

  /** Creates metadata without notes. */
  public PartnerMetadata(
      String entityId,
      Optional<Instant> validUntil,
      Optional<Duration> cacheDuration,
      Optional<String> displayName,
      Optional<IdpRole> idp,
      Optional<SpRole> sp) {
    this(entityId, validUntil, cacheDuration, displayName, idp, sp, List.of());
  }

  /** An endpoint. {@code responseLocation} is present if responses go to another address. */
  public record Endpoint(Binding binding, String location, Optional<String> responseLocation) {

    public String locationForResponses() {
      return responseLocation.orElse(location);
    }
  }

  /** An endpoint to which messages refer by index, such as ArtifactResolutionService (SAML Metadata 2.2.3). */
  public record IndexedEndpoint(int index, boolean isDefault, Binding binding, String location) {}

  /** An indexed AssertionConsumerService. */
  public record AssertionConsumerService(int index, boolean isDefault, Binding binding, String location) {}

  /**
   * The attributes that a service provider requests (SAML Metadata 2.4.4.1).
   *
   * @param serviceNames by language, in lower case
   */
  public record AttributeConsumingService(
      int index, boolean isDefault, Map<String, String> serviceNames, List<RequestedAttribute> requested) {}

  /**
   * A requested attribute (SAML Metadata 2.4.4.2).
   *
   * @param nameFormat {@link SamlAttribute#UNSPECIFIED} if the document has none
   * @param values the only values of interest; all if empty
   */
  public record RequestedAttribute(
      String name, String nameFormat, Optional<String> friendlyName, boolean required, List<String> values) {}

  /** The common part of IDPSSODescriptor and SPSSODescriptor (SSODescriptorType, SAML Metadata 2.4.2). */
  public record SsoDescriptor(
      List<Endpoint> singleLogout,
      List<IndexedEndpoint> artifactResolution,
      List<Endpoint> manageNameId,
      List<String> nameIdFormats) {

    /** Creates a descriptor with single logout only. */
    public SsoDescriptor(List<Endpoint> singleLogout, List<String> nameIdFormats) {
      this(singleLogout, List.of(), List.of(), nameIdFormats);
    }
  }

  /**
   * IDPSSODescriptor.
   *
   * @param encryption in the order of the document; we encrypt to the first
   * @param scopes the domains that its scoped attributes may have (shibmd:Scope), in lower case
   */
  public record IdpRole(
      List<X509Certificate> signing,
      List<EncryptionKey> encryption,
      boolean wantAuthnRequestsSigned,
      List<Endpoint> singleSignOn,
      SsoDescriptor sso,
      List<String> scopes,
      UiInfo ui) {

    /** Creates a role with single sign-on and single logout only. */
    public IdpRole(
        List<X509Certificate> signing,
        boolean wantAuthnRequestsSigned,
        List<Endpoint> singleSignOn,
        List<Endpoint> singleLogout,
        List<String> nameIdFormats) {
      this(
          signing, List.of(), wantAuthnRequestsSigned, singleSignOn, new SsoDescriptor(singleLogout, nameIdFormats), List.of(),
          UiInfo.none());
    }
  }

  /**
   * SPSSODescriptor.
   *
   * @param encryption in the order of the document; we encrypt to the first
   */
  public record SpRole(
      List<X509Certificate> signing,
      List<EncryptionKey> encryption,
      boolean authnRequestsSigned,
      boolean wantAssertionsSigned,
      List<AssertionConsumerService> assertionConsumers,
      SsoDescriptor sso,
      List<AttributeConsumingService> attributeConsumers,
      UiInfo ui) {

    /** Creates a role with single sign-on and single logout only. */
    public SpRole(
        List<X509Certificate> signing,
        boolean authnRequestsSigned,
        boolean wantAssertionsSigned,
        List<AssertionConsumerService> assertionConsumers,
        List<Endpoint> singleLogout,
        List<String> nameIdFormats) {
      this(
          signing, List.of(), authnRequestsSigned, wantAssertionsSigned, assertionConsumers, new SsoDescriptor(singleLogout, nameIdFormats),
          List.of(), UiInfo.none());
    }

    /** Returns the service that an AuthnRequest names by index, or the default one if it names none. */
    public Optional<AttributeConsumingService> attributeConsumer(Optional<Integer> index) {
      if (index.isPresent()) {
        return attributeConsumers.stream().filter(service -> service.index() == index.get()).findFirst();
      }
      return attributeConsumers.stream()
          .filter(AttributeConsumingService::isDefault)
          .findFirst()
          .or(() -> attributeConsumers.stream().min(Comparator.comparingInt(AttributeConsumingService::index)));
    }
  }
}

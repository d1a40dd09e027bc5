package dev.gatehouse.sp.metadata;

import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.metadata.MetadataCodec.SpDescriptor;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SsoDescriptor;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.nameid.NameIdEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Builds the metadata of a realm's service provider (SAML Metadata 2.4.4). */
final class SpDescription {

  private static final Duration VALID = Duration.ofDays(14);
  private static final Duration CACHE = Duration.ofDays(1);

  private SpDescription() {}

  static SpDescriptor of(
      SpRealm realm, List<VerificationKey> signing, List<VerificationKey> encryption, Instant now) {
    SpConfig sp = realm.sp();
    return new SpDescriptor(
        sp.entityId(), UiInfo.of(realm.realm().brand()), now.plus(VALID), CACHE, signing, encryption,
        List.of(
            new AssertionConsumerService(0, true, Binding.POST, sp.acs()),
            new AssertionConsumerService(1, false, Binding.ARTIFACT, sp.acs())),
        sso(realm),
        attributes(realm));
  }

  private static SsoDescriptor sso(SpRealm realm) {
    SpConfig sp = realm.sp();
    return new SsoDescriptor(
        List.of(
            new Endpoint(Binding.REDIRECT, sp.slo(), Optional.empty()),
            new Endpoint(Binding.POST, sp.slo(), Optional.empty()),
            new Endpoint(Binding.SOAP, sp.soapSlo(), Optional.empty())),
        artifactResolution(realm),
        List.of(
            new Endpoint(Binding.SOAP, sp.publicUrl() + NameIdEndpoint.SOAP_PATH, Optional.empty()),
            new Endpoint(Binding.REDIRECT, sp.publicUrl() + NameIdEndpoint.PATH, Optional.empty()),
            new Endpoint(Binding.POST, sp.publicUrl() + NameIdEndpoint.PATH, Optional.empty())),
        List.of(
            NameIdFormat.TRANSIENT.uri(), NameIdFormat.PERSISTENT.uri(), NameIdFormat.EMAIL.uri(), NameId.UNSPECIFIED));
  }

  /** One endpoint per node, by its index: an artifact names the node that holds the message (SAML Bindings 3.6.4.2). */
  private static List<IndexedEndpoint> artifactResolution(SpRealm realm) {
    return IntStream.range(0, Math.max(1, realm.sp().artifactNodes().size()))
        .mapToObj(node -> new IndexedEndpoint(node, node == 0, Binding.SOAP, realm.artifactResolution(node)))
        .toList();
  }

  /** At most one service, with index 0, which AuthnRequests name. */
  private static List<AttributeConsumingService> attributes(SpRealm realm) {
    List<RequestedAttribute> requested =
        realm.sp().requestedAttributes().stream()
            .map(
                wanted ->
                    new RequestedAttribute(
                        wanted.name(), SamlAttribute.BASIC, Optional.empty(), wanted.required(), List.of()))
            .toList();
    Map<String, String> names = Map.of("en", realm.realm().brand().displayName());
    return requested.isEmpty() ? List.of() : List.of(new AttributeConsumingService(0, true, names, requested));
  }
}

package dev.gatehouse.common.backchannel;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.ReceivedArtifact;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Stores;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The identity provider and the service provider of {@link SamlFixtures}, a server that plays either, and both halves
 * of the back channel between them.
 */
final class TwoPartners implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(10);
  static final int INDEX = 3;

  final PartnerServer server = new PartnerServer();
  final TestTime time = new TestTime(SamlFixtures.NOW);
  final Stores stores = new MemoryStores(time);
  final SamlReader reader = new StrictSamlReader();
  final SamlWriter writer = new CanonicalSamlWriter();
  final OutboundHttp http = new OutboundHttp(OutboundHttp.Limits.USUAL);
  final SoapCall calls = new SoapCall(http, reader, writer);
  final SecureRandom random = new SecureRandom();
  final ArtifactMap held = new ArtifactMap(stores, "artifacts", time, random);
  final ArtifactResolution resolution = new ArtifactResolution(reader, writer, held, time, random);
  final PartnerMetadata idp = idp(List.of(new IndexedEndpoint(INDEX, true, Binding.SOAP, server.url("/artifact"))));
  final PartnerMetadata sp = sp(List.of(new IndexedEndpoint(INDEX, true, Binding.SOAP, server.url("/artifact"))));
  final ArtifactResolver resolver = new ArtifactResolver(registry(), calls, stores.replayCache(), time, random);

  TwoPartners() throws IOException {}

  static PartnerMetadata idp(List<IndexedEndpoint> artifactResolution) {
    PartnerMetadata plain = SamlFixtures.idpMetadata();
    IdpRole role = plain.idp().orElseThrow();
    IdpRole more =
        new IdpRole(
            role.signing(), role.encryption(), role.wantAuthnRequestsSigned(), role.singleSignOn(),
            new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(), artifactResolution, role.sso().manageNameId(), role.sso().nameIdFormats()),
            role.scopes(), role.ui());
    return new PartnerMetadata(
        plain.entityId(), plain.validUntil(), plain.cacheDuration(), plain.displayName(), Optional.of(more),
        Optional.empty());
  }

  static PartnerMetadata sp(List<IndexedEndpoint> artifactResolution) {
    PartnerMetadata plain = SamlFixtures.spMetadata();
    SpRole role = plain.sp().orElseThrow();
    SpRole more =
        new SpRole(
            role.signing(), role.encryption(), role.authnRequestsSigned(), role.wantAssertionsSigned(),
            role.assertionConsumers(),
            new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(), artifactResolution, role.sso().manageNameId(), role.sso().nameIdFormats()),
            role.attributeConsumers(), role.ui());
    return new PartnerMetadata(
        plain.entityId(), plain.validUntil(), plain.cacheDuration(), plain.displayName(), Optional.empty(),
        Optional.of(more));
  }

  /** Makes the server answer as that entity's ArtifactResolutionService, which knows both partners. */
  void serveArtifactsOf(String entityId, SigningKey key) {
    var self = new ArtifactResolution.As(entityId, server.url("/artifact"), key);
    server.answers(request -> resolution.answer(request, self, SamlFixtures.partners(idp, sp)).reply());
  }

  Artifact held(String entityId, String partner, SamlWriter.Signed signed) {
    var response = SamlFixtures.response(Optional.of("_r1"));
    return held.hold(entityId, INDEX, partner, writer.write(response, SamlFixtures.idpKey(), signed));
  }

  ArtifactResolver.As asSp() {
    return new ArtifactResolver.As("demo", SamlFixtures.SP, SamlFixtures.spKey(), List::of, PATIENCE);
  }

  ArtifactResolver.As asIdp() {
    return new ArtifactResolver.As("demo", SamlFixtures.IDP, SamlFixtures.idpKey(), List::of, PATIENCE);
  }

  static ReceivedArtifact brought(Artifact artifact) {
    return new ReceivedArtifact(artifact, Optional.of("state"));
  }

  static Reason reason(Result<?, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Refused(SamlRefusal refusal) -> refusal.reason();
      case Result.Accepted(var value) -> throw new AssertionError("accepted: " + value);
    };
  }

  static <T> T accepted(Result<T, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(T value) -> value;
      case Result.Refused(SamlRefusal refusal) -> throw new AssertionError(refusal);
    };
  }

  private PartnerRegistry registry() {
    return new PartnerRegistry() {
      @Override
      public Optional<Partner> find(String realm, String entityId) {
        return all(realm).stream().filter(partner -> partner.entityId().equals(entityId)).findFirst();
      }

      @Override
      public List<Partner> all(String realm) {
        return List.of(partner(sp), partner(idp));
      }

      @Override
      public Result<PartnerMetadata, SamlRefusal> metadata(String realm, String entityId) {
        return SamlFixtures.partners(sp, idp).apply(entityId);
      }
    };
  }

  private static Partner partner(PartnerMetadata metadata) {
    return new Partner(
        TestRealms.partner(metadata.entityId(), "https://metadata.example", Map.of()),
        new Partner.MetadataState.Usable(metadata, Instant.EPOCH, Optional.empty()));
  }

  @Override
  public void close() {
    http.close();
    server.close();
  }
}

package dev.gatehouse.sp;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.backchannel.PartnerServer;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.store.MemoryStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The identity provider of {@link SamlFixtures} that holds Responses and hands them out over real SOAP. */
public final class TestArtifacts implements AutoCloseable {

  private static final int INDEX = 7;

  private final PartnerServer server;
  private final SamlWriter writer;
  private final ArtifactMap held;
  private final ArtifactResolution resolution;
  private SigningKey key = SamlFixtures.idpKey();

  TestArtifacts(SamlWriter writer, TestTime time) {
    this.writer = writer;
    this.held = new ArtifactMap(new MemoryStores(time), "held", time, new SecureRandom());
    this.resolution = new ArtifactResolution(new StrictSamlReader(), writer, held, time, new SecureRandom());
    try {
      this.server = new PartnerServer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers(this::resolve);
  }

  /** Replaces the resolution. */
  public void answers(Function<EdgeRequest, EdgeReply> function) {
    server.answers(function);
  }

  /** The number of requests that it received. */
  public int asked() {
    return server.seen().size();
  }

  public EdgeReply resolve(EdgeRequest request) {
    ArtifactResolution.As self = new ArtifactResolution.As(SamlFixtures.IDP, server.url("/artifact"), key);
    return resolution.answer(request, self, SamlFixtures.partners(SamlFixtures.spMetadata(true))).reply();
  }

  PartnerMetadata metadata() {
    PartnerMetadata plain = SamlFixtures.idpMetadata();
    IdpRole role = plain.idp().orElseThrow();
    IdpRole resolving =
        new IdpRole(
            role.signing(), role.encryption(), role.wantAuthnRequestsSigned(), role.singleSignOn(),
            new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(),
                List.of(new IndexedEndpoint(INDEX, true, Binding.SOAP, server.url("/artifact"))), role.sso().manageNameId(),
                role.sso().nameIdFormats()),
            role.scopes(), role.ui());
    return new PartnerMetadata(
        plain.entityId(), plain.validUntil(), plain.cacheDuration(), plain.displayName(), Optional.of(resolving),
        Optional.empty());
  }

  Artifact hold(Response response, SigningKey signing, SamlWriter.Signed what) {
    key = signing;
    return held.hold(SamlFixtures.IDP, INDEX, SamlFixtures.SP, writer.write(response, signing, what));
  }

  PostForm post(
      Response response, String location, Optional<String> relayState, SigningKey signing, SamlWriter.Signed what) {
    return writer.post(hold(response, signing, what), location, relayState);
  }

  @Override
  public void close() {
    server.close();
  }
}

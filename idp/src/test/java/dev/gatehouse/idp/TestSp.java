package dev.gatehouse.idp;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.ReceivedArtifactResponse;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import dev.gatehouse.common.saml.metadata.UiInfo;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service provider's side of artifacts, and partners with one thing changed. */
final class TestSp {

  static final String ARTIFACT_SERVICE = Idp.ENTITY + "/saml/artifact";

  private TestSp() {}

  static PartnerConfig as(PartnerConfig c, AsServiceProvider how) {
    return new PartnerConfig(
        c.entityId(), c.displayName(), c.metadata(), c.release(), c.nameId(), c.logout(), how,
        c.asIdentityProvider(), false);
  }

  static PartnerConfig releasing(PartnerConfig c, Map<String, Release> release) {
    return new PartnerConfig(
        c.entityId(), c.displayName(), c.metadata(), release, c.nameId(), c.logout(), c.asServiceProvider(),
        c.asIdentityProvider(), false);
  }

  /** Metadata with an encryption key, these attribute services, this artifact resolution and this description. */
  static PartnerMetadata metadata(
      String entityId,
      boolean wantAssertionsSigned,
      List<AttributeConsumingService> services,
      List<IndexedEndpoint> artifactResolution,
      UiInfo ui) {
    PartnerMetadata plain = Idp.metadata(entityId, false);
    SpRole role = plain.sp().orElseThrow();
    EncryptionKey key =
        new EncryptionKey(
            SamlFixtures.spKey().certificate(), ContentCipher.AES_256_GCM, KeyTransport.RSA_OAEP_MGF1P);
    SpRole more =
        new SpRole(
            role.signing(), List.of(key), role.authnRequestsSigned(), wantAssertionsSigned, role.assertionConsumers(),
            new PartnerMetadata.SsoDescriptor(role.sso().singleLogout(), artifactResolution, role.sso().manageNameId(), role.sso().nameIdFormats()),
            services, ui);
    return new PartnerMetadata(
        entityId, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(more));
  }

  static PartnerMetadata asking(String entityId, AttributeConsumingService... services) {
    return metadata(entityId, true, List.of(services), List.of(), UiInfo.none());
  }

  /** The parameter of the address to which the reply leads: by a redirect, or by the login form. */
  static String parameter(EdgeReply reply, String name) {
    return parameter(TestBrowser.loginAddress(reply), name);
  }

  static String parameter(String address, String name) {
    Matcher matcher = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(address);
    if (!matcher.find()) {
      throw new AssertionError("no " + name + " in " + address);
    }
    return URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8);
  }

  static Artifact artifact(String value) {
    return ((Result.Accepted<Artifact, SamlRefusal>) Artifact.parse(value)).value();
  }

  static ArtifactResolve resolve(Idp idp, String issuer, String artifact) {
    return new ArtifactResolve(
        SamlIds.create(new SecureRandom()), idp.time.instant(), issuer, Optional.of(ARTIFACT_SERVICE), artifact);
  }

  /** The answer of the artifact resolution service to a signed request. */
  static EdgeReply ask(Idp idp, ArtifactResolve resolve, SigningKey key) {
    return post(idp, new CanonicalSamlWriter().soap(resolve, key));
  }

  static EdgeReply post(Idp idp, byte[] envelope) {
    EdgeRequest request = SamlFixtures.soap(ARTIFACT_SERVICE, envelope);
    return idp.dispatch.handle(request);
  }

  static ReceivedArtifactResponse read(EdgeReply reply) {
    return switch (new StrictSamlReader()
        .artifactResponse(reply.body(), SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> received;
      case Result.Refused(var refusal) ->
          throw new AssertionError(refusal + "\n" + reply.text());
    };
  }

  /** The Response behind the artifact of a redirect, fetched as this partner. */
  static Response fetch(Idp idp, String issuer, EdgeReply redirect) {
    String artifact = parameter(redirect, "SAMLart");
    EdgeReply reply = ask(idp, resolve(idp, issuer, artifact), SamlFixtures.spKey());
    return (Response) read(reply).message().orElseThrow();
  }

  /** The Response that a page submits, as XML. */
  static String document(EdgeReply page) {
    return new String(
        Base64.getDecoder().decode(TestBrowser.field(page.text(), "SAMLResponse")), StandardCharsets.UTF_8);
  }

  /** Like {@link Idp#response}, by a partner that has a key. */
  static ReceivedResponse decrypted(EdgeReply page) {
    PostForm form =
        new PostForm(
            TestBrowser.attribute(page.text(), "action"),
            "SAMLResponse",
            TestBrowser.field(page.text(), "SAMLResponse"),
            Optional.empty());
    SamlReader.PartnerLookup lookup =
        SamlFixtures.partners(Idp.ownMetadata())
            .decryptingWith(() -> List.of(new DecryptionKey("sp", SamlFixtures.spKey().privateKey())));
    return switch (new StrictSamlReader().response(SamlFixtures.posted(form), lookup)) {
      case Result.Accepted(var received) -> received;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  static String path(String address) {
    URI uri = URI.create(address);
    return uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath();
  }
}

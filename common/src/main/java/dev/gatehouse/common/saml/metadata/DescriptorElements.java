package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.xml.XmlNamespace.ALG;
import static dev.gatehouse.common.saml.xml.XmlNamespace.DS;
import static dev.gatehouse.common.saml.xml.XmlNamespace.MD;
import static dev.gatehouse.common.saml.xml.XmlNamespace.MDUI;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAML;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SHIBMD;
import static dev.gatehouse.common.saml.xml.XmlNamespace.XENC11;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import dev.gatehouse.common.saml.signature.EnvelopedSigner;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import dev.gatehouse.common.saml.xml.CanonicalXml;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Writes our own descriptors in the order of the schema (SAML Metadata 2.3, 2.4), signed. */
final class DescriptorElements {

  private final CanonicalXml xml = new CanonicalXml();

  static byte[] idp(MetadataCodec.IdpDescriptor d, SigningKey key) {
    DescriptorElements elements = new DescriptorElements();
    String id = id(d.entityId(), d.validUntil());
    int slot = elements.entity(id, d.entityId(), d.validUntil(), d.cacheDuration());
    elements.idpRole(d);
    return elements.signed(id, slot, key);
  }

  static byte[] sp(MetadataCodec.SpDescriptor d, SigningKey key) {
    DescriptorElements elements = new DescriptorElements();
    String id = id(d.entityId(), d.validUntil());
    int slot = elements.entity(id, d.entityId(), d.validUntil(), d.cacheDuration());
    elements.spRole(d);
    return elements.signed(id, slot, key);
  }

  /** Returns the same ID for the same document, so that caches and people can compare copies. */
  private static String id(String entityId, Instant validUntil) {
    return "_" + Sha256.hex(entityId + ' ' + validUntil).substring(0, 40);
  }

  private int entity(String id, String entityId, Instant validUntil, Duration cacheDuration) {
    xml.start(MD, "EntityDescriptor")
        .attribute("ID", id)
        .attribute("entityID", entityId)
        .attribute("validUntil", validUntil.truncatedTo(ChronoUnit.SECONDS).toString())
        .attribute("cacheDuration", cacheDuration.truncatedTo(ChronoUnit.SECONDS).toString());
    return xml.position();
  }

  private void idpRole(MetadataCodec.IdpDescriptor d) {
    xml.start(MD, "IDPSSODescriptor")
        .attribute("protocolSupportEnumeration", XmlNamespace.SAMLP.uri())
        .attribute("WantAuthnRequestsSigned", String.valueOf(d.wantAuthnRequestsSigned()));
    extensions(d.ui(), d.scopes());
    keys(d.signing(), d.encryption());
    d.sso().artifactResolution().forEach(e -> indexed("ArtifactResolutionService", e));
    d.sso().singleLogout().forEach(endpoint -> endpoint("SingleLogoutService", endpoint));
    d.sso().manageNameId().forEach(endpoint -> endpoint("ManageNameIDService", endpoint));
    nameIdFormats(d.sso().nameIdFormats());
    d.singleSignOn().forEach(endpoint -> endpoint("SingleSignOnService", endpoint));
    xml.end();
  }

  private void spRole(MetadataCodec.SpDescriptor d) {
    xml.start(MD, "SPSSODescriptor")
        .attribute("protocolSupportEnumeration", XmlNamespace.SAMLP.uri())
        .attribute("AuthnRequestsSigned", "true")
        .attribute("WantAssertionsSigned", "true");
    extensions(d.ui(), List.of());
    keys(d.signing(), d.encryption());
    d.sso().artifactResolution().forEach(e -> indexed("ArtifactResolutionService", e));
    d.sso().singleLogout().forEach(endpoint -> endpoint("SingleLogoutService", endpoint));
    d.sso().manageNameId().forEach(endpoint -> endpoint("ManageNameIDService", endpoint));
    nameIdFormats(d.sso().nameIdFormats());
    d.assertionConsumers()
        .forEach(
            e -> indexed("AssertionConsumerService",
                new IndexedEndpoint(e.index(), e.isDefault(), e.binding(), e.location())));
    d.attributeConsumers().forEach(this::attributeConsumer);
    xml.end();
  }

  private void extensions(UiInfo ui, List<String> scopes) {
    xml.start(MD, "Extensions");
    algorithms();
    scopes.forEach(scope -> xml.start(SHIBMD, "Scope").attribute("regexp", "false").text(scope).end());
    if (!ui.equals(UiInfo.none())) {
      xml.start(MDUI, "UIInfo");
      localized("DisplayName", ui.names());
      localized("Description", ui.descriptions());
      ui.logos().forEach(this::logo);
      localized("InformationURL", ui.informationUrls());
      localized("PrivacyStatementURL", ui.privacyUrls());
      xml.end();
    }
    xml.end();
  }

  /** Writes the algorithms for signatures of partners (SAML Metadata Profile for Algorithm Support 2.3, 2.4). */
  private void algorithms() {
    EnvelopedSignature.DIGEST_METHODS.forEach(
        digest -> xml.start(ALG, "DigestMethod").attribute("Algorithm", digest).end());
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      xml.start(ALG, "SigningMethod")
          .attribute("Algorithm", algorithm.uri())
          .attribute("MinKeySize", String.valueOf(algorithm.leastBits()))
          .end();
    }
  }

  private void localized(String name, Map<String, String> texts) {
    texts.forEach((language, text) -> xml.start(MDUI, name).language(language).text(text).end());
  }

  private void logo(UiInfo.Logo logo) {
    xml.start(MDUI, "Logo")
        .attribute("height", String.valueOf(logo.height()))
        .attribute("width", String.valueOf(logo.width()));
    logo.language().ifPresent(xml::language);
    xml.text(logo.url()).end();
  }

  private void keys(List<VerificationKey> signing, List<VerificationKey> encryption) {
    signing.forEach(key -> keyDescriptor("signing", key).end());
    for (VerificationKey key : encryption) {
      keyDescriptor("encryption", key);
      for (ContentCipher cipher : List.of(ContentCipher.AES_256_GCM, ContentCipher.AES_128_GCM)) {
        xml.start(MD, "EncryptionMethod").attribute("Algorithm", cipher.uri()).end();
      }
      encryptionMethod(KeyTransport.RSA_OAEP_SHA256);
      encryptionMethod(KeyTransport.RSA_OAEP_MGF1P);
      xml.end();
    }
  }

  private void encryptionMethod(KeyTransport transport) {
    xml.start(MD, "EncryptionMethod").attribute("Algorithm", transport.uri());
    xml.start(DS, "DigestMethod").attribute("Algorithm", transport.digestUri()).end();
    transport.writtenMask().ifPresent(mask -> xml.start(XENC11, "MGF").attribute("Algorithm", mask).end());
    xml.end();
  }

  /** Starts a KeyDescriptor and leaves it open for the additions of an encryption key. */
  private CanonicalXml keyDescriptor(String use, VerificationKey key) {
    try {
      String certificate = Base64.getEncoder().encodeToString(key.certificate().getEncoded());
      xml.start(MD, "KeyDescriptor").attribute("use", use).start(DS, "KeyInfo").start(DS, "X509Data");
      return xml.element(DS, "X509Certificate", certificate).end().end();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("the certificate of key " + key.id() + " cannot be written", e);
    }
  }

  private void endpoint(String name, Endpoint endpoint) {
    xml.start(MD, name)
        .attribute("Binding", endpoint.binding().uri())
        .attribute("Location", endpoint.location())
        .attribute("ResponseLocation", endpoint.responseLocation())
        .end();
  }

  private void indexed(String name, IndexedEndpoint endpoint) {
    xml.start(MD, name)
        .attribute("Binding", endpoint.binding().uri())
        .attribute("Location", endpoint.location())
        .attribute("index", String.valueOf(endpoint.index()));
    if (endpoint.isDefault()) {
      xml.attribute("isDefault", "true");
    }
    xml.end();
  }

  private void attributeConsumer(AttributeConsumingService service) {
    xml.start(MD, "AttributeConsumingService").attribute("index", String.valueOf(service.index()));
    if (service.isDefault()) {
      xml.attribute("isDefault", "true");
    }
    service
        .serviceNames()
        .forEach((language, text) -> xml.start(MD, "ServiceName").language(language).text(text).end());
    service.requested().forEach(this::requestedAttribute);
    xml.end();
  }

  private void requestedAttribute(RequestedAttribute requested) {
    xml.start(MD, "RequestedAttribute")
        .attribute("Name", requested.name())
        .attribute("NameFormat", requested.nameFormat())
        .attribute("FriendlyName", requested.friendlyName())
        .attribute("isRequired", String.valueOf(requested.required()));
    requested.values().forEach(value -> xml.element(SAML, "AttributeValue", value));
    xml.end();
  }

  private void nameIdFormats(List<String> formats) {
    formats.forEach(format -> xml.element(MD, "NameIDFormat", format));
  }

  private byte[] signed(String id, int slot, SigningKey key) {
    xml.end();
    xml.insert(slot, EnvelopedSigner.signWithKeyInfo(xml.toString(), id, key));
    return xml.toString().getBytes(StandardCharsets.UTF_8);
  }
}

package dev.gatehouse.common.saml;

import static dev.gatehouse.common.saml.XmlNamespace.DS;
import static dev.gatehouse.common.saml.XmlNamespace.MD;
import static dev.gatehouse.common.saml.XmlNamespace.MDUI;

import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.key.VerificationKey;
import dev.gatehouse.common.saml.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.PartnerMetadata.Endpoint;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

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

  /** The same for the same document, so that caches and people can compare copies. */
  private static String id(String entityId, Instant validUntil) {
    byte[] digest = Crypto.digest("SHA-256", (entityId + ' ' + validUntil).getBytes(StandardCharsets.UTF_8));
    return "_" + HexFormat.of().formatHex(digest, 0, 20);
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
        .attribute("WantAuthnRequestsSigned", "false");
    displayName(d.displayName());
    d.signing().forEach(this::keyDescriptor);
    d.singleLogout().forEach(endpoint -> endpoint("SingleLogoutService", endpoint));
    nameIdFormats(d.nameIdFormats());
    d.singleSignOn().forEach(endpoint -> endpoint("SingleSignOnService", endpoint));
    xml.end();
  }

  private void spRole(MetadataCodec.SpDescriptor d) {
    xml.start(MD, "SPSSODescriptor")
        .attribute("protocolSupportEnumeration", XmlNamespace.SAMLP.uri())
        .attribute("AuthnRequestsSigned", "true")
        .attribute("WantAssertionsSigned", "true");
    displayName(d.displayName());
    d.signing().forEach(this::keyDescriptor);
    d.singleLogout().forEach(endpoint -> endpoint("SingleLogoutService", endpoint));
    nameIdFormats(d.nameIdFormats());
    d.assertionConsumers().forEach(this::assertionConsumer);
    xml.end();
  }

  private void displayName(String name) {
    xml.start(MD, "Extensions").start(MDUI, "UIInfo");
    xml.start(MDUI, "DisplayName").language("en").text(name).end();
    xml.end().end();
  }

  private void keyDescriptor(VerificationKey key) {
    try {
      String certificate = Base64.getEncoder().encodeToString(key.certificate().getEncoded());
      xml.start(MD, "KeyDescriptor").attribute("use", "signing").start(DS, "KeyInfo").start(DS, "X509Data");
      xml.element(DS, "X509Certificate", certificate).end().end().end();
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

  private void assertionConsumer(AssertionConsumerService consumer) {
    xml.start(MD, "AssertionConsumerService")
        .attribute("Binding", consumer.binding().uri())
        .attribute("Location", consumer.location())
        .attribute("index", String.valueOf(consumer.index()));
    if (consumer.isDefault()) {
      xml.attribute("isDefault", "true");
    }
    xml.end();
  }

  private void nameIdFormats(List<String> formats) {
    formats.forEach(format -> xml.element(MD, "NameIDFormat", format));
  }

  private byte[] signed(String id, int slot, SigningKey key) {
    xml.end();
    xml.insert(slot, EnvelopedSigner.sign(xml.toString(), id, key));
    return xml.toString().getBytes(StandardCharsets.UTF_8);
  }
}

package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_ALGORITHM;
import static dev.gatehouse.common.saml.xml.XmlNamespace.DS;
import static dev.gatehouse.common.saml.xml.XmlNamespace.MD;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Entity;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Signature;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Verdict;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.HardenedParser;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** Looks at metadata that an administrator is about to import: what they describe, and what their signature is worth. */
public final class MetadataInspector {

  private final HardenedParser parser = CanonicalMetadataCodec.parser();

  /**
   * Returns what the document says of itself.
   *
   * @param entityId the chosen entity; may be absent if the document describes one only
   * @param verifyWith the certificate whose key should have signed the document
   */
  public Result<MetadataOutline, SamlRefusal> outline(
      byte[] document, Optional<String> entityId, Optional<X509Certificate> verifyWith) {
    try {
      Element root = CanonicalMetadataCodec.root(parser, document);
      List<Element> descriptors = CanonicalMetadataCodec.descriptors(root);
      List<Entity> entities = descriptors.stream().map(MetadataInspector::entity).toList();
      Optional<Element> chosen =
          descriptors.size() == 1 && entityId.isEmpty()
              ? descriptors.stream().findFirst()
              : descriptors.stream().filter(one -> entityId.equals(Optional.of(id(one)))).findFirst();
      Optional<Instant> validUntil =
          Stream.concat(Stream.of(root), chosen.stream())
              .flatMap(element -> XmlValues.instant(element, "validUntil").stream())
              .min(Comparator.naturalOrder());
      return Result.accepted(new MetadataOutline(entities, validUntil, signature(root, chosen, verifyWith)));
    } catch (MessageRefused e) {
      return Result.refused(e.refusal());
    }
  }

  static Entity entity(Element descriptor) {
    return new Entity(id(descriptor), hasRole(descriptor, "IDPSSODescriptor"), hasRole(descriptor, "SPSSODescriptor"));
  }

  private static String id(Element descriptor) {
    return Dom.attribute(descriptor, "entityID").orElse("");
  }

  private static boolean hasRole(Element descriptor, String name) {
    return Dom.children(descriptor, MD, name).stream()
        .flatMap(role -> Dom.attribute(role, "protocolSupportEnumeration").stream())
        .anyMatch(protocols -> List.of(protocols.strip().split("\\s+")).contains(XmlNamespace.SAMLP.uri()));
  }

  /** The element is the one that {@link CanonicalMetadataCodec} verifies. */
  private static Signature signature(Element root, Optional<Element> chosen, Optional<X509Certificate> verifyWith) {
    Element signed = Dom.child(root, DS, "Signature").isPresent() ? root : chosen.orElse(root);
    Optional<Element> element = Dom.child(signed, DS, "Signature");
    if (element.isEmpty()) {
      return Signature.ABSENT;
    }
    Optional<X509Certificate> carried = carried(element.get());
    Optional<X509Certificate> by = verifyWith.or(() -> carried);
    try {
      EnvelopedSignature signature = EnvelopedSignature.of(signed).orElseThrow();
      if (by.isEmpty()) {
        return new Signature(Verdict.UNVERIFIED, Optional.empty(), Optional.of("the signature carries no certificate"));
      }
      signature.verify(signed, List.of(by.get().getPublicKey()));
      return new Signature(verifyWith.isPresent() ? Verdict.VERIFIED : Verdict.INTACT, carried, Optional.empty());
    } catch (MessageRefused e) {
      boolean isUnsupported = verifyWith.isEmpty() && e.refusal().reason() == SIGNATURE_ALGORITHM;
      return new Signature(isUnsupported ? Verdict.UNSUPPORTED : Verdict.INVALID, carried, Optional.of(e.refusal().detail()));
    }
  }

  /** Returns the first certificate of the KeyInfo (XML Signature, section 4.5.4). */
  private static Optional<X509Certificate> carried(Element signature) {
    return Dom.children(signature, DS, "KeyInfo").stream()
        .flatMap(info -> Dom.children(info, DS, "X509Data").stream())
        .flatMap(data -> Dom.children(data, DS, "X509Certificate").stream())
        .flatMap(element -> XmlValues.wrappedBase64(Dom.text(element)).stream())
        .flatMap(encoded -> certificate(encoded).stream())
        .findFirst();
  }

  private static Optional<X509Certificate> certificate(byte[] encoded) {
    try {
      var factory = CertificateFactory.getInstance("X.509");
      return Optional.of((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded)));
    } catch (CertificateException e) {
      return Optional.empty();
    }
  }
}

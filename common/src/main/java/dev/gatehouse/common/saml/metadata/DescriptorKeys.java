package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.xml.XmlNamespace.DS;
import static dev.gatehouse.common.saml.xml.XmlNamespace.MD;
import static dev.gatehouse.common.saml.xml.XmlNamespace.XENC11;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.opensaml.saml.saml2.metadata.KeyDescriptor;
import org.opensaml.saml.saml2.metadata.RoleDescriptor;
import org.opensaml.security.credential.UsageType;
import org.opensaml.xmlsec.signature.X509Data;
import org.w3c.dom.Element;

/**
 * The keys of a role (SAML Metadata 2.4.1.1). Only the first certificate of each X509Data is used: further ones of a chain are
 * authorities, whose keys must not sign messages. A KeyValue without certificate is ignored.
 */
final class DescriptorKeys {

  private static final int FEWEST_BITS = 2048;

  private final RoleDescriptor role;
  private final List<String> notes;

  DescriptorKeys(RoleDescriptor role, List<String> notes) {
    this.role = role;
    this.notes = notes;
  }

  /** Returns the keys for signing, or for any use; adds a note about each key that cannot verify anything. */
  List<X509Certificate> signing() {
    List<X509Certificate> all = signingCertificates();
    List<X509Certificate> unusable =
        all.stream().filter(certificate -> !SignatureAlgorithm.anyFits(certificate.getPublicKey())).toList();
    unusable.forEach(
        certificate ->
            notes.add(
                "a key for signatures cannot be used: it is "
                    + SignatureAlgorithm.described(certificate.getPublicKey())
                    + ", where RSA of 2048 or EC of 256 bits are the least"));
    if (!all.isEmpty() && unusable.size() == all.size()) {
      notes.add("none of its keys can verify a signature: every signed message of its is refused");
    }
    return all;
  }

  private List<X509Certificate> signingCertificates() {
    return role.getKeyDescriptors().stream()
        .filter(key -> key.getUse() != UsageType.ENCRYPTION)
        .flatMap(DescriptorKeys::encoded)
        .map(DescriptorKeys::certificate)
        .map(found -> found.orElseThrow(() -> new MessageRefused(SCHEMA, "a certificate that cannot be read")))
        .distinct()
        .toList();
  }

  /**
   * Returns the keys for encryption, or for any use, that we can encrypt to. Other keys are no reason to refuse the document: a
   * realm that requires encryption will find no key.
   */
  List<EncryptionKey> encryption() {
    return role.getKeyDescriptors().stream()
        .filter(key -> key.getUse() != UsageType.SIGNING)
        .flatMap(key -> encoded(key).flatMap(base64 -> encryptionKey(key, base64).stream()))
        .distinct()
        .toList();
  }

  private Optional<EncryptionKey> encryptionKey(KeyDescriptor descriptor, String base64) {
    Element dom = MetadataObjects.dom(descriptor);
    Optional<X509Certificate> certificate = certificate(base64);
    if (certificate.isEmpty()) {
      return skipped(descriptor, "its certificate cannot be read");
    }
    if (!(certificate.get().getPublicKey() instanceof RSAPublicKey rsa)
        || rsa.getModulus().bitLength() < FEWEST_BITS) {
      return skipped(descriptor, "it is not RSA of at least " + FEWEST_BITS + " bits");
    }
    List<Element> methods = Dom.children(dom, MD, "EncryptionMethod");
    Optional<ContentCipher> content = content(methods);
    Optional<KeyTransport> transport = transport(methods);
    if (content.isEmpty() || transport.isEmpty()) {
      return skipped(descriptor, "it lists neither AES-GCM nor RSA-OAEP, or only one of them");
    }
    return Optional.of(new EncryptionKey(certificate.get(), content.get(), transport.get()));
  }

  /** Adds a note only if the key is for encryption alone: other keys still serve for signatures. */
  private Optional<EncryptionKey> skipped(KeyDescriptor descriptor, String why) {
    if (descriptor.getUse() == UsageType.ENCRYPTION) {
      notes.add("a key for encryption cannot be used: " + why);
    }
    return Optional.empty();
  }

  /** Returns the first listed cipher (XML Encryption's lists are in order of preference); AES-128-GCM if none is listed. */
  private static Optional<ContentCipher> content(List<Element> methods) {
    List<String> listed = algorithms(methods).filter(uri -> !uri.contains("rsa-")).toList();
    if (listed.isEmpty()) {
      return Optional.of(ContentCipher.AES_128_GCM);
    }
    return listed.stream().flatMap(uri -> ContentCipher.ofUri(uri).stream()).findFirst();
  }

  /** Returns SHA-256 for digest and mask if both are listed or unspecified; otherwise the form that every product reads. */
  private static Optional<KeyTransport> transport(List<Element> methods) {
    List<Element> listed = methods.stream().filter(e -> algorithm(e).contains("rsa-")).toList();
    if (listed.isEmpty()) {
      return Optional.of(KeyTransport.RSA_OAEP_MGF1P);
    }
    return listed.stream().flatMap(e -> transport(e).stream()).findFirst();
  }

  private static Optional<KeyTransport> transport(Element method) {
    return Arrays.stream(KeyTransport.values())
        .filter(transport -> transport.uri().equals(algorithm(method)))
        .filter(transport -> fits(method, DS, "DigestMethod", transport.digestUri()))
        .filter(transport -> fits(method, XENC11, "MGF", transport.maskUri()))
        .findFirst();
  }

  private static boolean fits(Element method, XmlNamespace namespace, String name, String wanted) {
    List<String> listed = algorithms(Dom.children(method, namespace, name)).toList();
    return listed.isEmpty() || listed.contains(wanted);
  }

  private static Stream<String> algorithms(List<Element> elements) {
    return elements.stream().map(DescriptorKeys::algorithm);
  }

  private static String algorithm(Element element) {
    return Dom.attribute(element, "Algorithm").map(String::strip).orElse("");
  }

  private static Stream<String> encoded(KeyDescriptor key) {
    return Stream.ofNullable(key.getKeyInfo())
        .flatMap(info -> info.getX509Datas().stream())
        .map(X509Data::getX509Certificates)
        .flatMap(certificates -> certificates.stream().limit(1))
        .map(certificate -> String.valueOf(certificate.getValue()));
  }

  private static Optional<X509Certificate> certificate(String base64) {
    return XmlValues.wrappedBase64(base64)
        .flatMap(
            encoded -> {
              try {
                var factory = CertificateFactory.getInstance("X.509");
                return Optional.of((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded)));
              } catch (CertificateException e) {
                return Optional.empty();
              }
            });
  }
}

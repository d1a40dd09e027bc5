package dev.gatehouse.common.saml;

import static dev.gatehouse.common.saml.XmlNamespace.DS;

import dev.gatehouse.common.key.SigningKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Makes the {@code ds:Signature} of an element that {@link CanonicalXml} wrote: what was written is what is digested
 * (SAML Core 5.4). Without KeyInfo in messages, since partners trust the keys of our metadata and no others.
 */
final class EnvelopedSigner {

  private static final String EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
  private static final String START = "<ds:SignedInfo>";
  private static final String START_ALONE = "<ds:SignedInfo xmlns:ds=\"" + DS.uri() + "\">";

  private EnvelopedSigner() {}

  /**
   * Signs the element of that ID.
   *
   * @param element whole and canonical, without Signature
   * @return the Signature element
   */
  static String sign(String element, String id, SigningKey key) {
    String digest = base64(Crypto.digest("SHA-256", element.getBytes(StandardCharsets.UTF_8)));
    CanonicalXml xml = new CanonicalXml().start(DS, "Signature");
    int start = xml.position();
    xml.start(DS, "SignedInfo");
    method(xml, "CanonicalizationMethod", EXCLUSIVE_C14N);
    method(xml, "SignatureMethod", SignatureAlgorithm.of(key.algorithm()).uri());
    xml.start(DS, "Reference").attribute("URI", "#" + id).start(DS, "Transforms");
    method(xml, "Transform", "http://www.w3.org/2000/09/xmldsig#enveloped-signature");
    method(xml, "Transform", EXCLUSIVE_C14N);
    xml.end();
    method(xml, "DigestMethod", "http://www.w3.org/2001/04/xmlenc#sha256");
    xml.element(DS, "DigestValue", digest).end().end();
    // Canonicalised by itself, SignedInfo declares the namespace that Signature declares for it here.
    String signedInfo = START_ALONE + xml.since(start).substring(START.length());
    byte[] value = Crypto.sign(key, signedInfo.getBytes(StandardCharsets.UTF_8));
    return xml.element(DS, "SignatureValue", base64(value)).end().toString();
  }

  private static void method(CanonicalXml xml, String name, String algorithm) {
    xml.start(DS, name).attribute("Algorithm", algorithm).end();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}

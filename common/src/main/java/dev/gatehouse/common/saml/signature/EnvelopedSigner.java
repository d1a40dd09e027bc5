package dev.gatehouse.common.saml.signature;

import static dev.gatehouse.common.saml.xml.XmlNamespace.DS;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.xml.CanonicalXml;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;

/**
 * Creates the {@code ds:Signature} of an element that {@link CanonicalXml} wrote: the written text is the digested text (SAML
 * Core 5.4). Messages have no KeyInfo, since partners trust only the keys in our metadata. Metadata have one: a partner that
 * verifies them by a certificate of its own finds there which of our keys signed (SAML Metadata 3.1).
 */
public final class EnvelopedSigner {

  private static final String EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
  private static final String START = "<ds:SignedInfo>";

  /** The start of SignedInfo in its own canonical form: it declares the namespace that Signature declares in the message. */
  private static final String START_ALONE = "<ds:SignedInfo xmlns:ds=\"" + DS.uri() + "\">";

  private static final String END = "</ds:Signature>";

  private static final String ID_PLACEHOLDER = "place-of-id";
  private static final String DIGEST_PLACEHOLDER = "place-of-digest";
  private static final String VALUE_PLACEHOLDER = "place-of-value";

  /** The constant parts of all signatures of one algorithm. */
  private record Frame(String start, String toId, String toDigest, String toEnd, String toValue, String end) {}

  private static final Map<SignatureAlgorithm, Frame> FRAMES = frames();

  private EnvelopedSigner() {}

  /**
   * Signs the element with that ID.
   *
   * @param element complete and canonical, without Signature
   * @return the Signature element
   */
  public static String sign(String element, String id, SigningKey key) {
    Frame frame = frame(SignatureAlgorithm.of(key.algorithm()));
    String digest = base64(Sha256.of(element));
    String signedInfo = frame.toId() + CanonicalXml.attributeValue(id) + frame.toDigest() + digest + frame.toEnd();
    byte[] value = Crypto.sign(key, (START_ALONE + signedInfo).getBytes(StandardCharsets.UTF_8));
    return frame.start() + START + signedInfo + frame.toValue() + base64(value) + frame.end();
  }

  /** As {@link #sign}, with the certificate in a KeyInfo (XML Signature, section 4.5). */
  public static String signWithKeyInfo(String element, String id, SigningKey key) {
    String signature = sign(element, id, key);
    return signature.substring(0, signature.length() - END.length()) + keyInfo(key) + END;
  }

  private static String keyInfo(SigningKey key) {
    try {
      return "<ds:KeyInfo><ds:X509Data><ds:X509Certificate>"
          + base64(key.certificate().getEncoded())
          + "</ds:X509Certificate></ds:X509Data></ds:KeyInfo>";
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("the certificate of key " + key.id() + " cannot be written", e);
    }
  }

  private static Frame frame(SignatureAlgorithm algorithm) {
    Frame frame = FRAMES.get(algorithm);
    if (frame == null) {
      throw new IllegalStateException("no frame for " + algorithm);
    }
    return frame;
  }

  private static Map<SignatureAlgorithm, Frame> frames() {
    Map<SignatureAlgorithm, Frame> frames = new EnumMap<>(SignatureAlgorithm.class);
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      String whole = signature(algorithm);
      int info = whole.indexOf(START);
      int id = whole.indexOf(ID_PLACEHOLDER);
      int digest = whole.indexOf(DIGEST_PLACEHOLDER);
      int infoEnd = whole.indexOf("</ds:SignedInfo>") + "</ds:SignedInfo>".length();
      int value = whole.indexOf(VALUE_PLACEHOLDER);
      frames.put(
          algorithm,
          new Frame(
              whole.substring(0, info),
              whole.substring(info + START.length(), id),
              whole.substring(id + ID_PLACEHOLDER.length(), digest),
              whole.substring(digest + DIGEST_PLACEHOLDER.length(), infoEnd),
              whole.substring(infoEnd, value),
              whole.substring(value + VALUE_PLACEHOLDER.length())));
    }
    return frames;
  }

  /** Writes a signature with placeholders for the values. */
  private static String signature(SignatureAlgorithm algorithm) {
    CanonicalXml xml = new CanonicalXml().start(DS, "Signature").start(DS, "SignedInfo");
    method(xml, "CanonicalizationMethod", EXCLUSIVE_C14N);
    method(xml, "SignatureMethod", algorithm.uri());
    xml.start(DS, "Reference").attribute("URI", "#" + ID_PLACEHOLDER).start(DS, "Transforms");
    method(xml, "Transform", "http://www.w3.org/2000/09/xmldsig#enveloped-signature");
    method(xml, "Transform", EXCLUSIVE_C14N);
    xml.end();
    method(xml, "DigestMethod", "http://www.w3.org/2001/04/xmlenc#sha256");
    xml.element(DS, "DigestValue", DIGEST_PLACEHOLDER).end().end();
    return xml.element(DS, "SignatureValue", VALUE_PLACEHOLDER).end().toString();
  }

  private static void method(CanonicalXml xml, String name, String algorithm) {
    xml.start(DS, name).attribute("Algorithm", algorithm).end();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}

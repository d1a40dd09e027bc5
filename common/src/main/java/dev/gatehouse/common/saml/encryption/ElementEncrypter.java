package dev.gatehouse.common.saml.encryption;

import static dev.gatehouse.common.saml.xml.XmlNamespace.DS;
import static dev.gatehouse.common.saml.xml.XmlNamespace.XENC;
import static dev.gatehouse.common.saml.xml.XmlNamespace.XENC11;

import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.saml.xml.CanonicalXml;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Writes EncryptedAssertion, EncryptedID and EncryptedAttribute (SAML Core 2.2.4, 2.3.4, 2.7.3.2) for one partner, each with its
 * own key. The EncryptedKey is inside EncryptedData, where every product looks for it.
 */
public final class ElementEncrypter {

  static final String ELEMENT = "http://www.w3.org/2001/04/xmlenc#Element";

  private final Encryption encryption;
  private final SecureRandom random;

  public ElementEncrypter(Encryption encryption, SecureRandom random) {
    this.encryption = encryption;
    this.random = random;
  }

  public boolean encrypts(Encrypted what) {
    return encryption.what().contains(what);
  }

  /**
   * Writes the encrypted form.
   *
   * @param namespace and {@code name} of the element that replaces it, such as EncryptedID
   * @param element complete, with all namespaces that it uses
   */
  public void write(CanonicalXml xml, XmlNamespace namespace, String name, String element) {
    EncryptionKey to = encryption.key();
    KeyTransport transport = to.transport();
    byte[] key = new byte[to.content().keyBytes()];
    random.nextBytes(key);
    byte[] sealed = XmlCiphers.seal(key, element.getBytes(StandardCharsets.UTF_8), random);
    byte[] wrapped = XmlCiphers.wrap(transport.oaep(), to.certificate().getPublicKey(), key);

    xml.start(namespace, name).start(XENC, "EncryptedData").attribute("Type", ELEMENT);
    xml.start(XENC, "EncryptionMethod").attribute("Algorithm", to.content().uri()).end();
    xml.start(DS, "KeyInfo").start(XENC, "EncryptedKey");
    xml.start(XENC, "EncryptionMethod").attribute("Algorithm", transport.uri());
    xml.start(DS, "DigestMethod").attribute("Algorithm", transport.digestUri()).end();
    transport.writtenMask().ifPresent(mask -> xml.start(XENC11, "MGF").attribute("Algorithm", mask).end());
    xml.end();
    cipherData(xml, wrapped);
    xml.end().end();
    cipherData(xml, sealed);
    xml.end().end();
  }

  private static void cipherData(CanonicalXml xml, byte[] value) {
    xml.start(XENC, "CipherData");
    xml.element(XENC, "CipherValue", Base64.getEncoder().encodeToString(value)).end();
  }
}

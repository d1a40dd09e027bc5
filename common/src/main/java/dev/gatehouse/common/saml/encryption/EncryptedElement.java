package dev.gatehouse.common.saml.encryption;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.ASSERTION_ENCRYPTED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.DECRYPTION_FAILED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.ENCRYPTION_ALGORITHM;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.xml.XmlNamespace.DS;
import static dev.gatehouse.common.saml.xml.XmlNamespace.XENC;
import static dev.gatehouse.common.saml.xml.XmlNamespace.XENC11;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlGrammars;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.spec.OAEPParameterSpec;
import org.w3c.dom.Element;

/**
 * The one form of XML Encryption that we read, in an element that {@link SamlGrammars} has checked: AES-GCM with a key wrapped by
 * RSA-OAEP in an EncryptedKey inside or beside the EncryptedData. Other algorithms are refused before any decryption. References
 * in the element, such as RetrievalMethod and CipherReference, are never followed.
 *
 * <p>All later failures have one refusal and the same amount of work: every EncryptedKey is tried with every key of ours, and
 * each time the content is decrypted, under a random key if none was found. A sender therefore cannot learn from us whether the
 * key or the content was wrong.
 */
public final class EncryptedElement {

  private static final int MAX_KEYS = 4;
  private static final SecureRandom RANDOM = new SecureRandom();

  private record WrappedKey(OAEPParameterSpec oaep, byte[] value) {}

  private final String name;
  private final ContentCipher cipher;
  private final byte[] content;
  private final List<WrappedKey> keys;

  private EncryptedElement(Element wrapper) {
    this.name = Dom.name(wrapper);
    Element data = XmlValues.required(wrapper, XENC, "EncryptedData");
    if (Dom.attribute(data, "Type").filter(type -> !type.equals(ElementEncrypter.ELEMENT)).isPresent()) {
      throw new MessageRefused(SCHEMA, "EncryptedData of something else than an element");
    }
    this.cipher =
        method(data)
            .flatMap(method -> ContentCipher.ofUri(algorithm(method)))
            .orElseThrow(() -> new MessageRefused(ENCRYPTION_ALGORITHM, "a content cipher other than AES-GCM"));
    this.keys =
        Stream.concat(
                Dom.child(data, DS, "KeyInfo").stream().flatMap(info -> encryptedKeys(info).stream()),
                encryptedKeys(wrapper).stream())
            .map(key -> new WrappedKey(oaep(key), cipherValue(key)))
            .toList();
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new MessageRefused(SCHEMA, keys.size() + " EncryptedKeys in " + Dom.name(wrapper));
    }
    this.content = cipherValue(data);
  }

  /** Reads the element without decrypting it; throws {@link MessageRefused} if it has another form. */
  public static EncryptedElement of(Element wrapper) {
    return new EncryptedElement(wrapper);
  }

  /**
   * Returns the plain octets.
   *
   * @throws MessageRefused with {@link SamlRefusal.Reason#DECRYPTION_FAILED} if no key opens it, or {@link
   *     SamlRefusal.Reason#ASSERTION_ENCRYPTED} if there is no key
   */
  public byte[] decrypt(List<DecryptionKey> ours) {
    if (ours.isEmpty()) {
      throw new MessageRefused(ASSERTION_ENCRYPTED, name + " where we have no key to decrypt it");
    }
    byte[] randomKey = new byte[cipher.keyBytes()];
    RANDOM.nextBytes(randomKey);
    for (DecryptionKey own : ours) {
      for (WrappedKey wrapped : keys) {
        Optional<byte[]> key =
            XmlCiphers.unwrap(wrapped.oaep(), own.privateKey(), wrapped.value())
                .filter(found -> found.length == cipher.keyBytes());
        Optional<byte[]> opened = XmlCiphers.open(key.orElse(randomKey), content);
        if (key.isPresent() && opened.isPresent()) {
          return opened.get();
        }
      }
    }
    throw new MessageRefused(DECRYPTION_FAILED, "an encrypted element cannot be decrypted");
  }

  /** Returns the encrypted octets, which tell the element from others. */
  public byte[] ciphertext() {
    return content.clone();
  }

  private static List<Element> encryptedKeys(Element parent) {
    return Dom.children(parent, XENC, "EncryptedKey");
  }

  /** XML Encryption 1.1, sections 5.5.2 and 5.5.3. RSA 1.5 is not among them. */
  private static OAEPParameterSpec oaep(Element key) {
    Element method =
        method(key).orElseThrow(() -> new MessageRefused(ENCRYPTION_ALGORITHM, "an EncryptedKey without method"));
    Optional<Element> mask = Dom.child(method, XENC11, "MGF");
    boolean maskIsFixed = algorithm(method).equals(KeyTransport.RSA_OAEP_MGF1P.uri());
    boolean known = maskIsFixed || algorithm(method).equals(KeyTransport.RSA_OAEP_SHA256.uri());
    boolean labelled = Dom.child(method, XENC, "OAEPparams").filter(p -> !Dom.text(p).isBlank()).isPresent();
    if (!known || labelled || (maskIsFixed && mask.isPresent())) {
      throw new MessageRefused(ENCRYPTION_ALGORITHM, "a key transport other than RSA-OAEP");
    }
    Optional<String> digest = Dom.child(method, DS, "DigestMethod").map(EncryptedElement::algorithm);
    return Oaep.of(digest, mask.map(EncryptedElement::algorithm))
        .orElseThrow(() -> new MessageRefused(ENCRYPTION_ALGORITHM, "RSA-OAEP with an unknown digest or mask"));
  }

  private static byte[] cipherValue(Element parent) {
    Element value = XmlValues.required(XmlValues.required(parent, XENC, "CipherData"), XENC, "CipherValue");
    return XmlValues.wrappedBase64(Dom.text(value))
        .orElseThrow(() -> new MessageRefused(SCHEMA, "a CipherValue that is not base64"));
  }

  private static Optional<Element> method(Element parent) {
    return Dom.child(parent, XENC, "EncryptionMethod");
  }

  private static String algorithm(Element method) {
    return Dom.attribute(method, "Algorithm").orElse("");
  }
}

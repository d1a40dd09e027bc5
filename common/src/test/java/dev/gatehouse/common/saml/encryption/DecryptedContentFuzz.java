package dev.gatehouse.common.saml.encryption;

import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * The text inside an EncryptedAssertion, which anybody with our certificate can create: it is refused, or the accepted content is
 * the signed content.
 */
public final class DecryptedContentFuzz {

  private static final byte[] KEY = new byte[16];
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Generated once: encrypting the key for each input would take most of the time. */
  private static final class Frame {
    static final String BEFORE;
    static final String AFTER;

    static {
      byte[] wrapped =
          XmlCiphers.wrap(
              KeyTransport.RSA_OAEP_MGF1P.oaep(), SamlFixtures.spKey().certificate().getPublicKey(), KEY);
      String response = Forgery.unsignedResponse();
      int start = response.indexOf("<saml2:Assertion");
      String method = "<xenc:EncryptionMethod Algorithm=\"%s\"/>";
      String data = "<xenc:CipherData><xenc:CipherValue>";
      String dataEnd = "</xenc:CipherValue></xenc:CipherData>";
      BEFORE =
          response.substring(0, start)
              + "<saml2:EncryptedAssertion xmlns:saml2=\"" + XmlNamespace.SAML.uri() + "\">"
              + "<xenc:EncryptedData xmlns:xenc=\"" + XmlNamespace.XENC.uri() + "\">"
              + method.formatted(ContentCipher.AES_128_GCM.uri())
              + "<ds:KeyInfo xmlns:ds=\"" + XmlNamespace.DS.uri() + "\"><xenc:EncryptedKey>"
              + method.formatted(KeyTransport.RSA_OAEP_MGF1P.uri())
              + data + Base64.getEncoder().encodeToString(wrapped) + dataEnd
              + "</xenc:EncryptedKey></ds:KeyInfo>" + data;
      AFTER = dataEnd + "</xenc:EncryptedData></saml2:EncryptedAssertion></saml2p:Response>";
    }
  }

  private DecryptedContentFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    EncryptedResponseFuzz.fuzzerInitialize();
  }

  public static void fuzzerTestOneInput(byte[] plain) {
    String sealed = Base64.getEncoder().encodeToString(XmlCiphers.seal(KEY, plain, RANDOM));
    EncryptedResponseFuzz.check((Frame.BEFORE + sealed + Frame.AFTER).getBytes(StandardCharsets.UTF_8));
  }

  public static List<byte[]> seeds() {
    String signed = Forgery.response(SamlWriter.Signed.ASSERTION);
    String assertion =
        signed.substring(signed.indexOf("<saml2:Assertion"), signed.indexOf("</saml2p:Response>"));
    return List.of(assertion.getBytes(StandardCharsets.UTF_8));
  }
}

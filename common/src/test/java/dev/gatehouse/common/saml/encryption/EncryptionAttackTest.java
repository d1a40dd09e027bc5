package dev.gatehouse.common.saml.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.Forgery.Recipe;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.xml.CanonicalXml;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SECURITY-CASES 23, and 1 to 7 with the attack hidden in ciphertext: anybody with our certificate can encrypt, so decrypted text is
 * as untrusted as any.
 */
class EncryptionAttackTest {

  private static final SigningKey OURS = SamlFixtures.spKey();
  private static final String SAML_NS = " xmlns:saml2=\"urn:oasis:names:tc:SAML:2.0:assertion\"";

  private final String unsigned = Forgery.unsignedResponse();
  private final String assertion = between(Forgery.response(SamlWriter.Signed.ASSERTION), "Assertion");
  private final String honest = around(encrypted(assertion));

  @Test
  void honestOne() {
    assertThat(EncryptionTest.accepted(read(honest)).assertions()).hasSize(1);
  }

  /** Refused before any decryption: a broken key beside it changes nothing. */
  @ParameterizedTest
  @CsvSource({
    "http://www.w3.org/2009/xmlenc11#aes256-gcm,http://www.w3.org/2001/04/xmlenc#aes256-cbc",
    "http://www.w3.org/2009/xmlenc11#aes256-gcm,http://www.w3.org/2001/04/xmlenc#aes128-cbc",
    "http://www.w3.org/2009/xmlenc11#aes256-gcm,http://www.w3.org/2001/04/xmlenc#tripledes-cbc",
    "http://www.w3.org/2009/xmlenc11#aes256-gcm,http://www.w3.org/2009/xmlenc11#AES256-GCM",
    "http://www.w3.org/2009/xmlenc11#aes256-gcm,''",
    "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p,http://www.w3.org/2001/04/xmlenc#rsa-1_5",
    "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p,http://www.w3.org/2001/04/xmlenc#kw-aes256",
    "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p,http://www.w3.org/2001/04/xmlenc#dh",
    "http://www.w3.org/2000/09/xmldsig#sha1,http://www.w3.org/2001/04/xmldsig-more#md5",
    "http://www.w3.org/2000/09/xmldsig#sha1,''",
  })
  void weakAlgorithms(String from, String to) {
    String weak = Forgery.replaceOnce(honest, from, to);

    assertThat(reason(weak)).isEqualTo(Reason.ENCRYPTION_ALGORITHM);
    assertThat(reason(weak.replaceAll("<xenc:CipherValue>.{8}", "<xenc:CipherValue>AAAAAAAA")))
        .isEqualTo(Reason.ENCRYPTION_ALGORITHM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<xenc:OAEPparams>bGFiZWw=</xenc:OAEPparams>",
        "<xenc11:MGF xmlns:xenc11=\"http://www.w3.org/2009/xmlenc11#\" Algorithm=\"urn:mask\"/>",
      })
  void unknownParametersOfRsa(String parameter) {
    String method = "<ds:DigestMethod Algorithm=\"http://www.w3.org/2000/09/xmldsig#sha1\"></ds:DigestMethod>";

    assertThat(reason(Forgery.replaceOnce(honest, method, parameter))).isEqualTo(Reason.ENCRYPTION_ALGORITHM);
  }

  @Test
  void withoutMethods() {
    assertThat(reason(honest.replaceFirst("<xenc:EncryptionMethod .*?</xenc:EncryptionMethod>", "")))
        .isEqualTo(Reason.ENCRYPTION_ALGORITHM);
  }

  /** One reason and one text for all of them. */
  @Test
  void whateverFailsInDecryptingIsOneRefusal() {
    var wrongKey = refusal(around(encrypted(assertion, SamlFixtures.strangerKey())));

    assertThat(wrongKey.reason()).isEqualTo(Reason.DECRYPTION_FAILED);
    for (String broken : broken()) {
      assertThat(refusal(broken)).isEqualTo(wrongKey);
    }
  }

  /** Returns messages whose key or content was changed. */
  List<String> broken() {
    return List.of(
        changed(0, 0), changed(0, 200), changed(1, 0), changed(1, 5), changed(1, 40), changed(1, -1), cut(0, 255), cut(0, 1), cut(1, 29),
        cut(1, 28), cut(1, 12), cut(1, 1), honest.replace("aes256-gcm", "aes128-gcm"), honest.replace("aes256-gcm", "aes192-gcm"));
  }

  String honest() {
    return honest;
  }

  /** A key of the right length that is not the content's, as an attacker with our certificate can create it. */
  @Test
  void anotherContentUnderAnHonestKey() {
    String other = around(encrypted(assertion));

    assertThat(reason(withCipherValue(honest, 1, cipherValue(other, 1)))).isEqualTo(Reason.DECRYPTION_FAILED);
    assertThat(reason(withCipherValue(honest, 0, cipherValue(other, 0)))).isEqualTo(Reason.DECRYPTION_FAILED);
  }

  /** The same work for a key that is not ours and for changed content. Medians of many measurements, alternating. */
  @Test
  void wrongKeyAndWrongTagTakeTheSameTime() {
    String wrongKey = around(encrypted(assertion, SamlFixtures.strangerKey()));
    String wrongTag = changed(1, -1);
    int rounds = 400;
    long[] ofKey = new long[rounds];
    long[] ofTag = new long[rounds];
    for (int i = -100; i < rounds; i++) {
      long key = time(wrongKey);
      long tag = time(wrongTag);
      if (i >= 0) {
        ofKey[i] = key;
        ofTag[i] = tag;
      }
    }
    Arrays.sort(ofKey);
    Arrays.sort(ofTag);
    double ratio = (double) ofKey[rounds / 4] / ofTag[rounds / 4];

    assertThat(ratio).as("lower quartiles").isCloseTo(1, within(0.15));
  }

  private static long time(String xml) {
    long start = System.nanoTime();
    reason(xml);
    return System.nanoTime() - start;
  }

  /** SECURITY-CASES 6: the key is in the message; neither it nor the content is ever fetched. */
  @Test
  void nothingElsewhereIsFetched() throws IOException {
    try (ServerSocket canary = new ServerSocket(0)) {
      canary.setSoTimeout(300);
      String url = "http://127.0.0.1:" + canary.getLocalPort() + "/";
      String reference = "<xenc:CipherReference URI=\"" + url + "\"/>";
      String key = between(honest, "EncryptedKey");
      String pointer = "<ds:RetrievalMethod URI=\"" + url + "\"></ds:RetrievalMethod>";

      assertThat(reason(honest.replaceAll("<xenc:CipherValue>[^<]*</xenc:CipherValue>", reference)))
          .isEqualTo(Reason.SCHEMA);
      assertThat(reason(Forgery.replaceOnce(honest, key, pointer))).isEqualTo(Reason.SCHEMA);
      assertThat(EncryptionTest.accepted(read(Forgery.replaceOnce(honest, key, pointer + key))).assertions())
          .hasSize(1);
      assertThatThrownBy(canary::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void manyKeys() {
    String key = between(honest, "EncryptedKey");

    assertThat(reason(Forgery.replaceOnce(honest, key, key.repeat(5)))).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void manyAssertions() {
    String wrapped = between(honest, "EncryptedAssertion");

    String three = wrapped + encrypted(other("_a2")) + encrypted(other("_a3"));

    assertThat(reason(Forgery.replaceOnce(honest, wrapped, three)))
        .isEqualTo(Reason.XML_TOO_COMPLEX);
  }

  private static String other(String id) {
    return between(
        Forgery.response(
            SamlFixtures.response(
                Optional.of("_request-1"), List.of(SamlFixtures.assertion(id, Optional.of("_request-1")))),
            SamlWriter.Signed.ASSERTION),
        "Assertion");
  }

  @Test
  void otherTypes() {
    assertThat(reason(honest.replace("xmlenc#Element", "xmlenc#Content"))).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void notBase64() {
    assertThat(reason(withCipherValue(honest, 1, "====="))).isEqualTo(Reason.SCHEMA);
  }

  /** Encryption proves nothing: anybody can encrypt to us. */
  @Test
  void encryptedButNotSigned() {
    assertThat(reason(around(encrypted(between(unsigned, "Assertion"))))).isEqualTo(Reason.SIGNATURE_MISSING);
  }

  @Test
  void signedByAStranger() {
    String forged = Forgery.sign(unsigned, "Assertion", new Recipe().key(SamlFixtures.strangerKey()));

    assertThat(reason(around(encrypted(between(forged, "Assertion"))))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void changedAfterSigning() {
    assertThat(reason(around(encrypted(assertion.replace("alice@", "admin@"))))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  /** SECURITY-CASES 1: the signed element elsewhere in the ciphertext, the forged one on top. */
  @Test
  void wrappedInsideTheCiphertext() {
    String evil = between(unsigned, "Assertion").replace("_assertion-1", "_evil").replace("alice@", "admin@");
    String withSigned =
        evil.replace("<saml2:AuthnStatement", "<saml2:Advice>" + assertion + "</saml2:Advice><saml2:AuthnStatement");

    assertThat(reason(around(encrypted(withSigned)))).isEqualTo(Reason.SCHEMA);
    assertThat(reason(around(encrypted(evil.replace("<saml2:AuthnStatement",
            "<saml2:Advice>" + encrypted(assertion) + "</saml2:Advice><saml2:AuthnStatement")))))
        .isEqualTo(Reason.SCHEMA);
  }

  /** SECURITY-CASES 2: IDs are unique over the message and all its ciphertexts. */
  @Test
  void idOfTheResponseInTheCiphertext() {
    String same = between(unsigned, "Assertion").replace("_assertion-1", "_response-1");

    assertThat(reason(around(encrypted(same)))).isEqualTo(Reason.XML_DUPLICATE_ID);
    String twice = encrypted(assertion).repeat(2);
    assertThat(reason(Forgery.replaceOnce(honest, between(honest, "EncryptedAssertion"), twice)))
        .isEqualTo(Reason.XML_DUPLICATE_ID);
  }

  /** SECURITY-CASES 3, in decrypted text. */
  @Test
  void dangerousXmlInTheCiphertext() {
    assertThat(reason(around(encrypted("<!DOCTYPE x [<!ENTITY a \"b\">]>" + assertion)))).isEqualTo(Reason.XML_DOCTYPE);
    assertThat(reason(around(encrypted("<?xml version=\"1.0\"?>" + assertion)))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
    assertThat(reason(around(encrypted(assertion.replace("</saml2:Issuer>", "<?pi x?></saml2:Issuer>")))))
        .isEqualTo(Reason.XML_PROCESSING_INSTRUCTION);
    assertThat(reason(around(encrypted("<a>".repeat(60) + "</a>".repeat(60))))).isEqualTo(Reason.XML_TOO_COMPLEX);
    assertThat(reason(around(encrypted("<a>" + "<b/>".repeat(6000) + "</a>")))).isEqualTo(Reason.XML_TOO_COMPLEX);
    assertThat(reason(around(encrypted("&xxe;")))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  /** Exactly one element of the permitted kind; it cannot close the element around it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "text", "<a/><b/>", "text<a/>", "<a/>text", "<a/></place>", "<a/></place><place><b/>", "</place><place>",
        "<a/></place><!--", "<a", "<!-- <a/> -->"
      })
  void somethingElseInTheCiphertext(String plain) {
    assertThat(reason(around(encrypted(plain)))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  @Test
  void anotherElementInTheCiphertext() {
    assertThat(reason(around(encrypted("<saml2:NameID" + SAML_NS + ">x</saml2:NameID>")))).isEqualTo(Reason.SCHEMA);
    assertThat(reason(around(encrypted(unsigned.replace("-1\"", "-2\""))))).isEqualTo(Reason.SCHEMA);
    assertThat(reason(around(encrypted(encrypted(assertion))))).isEqualTo(Reason.SCHEMA);
    assertThat(reason(around(encrypted(assertion.replace("<saml2:Conditions", "<evil/><saml2:Conditions")))))
        .isEqualTo(Reason.SCHEMA);
  }

  /** SECURITY-CASES 4: a value divided by a comment is one value. */
  @Test
  void commentInAnEncryptedNameId() {
    String nameId = "<saml2:NameID" + SAML_NS + ">admin@example.com<!-- -->.evil.example</saml2:NameID>";
    String inside =
        between(unsigned, "Assertion").replaceFirst("<saml2:NameID .*</saml2:NameID>", element("EncryptedID", nameId));
    String signed = Forgery.sign(around(inside), "Assertion", new Recipe());

    assertThat(EncryptionTest.accepted(read(signed)).assertions().getFirst().subject().value())
        .isEqualTo("admin@example.com.evil.example");
  }

  /** The signature covers the ciphertext: another ciphertext, however valid, is a change. */
  @Test
  void anotherEncryptedIdInASignedAssertion() {
    var form =
        new CanonicalSamlWriter()
            .encrypting(
                new Encryption(
                    EnumSet.of(Encrypted.NAME_ID), EncryptionTest.to(OURS)))
            .postResponse(
                SamlFixtures.response(Optional.of("_request-1")), SamlFixtures.SP_ACS, Optional.empty(),
                SamlFixtures.idpKey(), SamlWriter.Signed.ASSERTION);
    String sent = new String(Base64.getDecoder().decode(form.value()), StandardCharsets.UTF_8);
    String admin = element("EncryptedID", "<saml2:NameID" + SAML_NS + ">admin</saml2:NameID>");

    assertThat(EncryptionTest.accepted(read(sent)).assertions()).hasSize(1);
    assertThat(reason(Forgery.replaceOnce(sent, between(sent, "EncryptedID"), admin)))
        .isEqualTo(Reason.SIGNATURE_INVALID);
  }

  /** Nothing of an AuthnRequest is decrypted before its sender is authenticated. */
  @Test
  void subjectOfAnUnsignedAuthnRequest() {
    String request =
        Forgery.unsigned(SamlFixtures.authnRequest("_r1"))
            .replace(
                "<saml2p:NameIDPolicy",
                "<saml2:Subject" + SAML_NS + ">"
                    + element("EncryptedID", "<saml2:NameID" + SAML_NS + ">alice</saml2:NameID>")
                    + "</saml2:Subject><saml2p:NameIDPolicy");
    var partners = EncryptionTest.decrypting(SamlFixtures.spMetadata(), OURS);
    var reader = new StrictSamlReader();
    String signed = Forgery.sign(request, "AuthnRequest", new Recipe().key(SamlFixtures.spKey()));

    assertThat(Forgery.reason(reader.authnRequest(posted(request), partners))).isEqualTo(Reason.ASSERTION_ENCRYPTED);
    assertThat(reader.authnRequest(posted(signed), partners)).isInstanceOf(Result.Accepted.class);
  }

  private static EdgeRequest posted(String request) {
    return Forgery.posted("SAMLRequest", request.getBytes(StandardCharsets.UTF_8));
  }

  private String around(String encrypted) {
    return Forgery.replaceOnce(unsigned, between(unsigned, "Assertion"), encrypted);
  }

  static String encrypted(String assertion) {
    return encrypted(assertion, OURS);
  }

  private static String encrypted(String assertion, SigningKey to) {
    return element("EncryptedAssertion", assertion, to);
  }

  private static String element(String name, String plain) {
    return element(name, plain, OURS);
  }

  private static String element(String name, String plain, SigningKey to) {
    CanonicalXml xml = new CanonicalXml();
    new ElementEncrypter(EncryptionTest.everything(to), new SecureRandom())
        .write(xml, XmlNamespace.SAML, name, plain);
    return xml.toString();
  }

  /** The element of that name, from its first start tag to its last end tag. */
  private static String between(String xml, String name) {
    int start = xml.indexOf((name.equals("EncryptedKey") ? "<xenc:" : "<saml2:") + name);
    String end = (name.equals("EncryptedKey") ? "</xenc:" : "</saml2:") + name + ">";
    return xml.substring(start, xml.lastIndexOf(end) + end.length());
  }

  /**
   * The honest one with a bit of a CipherValue changed: 0 the key's, 1 the content's.
   *
   * @param at from the end if negative
   */
  private String changed(int which, int at) {
    byte[] value = Base64.getDecoder().decode(cipherValue(honest, which));
    value[at < 0 ? value.length + at : at] ^= 1;
    return withCipherValue(honest, which, Base64.getEncoder().encodeToString(value));
  }

  private String cut(int which, int length) {
    byte[] value = Base64.getDecoder().decode(cipherValue(honest, which));
    return withCipherValue(honest, which, Base64.getEncoder().encodeToString(Arrays.copyOf(value, length)));
  }

  private static String cipherValue(String xml, int which) {
    return xml.split("<xenc:CipherValue>")[which + 1].split("<")[0];
  }

  private static String withCipherValue(String xml, int which, String value) {
    return Forgery.replaceOnce(xml, ">" + cipherValue(xml, which) + "<", ">" + value + "<");
  }

  static Result<ReceivedResponse, SamlRefusal> read(String xml) {
    return read(xml, OURS.privateKey());
  }

  static Result<ReceivedResponse, SamlRefusal> read(String xml, PrivateKey key) {
    return new StrictSamlReader()
        .response(
            Forgery.posted("SAMLResponse", xml.getBytes(StandardCharsets.UTF_8)),
            EncryptionTest.decrypting(SamlFixtures.idpMetadata(), List.of(new DecryptionKey("own", key))));
  }

  private static Reason reason(String xml) {
    return EncryptionTest.refused(read(xml));
  }

  private static SamlRefusal refusal(String xml) {
    return refusal(read(xml));
  }

  static SamlRefusal refusal(Result<ReceivedResponse, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted<ReceivedResponse, SamlRefusal> accepted -> throw new AssertionError("accepted");
      case Result.Refused(var refusal) -> refusal;
    };
  }
}

package dev.gatehouse.common.saml.signature;

import static dev.gatehouse.common.saml.message.Forgery.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.Forgery.Recipe;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.DigestMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 6 and 7: the key and the algorithm of a signature. */
class SignatureKeyAttackTest {

  private final String signed = Forgery.response(SamlWriter.Signed.ASSERTION);
  private final String unsigned = Forgery.unsignedResponse();

  @Test
  void sha1Signature() {
    Recipe recipe = new Recipe();
    recipe.method = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_ALGORITHM);
  }

  @Test
  void sha1Digest() {
    Recipe recipe = new Recipe();
    recipe.digest = DigestMethod.SHA1;

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_ALGORITHM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://www.w3.org/2001/04/xmldsig-more#rsa-md5", "http://www.w3.org/2000/09/xmldsig#dsa-sha1", "none", "",
        "HTTP://WWW.W3.ORG/2001/04/xmldsig-more#rsa-sha256", " http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
      })
  void otherSignatureMethods(String method) {
    assertThat(reason(Forgery.replaceOnce(signed, Forgery.RSA_SHA256, method))).isEqualTo(Reason.SIGNATURE_ALGORITHM);
  }

  @Test
  void hmacWithThePublicKeyAsSecret() {
    Recipe recipe = new Recipe();
    recipe.key = new SecretKeySpec(SamlFixtures.idpKey().certificate().getPublicKey().getEncoded(), "HmacSHA256");
    recipe.method = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256";

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_ALGORITHM);
  }

  /** An algorithm of another family than the key's. */
  @Test
  void ecdsaClaimedForAnRsaKey() {
    String xml = Forgery.replaceOnce(signed, Forgery.RSA_SHA256, SignatureAlgorithm.ECDSA_SHA256.uri());
    var rsaOnly = SamlFixtures.idpMetadata(List.of(SamlFixtures.idpKey()));

    assertThat(reason(Forgery.read(xml.getBytes(StandardCharsets.UTF_8), rsaOnly)))
        .isEqualTo(Reason.SIGNATURE_ALGORITHM);
    assertThat(reason(xml)).as("with a P-256 key beside it").isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @ParameterizedTest
  @CsvSource(
      {"rsa-sha384,http://www.w3.org/2001/04/xmldsig-more#sha384",
          "rsa-sha512,http://www.w3.org/2001/04/xmlenc#sha512"})
  void strongerHashesAreAccepted(String method, String digest) {
    Recipe recipe = new Recipe();
    recipe.method = "http://www.w3.org/2001/04/xmldsig-more#" + method;
    recipe.digest = digest;

    assertThat(Forgery.accepted(Forgery.read(Forgery.sign(unsigned, "Assertion", recipe))).assertions()).hasSize(1);
  }

  @Test
  void shortRsaKey() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    SigningKey weak =
        SamlFixtures.signingKey(
            KeyAlgorithm.RSA_2048, generator.generateKeyPair(), "weak", SamlFixtures.NOW,
            SamlFixtures.NOW.plusSeconds(60));
    String xml = Forgery.sign(unsigned, "Assertion", new Recipe().key(weak));

    var reading = Forgery.read(xml.getBytes(StandardCharsets.UTF_8), SamlFixtures.idpMetadata(List.of(weak)));
    assertThat(reason(reading)).isEqualTo(Reason.SIGNATURE_ALGORITHM);
    assertThat(((Result.Refused<?, SamlRefusal>) reading).refusal().detail()).contains("2048 bits").contains("RSA of 1024 bits");
  }

  @Test
  void keyInfoWithACertificateThatMetadataDoesNotList() throws Exception {
    Recipe recipe = new Recipe().key(SamlFixtures.strangerKey());
    var keyInfos = recipe.factory.getKeyInfoFactory();
    var data = keyInfos.newX509Data(List.of(SamlFixtures.strangerKey().certificate()));
    recipe.keyInfo =
        keyInfos.newKeyInfo(
            List.of(data, keyInfos.newKeyValue(SamlFixtures.strangerKey().certificate().getPublicKey())));

    assertThat(reason(Forgery.sign(unsigned, "Assertion", recipe))).isEqualTo(Reason.SIGNATURE_INVALID);
    assertThat(reason(Forgery.sign(unsigned, "Response", recipe))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  /** RetrievalMethod and X509 URLs (SECURITY-CASES 6) are never fetched. */
  @Test
  void keyInfoWithUrls() throws Exception {
    try (ServerSocket canary = new ServerSocket(0)) {
      canary.setSoTimeout(300);
      String url = "http://127.0.0.1:" + canary.getLocalPort() + "/key";
      String keyInfo =
          "<ds:KeyInfo><ds:RetrievalMethod URI=\"" + url + "\" Type=\"http://www.w3.org/2000/09/xmldsig#X509Data\"/>"
              + "<ds:KeyName>" + url + "</ds:KeyName></ds:KeyInfo></ds:Signature>";
      String xml = Forgery.sign(unsigned, "Assertion", new Recipe().key(SamlFixtures.strangerKey()));

      assertThat(reason(xml.replace("</ds:Signature>", keyInfo))).isEqualTo(Reason.SIGNATURE_INVALID);
      org.assertj.core.api.Assertions.assertThatThrownBy(canary::accept)
          .isInstanceOf(java.net.SocketTimeoutException.class);
    }
  }

  /** Metadata is the trust, not a certificate's dates (SAML V2.0 Metadata Interoperability Profile 2.6.1). */
  @Test
  void expiredCertificateInValidMetadataCounts() {
    SigningKey old =
        SamlFixtures.create(
            KeyAlgorithm.RSA_2048, "old", Instant.parse("2019-01-01T00:00:00Z"), Instant.parse("2020-01-01T00:00:00Z"));
    String xml = Forgery.sign(unsigned, "Assertion", new Recipe().key(old));

    assertThat(
        Forgery.accepted(Forgery.read(xml.getBytes(StandardCharsets.UTF_8), SamlFixtures.idpMetadata(List.of(old))))
            .assertions())
        .hasSize(1);
  }

  @Test
  void keysOfTheOtherRoleDoNotCount() {
    byte[] xml = Forgery.sign(unsigned, "Assertion", new Recipe().key(SamlFixtures.spKey()))
        .getBytes(StandardCharsets.UTF_8);
    var both =
        new PartnerMetadata(
            SamlFixtures.IDP, Optional.empty(), Optional.empty(), Optional.empty(), SamlFixtures.idpMetadata().idp(),
            SamlFixtures.spMetadata().sp());
    var noIdp =
        new PartnerMetadata(
            SamlFixtures.IDP, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
            SamlFixtures.spMetadata().sp());

    assertThat(reason(Forgery.read(xml, both))).isEqualTo(Reason.SIGNATURE_INVALID);
    assertThat(reason(Forgery.read(xml, noIdp))).isEqualTo(Reason.PARTNER_UNKNOWN);
  }
}

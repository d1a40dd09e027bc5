package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.RichMetadataTest;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opensaml.core.config.InitializationService;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.core.xml.util.XMLObjectSupport;
import org.opensaml.saml.common.SignableSAMLObject;
import org.opensaml.saml.common.xml.SAMLSchemaBuilder;
import org.opensaml.saml.security.impl.SAMLSignatureProfileValidator;
import org.opensaml.security.x509.BasicX509Credential;
import org.opensaml.xmlsec.signature.Signature;
import org.opensaml.xmlsec.signature.support.SignatureConstants;
import org.opensaml.xmlsec.signature.support.SignatureValidator;
import org.opensaml.xmlsec.signature.support.Signer;
import org.w3c.dom.Element;

/**
 * OpenSAML and the OASIS schemas as peers: they accept what we write, and we read what OpenSAML writes and signs in
 * its own way (other prefixes' places, KeyInfo, InclusiveNamespaces).
 */
class OpenSamlPeerTest {

  private static Schema schema;

  private final SamlWriter writer = new CanonicalSamlWriter();

  @BeforeAll
  static void initialise() throws Exception {
    InitializationService.initialize();
    schema = new SAMLSchemaBuilder(SAMLSchemaBuilder.SAML1Version.SAML_11).getSAMLSchema();
  }

  static Stream<SigningKey> keys() {
    return Stream.of(SamlFixtures.idpKey(), SamlFixtures.idpP256Key());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void acceptsWhatWeWrite(SigningKey key) throws Exception {
    var response = SamlFixtures.response(Optional.of("_r1"));
    for (SamlWriter.Signed signed : SamlWriter.Signed.values()) {
      var form = writer.postResponse(response, SamlFixtures.SP_ACS, Optional.empty(), key, signed);
      var read = (org.opensaml.saml.saml2.core.Response) read(Base64.getDecoder().decode(form.value()));
      var assertion = read.getAssertions().getFirst();
      assertThat(read.isSigned()).isEqualTo(signed != SamlWriter.Signed.ASSERTION);
      assertThat(assertion.isSigned()).isEqualTo(signed != SamlWriter.Signed.RESPONSE);
      for (SignableSAMLObject object : List.<SignableSAMLObject>of(read, assertion)) {
        if (object.isSigned()) {
          validate(object, key);
        }
      }
      assertThat(assertion.getSubject().getNameID().getValue()).isEqualTo("alice@example.com");
      assertThat(assertion.getAttributeStatements().getFirst().getAttributes()).hasSize(3);
    }
    for (SamlMessage message :
        List.of(
            SamlFixtures.authnRequest("_a"),
            SamlFixtures.logoutRequest("_b", SamlFixtures.IDP),
            SamlFixtures.logoutResponse("_c", SamlFixtures.IDP, "_b"))) {
      var form = writer.post(message, SamlFixtures.IDP_SLO, Optional.empty(), key);
      validate((SignableSAMLObject) read(Base64.getDecoder().decode(form.value())), key);
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void acceptsOurMetadata(SigningKey key) throws Exception {
    var codec = new CanonicalMetadataCodec();
    var endpoint = new PartnerMetadata.Endpoint(Binding.POST, SamlFixtures.IDP_SLO, Optional.of("https://x.example/r"));
    byte[] idp =
        codec.writeIdp(
            new MetadataCodec.IdpDescriptor(
                SamlFixtures.IDP, "IdP", SamlFixtures.NOW.plus(Duration.ofDays(9)), Duration.ofHours(1),
                List.of(SamlFixtures.publicHalf(key)), List.of(endpoint), List.of(endpoint),
                List.of(NameId.UNSPECIFIED)),
            key);
    byte[] sp =
        codec.writeSp(
            new MetadataCodec.SpDescriptor(
                SamlFixtures.SP, "SP", SamlFixtures.NOW.plus(Duration.ofDays(9)), Duration.ofHours(1),
                List.of(SamlFixtures.publicHalf(key)),
                List.of(new PartnerMetadata.AssertionConsumerService(0, true, Binding.POST, SamlFixtures.SP_ACS)),
                List.of(endpoint), List.of(NameId.UNSPECIFIED)),
            key);
    validate((SignableSAMLObject) read(idp), key);
    validate((SignableSAMLObject) read(sp), key);
  }

  @Test
  void acceptsOurRichMetadata() throws Exception {
    validate((SignableSAMLObject) read(RichMetadataTest.idp()), SamlFixtures.idpKey());
    validate((SignableSAMLObject) read(RichMetadataTest.sp()), SamlFixtures.spKey());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void weReadWhatItSigns(SigningKey key) throws Exception {
    var object =
        (org.opensaml.saml.saml2.core.Response)
            XMLObjectSupport.unmarshallFromInputStream(
                XMLObjectProviderRegistrySupport.getParserPool(),
                new ByteArrayInputStream(Forgery.unsignedResponse().getBytes(StandardCharsets.UTF_8)));
    var credential = new BasicX509Credential(key.certificate(), key.privateKey());
    Signature signature = (Signature) XMLObjectSupport.buildXMLObject(Signature.DEFAULT_ELEMENT_NAME);
    signature.setSigningCredential(credential);
    signature.setSignatureAlgorithm(SignatureAlgorithm.of(key.algorithm()).uri());
    signature.setCanonicalizationAlgorithm(SignatureConstants.ALGO_ID_C14N_EXCL_OMIT_COMMENTS);
    object.getAssertions().getFirst().setSignature(signature);
    Element dom = XMLObjectSupport.marshall(object);
    Signer.signObject(signature);

    var received = Forgery.accepted(Forgery.read(Forgery.write(dom)));

    assertThat(received.assertions()).isEqualTo(SamlFixtures.response(Optional.of("_request-1")).assertions());
  }

  private static Object read(byte[] document) throws Exception {
    schema.newValidator().validate(new StreamSource(new ByteArrayInputStream(document)));
    return XMLObjectSupport.unmarshallFromInputStream(
        XMLObjectProviderRegistrySupport.getParserPool(), new ByteArrayInputStream(document));
  }

  /** Throws where the signature is not one. */
  private static void validate(SignableSAMLObject object, SigningKey key) throws Exception {
    Signature signature = object.getSignature();
    assertThat(signature).isNotNull();
    new SAMLSignatureProfileValidator().validate(signature);
    SignatureValidator.validate(signature, new BasicX509Credential(key.certificate()));
  }
}

package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.xml.namespace.QName;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import net.shibboleth.utilities.java.support.xml.SerializeSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opensaml.core.config.InitializationService;
import org.opensaml.core.xml.XMLObject;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.core.xml.util.XMLObjectSupport;
import org.opensaml.saml.common.SignableSAMLObject;
import org.opensaml.saml.common.xml.SAMLSchemaBuilder;
import org.opensaml.saml.saml2.core.ArtifactResponse;
import org.opensaml.saml.saml2.core.ManageNameIDRequest;
import org.opensaml.saml.saml2.core.Response;
import org.opensaml.saml.security.impl.SAMLSignatureProfileValidator;
import org.opensaml.security.x509.BasicX509Credential;
import org.opensaml.soap.soap11.Body;
import org.opensaml.soap.soap11.Envelope;
import org.opensaml.soap.soap11.Fault;
import org.opensaml.xmlsec.signature.Signature;
import org.opensaml.xmlsec.signature.support.SignatureConstants;
import org.opensaml.xmlsec.signature.support.SignatureValidator;
import org.opensaml.xmlsec.signature.support.Signer;
import org.w3c.dom.Element;

/** OpenSAML takes our envelopes apart, and we take its: with one signature inside another. */
class OpenSamlSoapPeerTest {

  private static Schema schema;

  private final SamlWriter writer = new CanonicalSamlWriter();
  private final SamlReader reader = new StrictSamlReader();
  private final SamlMessage.Response response = SamlFixtures.response(Optional.of("_r1"));
  private final SamlMessage.ArtifactResponse artifactResponse =
      new SamlMessage.ArtifactResponse(
          "_a2", SamlFixtures.NOW, SamlFixtures.IDP, Optional.empty(), Optional.of("_a1"), SamlStatus.success());

  @BeforeAll
  static void initialise() throws Exception {
    InitializationService.initialize();
    schema = new SAMLSchemaBuilder(SAMLSchemaBuilder.SAML1Version.SAML_11).getSAMLSchema();
  }

  static List<SigningKey> keys() {
    return List.of(SamlFixtures.idpKey(), SamlFixtures.idpP256Key());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void acceptsOurArtifactResponse(SigningKey key) throws Exception {
    var carried = Optional.of(writer.write(response, key, SamlWriter.Signed.BOTH));
    ArtifactResponse outer = (ArtifactResponse) body(writer.soap(artifactResponse, carried, key));
    Response inner = (Response) outer.getMessage();

    for (SignableSAMLObject object : List.of(outer, inner, inner.getAssertions().getFirst())) {
      validate(object, key);
    }
    assertThat(inner.getAssertions().getFirst().getSubject().getNameID().getValue()).isEqualTo("alice@example.com");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void acceptsOurRequestsAndAnswers(SigningKey key) throws Exception {
    for (SamlMessage message :
        List.of(
            SamlFixtures.logoutRequest("_b", SamlFixtures.IDP),
            SamlFixtures.manageNameIdRequest("_m", SamlFixtures.IDP, new Change.Terminate()),
            SamlFixtures.manageNameIdRequest("_m", SamlFixtures.IDP, new Change.NewId("neu & <größer>")),
            new ManageNameIdResponse(
                "_n", SamlFixtures.NOW, SamlFixtures.IDP, Optional.empty(), Optional.of("_m"), SamlStatus.success()),
            new ArtifactResolve(
                "_a", SamlFixtures.NOW, SamlFixtures.IDP, Optional.of(SamlFixtures.SP),
                Artifact.create(1, SamlFixtures.SP, new Random(1)).value()))) {
      validate((SignableSAMLObject) body(writer.soap(message, key)), key);
    }
    var change = new Change.NewId("neu & <größer>");
    var read =
        (ManageNameIDRequest) body(writer.soap(SamlFixtures.manageNameIdRequest("_m", SamlFixtures.IDP, change), key));
    assertThat(read.getNewID().getValue()).isEqualTo("neu & <größer>");
    assertThat(read.getNameID().getSPProvidedID()).isEqualTo("<alice> at the app");
  }

  @Test
  void understandsOurFault() throws Exception {
    Fault fault = (Fault) body(writer.soapFault(SamlWriter.Fault.CLIENT, "no & <no>"));

    assertThat(fault.getCode().getValue())
        .isEqualTo(new QName("http://schemas.xmlsoap.org/soap/envelope/", "Client"));
    assertThat(fault.getMessage().getValue()).isEqualTo("no & <no>");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void weReadItsArtifactResponse(SigningKey key) throws Exception {
    var outer = (ArtifactResponse) OpenSamlObjects.around(artifactResponse, response);
    var inner = (Response) outer.getMessage();
    Signature onAssertion = signature(inner.getAssertions().getFirst(), key);
    Signature onResponse = signature(inner, key);
    Signature onAll = signature(outer, key);
    Envelope envelope = (Envelope) XMLObjectSupport.buildXMLObject(Envelope.DEFAULT_ELEMENT_NAME);
    Body body = (Body) XMLObjectSupport.buildXMLObject(Body.DEFAULT_ELEMENT_NAME);
    body.getUnknownXMLObjects().add(outer);
    envelope.setBody(body);
    Element dom = XMLObjectSupport.marshall(envelope);
    for (Signature signature : List.of(onAssertion, onResponse, onAll)) {
      Signer.signObject(signature);
    }
    byte[] bytes = SerializeSupport.nodeToString(dom).getBytes(StandardCharsets.UTF_8);

    assertThat(reader.artifactResponse(bytes, SamlFixtures.partners(SamlFixtures.idpMetadata())))
        .isEqualTo(
            new Result.Accepted<>(new ReceivedArtifactResponse(artifactResponse, Optional.of(response))));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void weReadItsLogoutRequest(SigningKey key) throws Exception {
    var request = SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP);
    var object = (SignableSAMLObject) OpenSamlObjects.of(request);
    Signature signature = signature(object, key);
    Envelope envelope = (Envelope) XMLObjectSupport.buildXMLObject(Envelope.DEFAULT_ELEMENT_NAME);
    Body body = (Body) XMLObjectSupport.buildXMLObject(Body.DEFAULT_ELEMENT_NAME);
    body.getUnknownXMLObjects().add(object);
    envelope.setBody(body);
    Element dom = XMLObjectSupport.marshall(envelope);
    Signer.signObject(signature);
    byte[] bytes = SerializeSupport.nodeToString(dom).getBytes(StandardCharsets.UTF_8);

    var read =
        reader.logoutRequest(
            SamlFixtures.soap(SamlFixtures.SP_SLO, bytes), SamlFixtures.partners(SamlFixtures.idpMetadata()));
    assertThat(read)
        .isEqualTo(new Result.Accepted<>(new Received<>(request, Binding.SOAP, true, Optional.empty())));
  }

  private static Signature signature(SignableSAMLObject object, SigningKey key) {
    Signature signature = (Signature) XMLObjectSupport.buildXMLObject(Signature.DEFAULT_ELEMENT_NAME);
    signature.setSigningCredential(new BasicX509Credential(key.certificate(), key.privateKey()));
    signature.setSignatureAlgorithm(SignatureAlgorithm.of(key.algorithm()).uri());
    signature.setCanonicalizationAlgorithm(SignatureConstants.ALGO_ID_C14N_EXCL_OMIT_COMMENTS);
    object.setSignature(signature);
    return signature;
  }

  /** Returns the element in the body; a message must be valid by the OASIS schemas. */
  private static XMLObject body(byte[] bytes) throws Exception {
    Envelope envelope =
        (Envelope)
            XMLObjectSupport.unmarshallFromInputStream(
                XMLObjectProviderRegistrySupport.getParserPool(), new ByteArrayInputStream(bytes));
    XMLObject content = envelope.getBody().getUnknownXMLObjects().getFirst();
    if (content instanceof SignableSAMLObject) {
      schema.newValidator().validate(new DOMSource(content.getDOM()));
    }
    return content;
  }

  private static void validate(SignableSAMLObject object, SigningKey key) throws Exception {
    Signature signature = object.getSignature();
    assertThat(signature).isNotNull();
    new SAMLSignatureProfileValidator().validate(signature);
    SignatureValidator.validate(signature, new BasicX509Credential(key.certificate()));
  }
}

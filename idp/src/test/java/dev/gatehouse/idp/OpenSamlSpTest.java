package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.xml.namespace.QName;
import javax.xml.validation.Schema;
import net.shibboleth.utilities.java.support.resolver.CriteriaSet;
import net.shibboleth.utilities.java.support.xml.SerializeSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opensaml.core.config.InitializationService;
import org.opensaml.core.xml.XMLObject;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.core.xml.util.XMLObjectSupport;
import org.opensaml.saml.common.SignableSAMLObject;
import org.opensaml.saml.common.xml.SAMLConstants;
import org.opensaml.saml.common.xml.SAMLSchemaBuilder;
import org.opensaml.saml.saml2.binding.artifact.SAML2ArtifactType0004;
import org.opensaml.saml.saml2.core.Artifact;
import org.opensaml.saml.saml2.core.ArtifactResolve;
import org.opensaml.saml.saml2.core.ArtifactResponse;
import org.opensaml.saml.saml2.core.Assertion;
import org.opensaml.saml.saml2.core.AuthnContextClassRef;
import org.opensaml.saml.saml2.core.AuthnContextComparisonTypeEnumeration;
import org.opensaml.saml.saml2.core.AuthnRequest;
import org.opensaml.saml.saml2.core.Issuer;
import org.opensaml.saml.saml2.core.NameIDPolicy;
import org.opensaml.saml.saml2.core.NameIDType;
import org.opensaml.saml.saml2.core.RequestAbstractType;
import org.opensaml.saml.saml2.core.RequestedAuthnContext;
import org.opensaml.saml.saml2.core.Response;
import org.opensaml.saml.saml2.core.StatusCode;
import org.opensaml.saml.saml2.encryption.Decrypter;
import org.opensaml.saml.security.impl.SAMLSignatureProfileValidator;
import org.opensaml.security.credential.Credential;
import org.opensaml.security.x509.BasicX509Credential;
import org.opensaml.soap.soap11.Body;
import org.opensaml.soap.soap11.Envelope;
import org.opensaml.xmlsec.encryption.support.InlineEncryptedKeyResolver;
import org.opensaml.xmlsec.keyinfo.KeyInfoCredentialResolver;
import org.opensaml.xmlsec.signature.Signature;
import org.opensaml.xmlsec.signature.support.SignatureConstants;
import org.opensaml.xmlsec.signature.support.SignatureValidator;
import org.opensaml.xmlsec.signature.support.Signer;

/**
 * A service provider built only from OpenSAML, against our identity provider: requests by POST, Responses by POST and
 * Artifact, also encrypted, each message valid by the OASIS schemas.
 */
final class OpenSamlSpTest {

  private static Schema schema;

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @BeforeAll
  static void initialise() throws Exception {
    InitializationService.initialize();
    schema = new SAMLSchemaBuilder(SAMLSchemaBuilder.SAML1Version.SAML_11).getSAMLSchema();
  }

  @BeforeEach
  void signIn() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
  }

  @ParameterizedTest
  @EnumSource(value = NameIdFormat.class, names = {"TRANSIENT", "PERSISTENT"})
  void signsOnByPost(NameIdFormat format) throws Exception {
    AuthnRequest request = request(SAMLConstants.SAML2_POST_BINDING_URI, format.uri());
    Response response = posted(send(request));
    assertThat(response.getInResponseTo()).isEqualTo(request.getID());
    assertThat(response.getStatus().getStatusCode().getValue()).isEqualTo(StatusCode.SUCCESS);
    accept(response.getAssertions().getFirst(), request, Idp.APP_ACS, format);
  }

  @ParameterizedTest
  @EnumSource(value = NameIdFormat.class, names = {"TRANSIENT", "PERSISTENT"})
  void signsOnByArtifact(NameIdFormat format) throws Exception {
    AuthnRequest request = request(SAMLConstants.SAML2_ARTIFACT_BINDING_URI, format.uri());
    Response response = resolved(TestSp.parameter(send(request), "SAMLart")).orElseThrow();
    assertThat(response.getInResponseTo()).isEqualTo(request.getID());
    accept(response.getAssertions().getFirst(), request, Idp.APP + "/artifact", format);
  }

  @Test
  void resolvesAnArtifactOnce() throws Exception {
    AuthnRequest request = request(SAMLConstants.SAML2_ARTIFACT_BINDING_URI, NameIDType.TRANSIENT);
    String artifact = TestSp.parameter(send(request), "SAMLart");
    SAML2ArtifactType0004 read = SAML2ArtifactType0004.parseArtifact(Base64.getDecoder().decode(artifact));
    assertThat(read.getEndpointIndex()).isEqualTo(new byte[] {0, 0});
    assertThat(resolved(artifact)).isPresent();
    assertThat(resolved(artifact)).isEmpty();
  }

  @Test
  void decryptsAnAssertion() throws Exception {
    idp.partners.put(
        TestSp.as(
            Idp.config(Idp.APP, NameIdFormat.TRANSIENT),
            new AsServiceProvider(Set.of(Encrypted.ASSERTION), false, Optional.empty())),
        TestSp.asking(Idp.APP));
    for (String binding : Arrays.asList(SAMLConstants.SAML2_POST_BINDING_URI, SAMLConstants.SAML2_ARTIFACT_BINDING_URI)) {
      AuthnRequest request = request(binding, NameIDType.TRANSIENT);
      EdgeReply reply = send(request);
      boolean isPosted = binding.equals(SAMLConstants.SAML2_POST_BINDING_URI);
      Response response = isPosted ? posted(reply) : resolved(TestSp.parameter(reply, "SAMLart")).orElseThrow();
      assertThat(response.getAssertions()).isEmpty();
      Assertion assertion = decrypter().decrypt(response.getEncryptedAssertions().getFirst());
      accept(assertion, request, isPosted ? Idp.APP_ACS : Idp.APP + "/artifact", NameIdFormat.TRANSIENT);
    }
  }

  @Test
  void hearsThatAnAuthnContextIsNotReached() throws Exception {
    AuthnRequest request = request(SAMLConstants.SAML2_ARTIFACT_BINDING_URI, NameIDType.TRANSIENT);
    RequestedAuthnContext context = build(RequestedAuthnContext.DEFAULT_ELEMENT_NAME);
    AuthnContextClassRef ref = build(AuthnContextClassRef.DEFAULT_ELEMENT_NAME);
    ref.setURI("urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI");
    context.getAuthnContextClassRefs().add(ref);
    context.setComparison(AuthnContextComparisonTypeEnumeration.EXACT);
    request.setRequestedAuthnContext(context);
    Response response = resolved(TestSp.parameter(send(request), "SAMLart")).orElseThrow();
    assertThat(response.getStatus().getStatusCode().getStatusCode().getValue()).isEqualTo(StatusCode.NO_AUTHN_CONTEXT);
  }

  private static void accept(Assertion assertion, AuthnRequest request, String recipient, NameIdFormat format)
      throws Exception {
    validate(assertion);
    assertThat(assertion.getIssuer().getValue()).isEqualTo(Idp.ENTITY);
    assertThat(assertion.getSubject().getNameID().getFormat()).isEqualTo(format.uri());
    var confirmation = assertion.getSubject().getSubjectConfirmations().getFirst().getSubjectConfirmationData();
    assertThat(confirmation.getRecipient()).isEqualTo(recipient);
    assertThat(confirmation.getInResponseTo()).isEqualTo(request.getID());
    assertThat(assertion.getConditions().getAudienceRestrictions().getFirst().getAudiences().getFirst().getURI())
        .isEqualTo(Idp.APP);
    assertThat(assertion.getAttributeStatements().getFirst().getAttributes()).hasSize(4);
  }

  private AuthnRequest request(String binding, String format) {
    AuthnRequest request = build(AuthnRequest.DEFAULT_ELEMENT_NAME);
    head(request, Idp.SSO);
    request.setProtocolBinding(binding);
    NameIDPolicy policy = build(NameIDPolicy.DEFAULT_ELEMENT_NAME);
    policy.setFormat(format);
    policy.setAllowCreate(true);
    request.setNameIDPolicy(policy);
    return request;
  }

  private void head(RequestAbstractType message, String destination) {
    message.setID("_" + UUID.randomUUID());
    message.setIssueInstant(idp.time.instant());
    message.setDestination(destination);
    Issuer issuer = build(Issuer.DEFAULT_ELEMENT_NAME);
    issuer.setValue(Idp.APP);
    message.setIssuer(issuer);
  }

  private EdgeReply send(AuthnRequest request) throws Exception {
    byte[] document = signed(request, request, SamlFixtures.spKey());
    return browser.post(
        "/realms/demo/saml/sso", Map.of("SAMLRequest", Base64.getEncoder().encodeToString(document)));
  }

  private static Response posted(EdgeReply page) throws Exception {
    return (Response) read(Base64.getDecoder().decode(TestBrowser.field(page.text(), "SAMLResponse")));
  }

  /** Resolves the artifact by SOAP; the ArtifactResponse must be signed. */
  private Optional<Response> resolved(String value) throws Exception {
    ArtifactResolve resolve = build(ArtifactResolve.DEFAULT_ELEMENT_NAME);
    head(resolve, TestSp.ARTIFACT_SERVICE);
    Artifact artifact = build(Artifact.DEFAULT_ELEMENT_NAME);
    artifact.setValue(value);
    resolve.setArtifact(artifact);
    Body body = build(Body.DEFAULT_ELEMENT_NAME);
    body.getUnknownXMLObjects().add(resolve);
    Envelope envelope = build(Envelope.DEFAULT_ELEMENT_NAME);
    envelope.setBody(body);
    EdgeReply reply = TestSp.post(idp, signed(envelope, resolve, SamlFixtures.spKey()));
    assertThat(reply.status()).isEqualTo(200);
    Envelope answer = (Envelope) parse(reply.body());
    ArtifactResponse response = (ArtifactResponse) answer.getBody().getUnknownXMLObjects().getFirst();
    schema.newValidator().validate(new javax.xml.transform.dom.DOMSource(response.getDOM()));
    validate(response);
    assertThat(response.getInResponseTo()).isEqualTo(resolve.getID());
    assertThat(response.getStatus().getStatusCode().getValue()).isEqualTo(StatusCode.SUCCESS);
    return Optional.ofNullable((Response) response.getMessage());
  }

  private static byte[] signed(XMLObject whole, SignableSAMLObject message, SigningKey key) throws Exception {
    Signature signature = build(Signature.DEFAULT_ELEMENT_NAME);
    signature.setSigningCredential(new BasicX509Credential(key.certificate(), key.privateKey()));
    signature.setSignatureAlgorithm(SignatureConstants.ALGO_ID_SIGNATURE_RSA_SHA256);
    signature.setCanonicalizationAlgorithm(SignatureConstants.ALGO_ID_C14N_EXCL_OMIT_COMMENTS);
    message.setSignature(signature);
    var dom = XMLObjectSupport.marshall(whole);
    Signer.signObject(signature);
    return SerializeSupport.nodeToString(dom).getBytes(StandardCharsets.UTF_8);
  }

  private static Decrypter decrypter() {
    Decrypter decrypter = new Decrypter(null, new OwnKey(), new InlineEncryptedKeyResolver());
    decrypter.setRootInNewDocument(true);
    return decrypter;
  }

  private record OwnKey() implements KeyInfoCredentialResolver {
    @Override
    public Iterable<Credential> resolve(CriteriaSet criteria) {
      return List.of(resolveSingle(criteria));
    }

    @Override
    public Credential resolveSingle(CriteriaSet criteria) {
      return new BasicX509Credential(SamlFixtures.spKey().certificate(), SamlFixtures.spKey().privateKey());
    }
  }

  private static XMLObject read(byte[] document) throws Exception {
    schema
        .newValidator()
        .validate(new javax.xml.transform.stream.StreamSource(new ByteArrayInputStream(document)));
    return parse(document);
  }

  private static XMLObject parse(byte[] document) throws Exception {
    return XMLObjectSupport.unmarshallFromInputStream(
        XMLObjectProviderRegistrySupport.getParserPool(), new ByteArrayInputStream(document));
  }

  private static void validate(SignableSAMLObject object) throws Exception {
    new SAMLSignatureProfileValidator().validate(object.getSignature());
    SignatureValidator.validate(
        object.getSignature(), new BasicX509Credential(SamlFixtures.idpKey().certificate()));
  }

  @SuppressWarnings("unchecked")
  private static <T extends XMLObject> T build(QName name) {
    return (T) XMLObjectSupport.buildXMLObject(name);
  }
}

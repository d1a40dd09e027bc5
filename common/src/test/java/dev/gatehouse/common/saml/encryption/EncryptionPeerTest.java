package dev.gatehouse.common.saml.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import net.shibboleth.utilities.java.support.resolver.CriteriaSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.opensaml.core.config.InitializationService;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.core.xml.util.XMLObjectSupport;
import org.opensaml.saml.common.xml.SAMLSchemaBuilder;
import org.opensaml.saml.saml2.core.Attribute;
import org.opensaml.saml.saml2.core.AttributeStatement;
import org.opensaml.saml.saml2.core.EncryptedAttribute;
import org.opensaml.saml.saml2.core.NameID;
import org.opensaml.saml.saml2.core.Response;
import org.opensaml.saml.saml2.encryption.Decrypter;
import org.opensaml.saml.saml2.encryption.Encrypter;
import org.opensaml.saml.saml2.encryption.Encrypter.KeyPlacement;
import org.opensaml.security.credential.Credential;
import org.opensaml.security.x509.BasicX509Credential;
import org.opensaml.xmlsec.encryption.support.DataEncryptionParameters;
import org.opensaml.xmlsec.encryption.support.InlineEncryptedKeyResolver;
import org.opensaml.xmlsec.encryption.support.KeyEncryptionParameters;
import org.opensaml.xmlsec.encryption.support.RSAOAEPParameters;
import org.opensaml.xmlsec.keyinfo.KeyInfoCredentialResolver;
import org.opensaml.xmlsec.signature.Signature;
import org.opensaml.xmlsec.signature.support.SignatureConstants;
import org.opensaml.xmlsec.signature.support.Signer;
import org.w3c.dom.Element;

/** OpenSAML and the schemas as peers of our encryption: they read our messages, and we read OpenSAML's. */
class EncryptionPeerTest {

  private static final String GCM_256 = "http://www.w3.org/2009/xmlenc11#aes256-gcm";
  private static final String MGF1P = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";
  private static final String OAEP = "http://www.w3.org/2009/xmlenc11#rsa-oaep";
  private static final String SHA1 = "http://www.w3.org/2000/09/xmldsig#sha1";
  private static final String SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
  private static final String MGF_SHA1 = "http://www.w3.org/2009/xmlenc11#mgf1sha1";
  private static final String MGF_SHA256 = "http://www.w3.org/2009/xmlenc11#mgf1sha256";

  private static Schema schema;

  @BeforeAll
  static void initialise() throws Exception {
    InitializationService.initialize();
    schema = new SAMLSchemaBuilder(SAMLSchemaBuilder.SAML1Version.SAML_11).getSAMLSchema();
  }

  @ParameterizedTest
  @EnumSource(KeyTransport.class)
  void openSamlDecryptsOurs(KeyTransport transport) throws Exception {
    Response response = read(response(ContentCipher.AES_256_GCM, transport, Set.of(Encrypted.values()), Signed.BOTH));

    var assertion = decrypter(SamlFixtures.spKey()).decrypt(response.getEncryptedAssertions().getFirst());
    NameID nameId = (NameID) decrypter(SamlFixtures.spKey()).decrypt(assertion.getSubject().getEncryptedID());
    List<EncryptedAttribute> encrypted = assertion.getAttributeStatements().getFirst().getEncryptedAttributes();
    Attribute first = decrypter(SamlFixtures.spKey()).decrypt(encrypted.getFirst());

    assertThat(nameId.getValue()).isEqualTo("alice@example.com");
    assertThat(encrypted).hasSize(3);
    assertThat(first.getName()).isEqualTo("mail");
  }

  static Stream<Arguments> theirs() {
    return Stream.of(
        Arguments.of("http://www.w3.org/2009/xmlenc11#aes128-gcm", MGF1P, SHA1, null),
        Arguments.of("http://www.w3.org/2009/xmlenc11#aes192-gcm", MGF1P, SHA256, null),
        Arguments.of(GCM_256, OAEP, SHA1, MGF_SHA1),
        Arguments.of(GCM_256, OAEP, SHA256, MGF_SHA256),
        Arguments.of(GCM_256, OAEP, SHA256, MGF_SHA1));
  }

  /** EncryptedKey inside, and beside with a RetrievalMethod that points at it. */
  @ParameterizedTest
  @MethodSource("theirs")
  void weDecryptWhatOpenSamlEncrypts(String content, String transport, String digest, String mask) throws Exception {
    for (KeyPlacement placement : KeyPlacement.values()) {
      for (boolean all : List.of(true, false)) {
        Encrypter encrypter = encrypter(content, transport, digest, mask);
        encrypter.setKeyPlacement(placement);
        Response response = read(Forgery.unsignedResponse().getBytes(StandardCharsets.UTF_8));
        encryptInside(response, encrypter);
        byte[] sent = all ? encryptedWhole(response, encrypter) : signed(response);

        var received =
            EncryptionTest.accepted(
                new StrictSamlReader()
                    .response(
                        Forgery.posted("SAMLResponse", sent),
                        EncryptionTest.decrypting(SamlFixtures.idpMetadata(), SamlFixtures.spKey())));

        assertThat(received.assertions()).isEqualTo(SamlFixtures.response(Optional.of("_request-1")).assertions());
      }
    }
  }

  private static void encryptInside(Response response, Encrypter encrypter) throws Exception {
    var assertion = response.getAssertions().getFirst();
    assertion.getSubject().setEncryptedID(encrypter.encrypt(assertion.getSubject().getNameID()));
    assertion.getSubject().setNameID(null);
    AttributeStatement statement = assertion.getAttributeStatements().getFirst();
    for (Attribute attribute : List.copyOf(statement.getAttributes())) {
      statement.getEncryptedAttributes().add(encrypter.encrypt(attribute));
    }
    statement.getAttributes().clear();
  }

  /** Signed and then encrypted. */
  private static byte[] encryptedWhole(Response response, Encrypter encrypter) throws Exception {
    signed(response);
    response.getEncryptedAssertions().add(encrypter.encrypt(response.getAssertions().getFirst()));
    response.getAssertions().clear();
    return Forgery.write(XMLObjectSupport.marshall(response)).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] signed(Response response) throws Exception {
    SigningKey key = SamlFixtures.idpKey();
    Signature signature = (Signature) XMLObjectSupport.buildXMLObject(Signature.DEFAULT_ELEMENT_NAME);
    signature.setSigningCredential(new BasicX509Credential(key.certificate(), key.privateKey()));
    signature.setSignatureAlgorithm(SignatureAlgorithm.of(key.algorithm()).uri());
    signature.setCanonicalizationAlgorithm(SignatureConstants.ALGO_ID_C14N_EXCL_OMIT_COMMENTS);
    response.getAssertions().getFirst().setSignature(signature);
    Element dom = XMLObjectSupport.marshall(response);
    Signer.signObject(signature);
    return Forgery.write(dom).getBytes(StandardCharsets.UTF_8);
  }

  private static Encrypter encrypter(String content, String transport, String digest, String mask) {
    DataEncryptionParameters data = new DataEncryptionParameters();
    data.setAlgorithm(content);
    KeyEncryptionParameters key = new KeyEncryptionParameters();
    key.setAlgorithm(transport);
    key.setEncryptionCredential(new BasicX509Credential(SamlFixtures.spKey().certificate()));
    key.setRSAOAEPParameters(new RSAOAEPParameters(digest, mask, null));
    return new Encrypter(data, key);
  }

  private static Decrypter decrypter(SigningKey key) {
    Decrypter decrypter = new Decrypter(null, new OneKey(key), new InlineEncryptedKeyResolver());
    decrypter.setRootInNewDocument(true);
    return decrypter;
  }

  private record OneKey(SigningKey key) implements KeyInfoCredentialResolver {
    @Override
    public Iterable<Credential> resolve(CriteriaSet criteria) {
      return List.of(resolveSingle(criteria));
    }

    @Override
    public Credential resolveSingle(CriteriaSet criteria) {
      return new BasicX509Credential(key.certificate(), key.privateKey());
    }
  }

  @Test
  void theSchemasAcceptWhatWeWrite() throws Exception {
    SamlWriter encrypting = new CanonicalSamlWriter().encrypting(EncryptionTest.everything(SamlFixtures.spKey()));
    var logout =
        encrypting.post(
            SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP), SamlFixtures.SP_SLO, Optional.empty(),
            SamlFixtures.idpKey());

    validate(Base64.getDecoder().decode(logout.value()));
  }

  private static byte[] response(ContentCipher cipher, KeyTransport transport, Set<Encrypted> what, Signed signed) {
    var key = new EncryptionKey(SamlFixtures.spKey().certificate(), cipher, transport);
    var form =
        new CanonicalSamlWriter()
            .encrypting(new Encryption(what, key))
            .postResponse(
                SamlFixtures.response(Optional.of("_request-1")), SamlFixtures.SP_ACS, Optional.empty(),
                SamlFixtures.idpKey(), signed);
    return Base64.getDecoder().decode(form.value());
  }

  private static void validate(byte[] document) throws Exception {
    schema.newValidator().validate(new StreamSource(new ByteArrayInputStream(document)));
  }

  private static Response read(byte[] document) throws Exception {
    validate(document);
    return (Response)
        XMLObjectSupport.unmarshallFromInputStream(
            XMLObjectProviderRegistrySupport.getParserPool(), new ByteArrayInputStream(document));
  }
}

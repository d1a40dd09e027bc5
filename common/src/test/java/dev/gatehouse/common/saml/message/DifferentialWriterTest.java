package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.xml.security.c14n.Canonicalizer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensaml.core.config.InitializationService;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.core.xml.util.XMLObjectSupport;
import org.opensaml.saml.common.SAMLObject;
import org.opensaml.saml.common.SignableSAMLObject;
import org.opensaml.saml.security.impl.SAMLSignatureProfileValidator;
import org.opensaml.security.x509.BasicX509Credential;
import org.opensaml.xmlsec.signature.support.SignatureValidator;
import org.w3c.dom.Node;

/**
 * The fast writer writes what OpenSAML writes: seeded random messages, equal after canonicalisation, ours without it.
 * What it signs is verified by OpenSAML, which shares Apache's canonicalisation with our reader, and by xmlsec1, which
 * does not.
 */
class DifferentialWriterTest {

  private final SamlWriter writer = new CanonicalSamlWriter();

  @TempDir Path folder;

  @BeforeAll
  static void initialise() throws Exception {
    InitializationService.initialize();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void writesWhatOpenSamlWrites(long seed) throws Exception {
    RandomMessages messages = new RandomMessages(seed);
    for (int round = 0; round < 300; round++) {
      SamlMessage message = messages.next();
      assertSame(writer.write(message).xml(), OpenSamlObjects.of(message), seed, round);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void alsoAroundOthers(long seed) throws Exception {
    RandomMessages messages = new RandomMessages(seed);
    for (int round = 0; round < 200; round++) {
      SamlMessage message = messages.next();
      SamlMessage.ArtifactResponse around = messages.artifactResponse();
      byte[] envelope = writer.soap(around, Optional.of(writer.write(message)), SamlFixtures.idpP256Key());
      String signed = new String(envelope, StandardCharsets.UTF_8);
      int start = signed.indexOf("<ds:Signature");
      int end = signed.indexOf("</ds:Signature>") + "</ds:Signature>".length();
      String unsigned =
          signed.substring(signed.indexOf("<saml2p:"), start)
              + signed.substring(end, signed.indexOf("</soap11:Body>"));
      assertSame(unsigned, OpenSamlObjects.around(around, message), seed, round);
    }
  }

  /** What is written is what is digested, so it must be its own canonical form. */
  private static void assertSame(String ours, SAMLObject theirs, long seed, int round) throws Exception {
    String expected = canonical(XMLObjectSupport.marshall(theirs));
    assertThat(canonical(Forgery.parse(ours))).as("seed %d, round %d", seed, round).isEqualTo(expected);
    assertThat(ours).as("seed %d, round %d", seed, round).isEqualTo(expected);
  }

  private static String canonical(Node node) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Canonicalizer.getInstance(Canonicalizer.ALGO_ID_C14N_EXCL_OMIT_COMMENTS).canonicalizeSubtree(node, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(longs = {7})
  void openSamlVerifiesWhatIsSigned(long seed) throws Exception {
    RandomMessages messages = new RandomMessages(seed);
    for (int round = 0; round < 60; round++) {
      SigningKey key = round % 2 == 0 ? SamlFixtures.idpKey() : SamlFixtures.idpP256Key();
      SamlMessage message = messages.next();
      var form = writer.post(message, "https://x.example", Optional.empty(), key);
      verify(Base64.getDecoder().decode(form.value()), key, seed, round);
      SamlMessage.Response response = messages.response();
      for (SamlWriter.Signed what : SamlWriter.Signed.values()) {
        verify(writer.write(response, key, what).xml().getBytes(StandardCharsets.UTF_8), key, seed, round);
      }
    }
  }

  private static void verify(byte[] document, SigningKey key, long seed, int round) throws Exception {
    Object read =
        XMLObjectSupport.unmarshallFromInputStream(
            XMLObjectProviderRegistrySupport.getParserPool(), new ByteArrayInputStream(document));
    int signatures = verified((SignableSAMLObject) read, key);
    if (read instanceof org.opensaml.saml.saml2.core.Response response) {
      for (SignableSAMLObject assertion : response.getAssertions()) {
        signatures += verified(assertion, key);
      }
    }
    assertThat(signatures).as("seed %d, round %d", seed, round).isPositive();
  }

  private static int verified(SignableSAMLObject object, SigningKey key) throws Exception {
    if (!object.isSigned()) {
      return 0;
    }
    new SAMLSignatureProfileValidator().validate(object.getSignature());
    SignatureValidator.validate(object.getSignature(), new BasicX509Credential(key.certificate()));
    return 1;
  }

  @ParameterizedTest
  @ValueSource(longs = {9})
  void xmlsec1VerifiesWhatIsSigned(long seed) throws Exception {
    Xmlsec1.isThere();
    Xmlsec1 xmlsec1 = new Xmlsec1(folder);
    RandomMessages messages = new RandomMessages(seed);
    for (int round = 0; round < 12; round++) {
      SigningKey key = round % 2 == 0 ? SamlFixtures.idpKey() : SamlFixtures.idpP256Key();
      SamlMessage.ArtifactResponse around = messages.artifactResponse();
      SamlMessage.Response response = messages.response();
      byte[] envelope =
          writer.soap(around, Optional.of(writer.write(response, key, SamlWriter.Signed.BOTH)), key);
      for (String name : List.of("ArtifactResponse", "Response")) {
        assertThat(xmlsec1.verifies(envelope, Xmlsec1.PROTOCOL + name, key))
            .as("seed %d, round %d, %s", seed, round, name)
            .isTrue();
      }
      if (!response.assertions().isEmpty()) {
        assertThat(xmlsec1.verifies(envelope, Xmlsec1.ASSERTION, key)).as("seed %d, round %d", seed, round).isTrue();
      }
    }
  }

  /** Reading it again yields the same message, to the last character. */
  @ParameterizedTest
  @ValueSource(longs = {10, 11})
  void readsWhatItHasWritten(long seed) {
    RandomMessages messages = new RandomMessages(seed);
    SamlReader reader = new StrictSamlReader();
    for (int round = 0; round < 200; round++) {
      SamlMessage message = messages.next();
      SamlMessage.ArtifactResponse around =
          new SamlMessage.ArtifactResponse(
              "_a", message.issueInstant(), message.issuer(), Optional.empty(), Optional.empty(), SamlStatus.success());
      if (message instanceof SamlMessage.ArtifactResolve) {
        continue;
      }
      byte[] envelope = writer.soap(around, Optional.of(writer.write(sameIssuers(message))), SamlFixtures.idpKey());

      assertThat(reader.artifactResponse(envelope, everybody()))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(new Result.Accepted<>(new ReceivedArtifactResponse(around, Optional.of(sameIssuers(message)))));
    }
  }

  private static SamlReader.PartnerLookup everybody() {
    PartnerMetadata idp = SamlFixtures.idpMetadata();
    PartnerMetadata.SpRole sp = SamlFixtures.spMetadata().sp().orElseThrow();
    var both =
        new PartnerMetadata.SpRole(
            idp.idp().orElseThrow().signing(), false, false, sp.assertionConsumers(), List.of(), List.of());
    return issuer ->
        new Result.Accepted<>(
            new PartnerMetadata(
                issuer, Optional.empty(), Optional.empty(), Optional.empty(), idp.idp(), Optional.of(both)));
  }

  private static SamlMessage sameIssuers(SamlMessage message) {
    if (!(message instanceof SamlMessage.Response r)) {
      return message;
    }
    List<Assertion> assertions =
        r.assertions().stream()
            .map(
                a ->
                    new Assertion(
                        a.id(), a.issueInstant(), r.issuer(), a.subject(), a.confirmations(), a.notBefore(),
                        a.notOnOrAfter(), a.audienceRestrictions(), a.authnStatement(), a.attributes()))
            .toList();
    return new SamlMessage.Response(
        r.id(), r.issueInstant(), r.issuer(), r.destination(), r.inResponseTo(), r.consent(), r.status(),
        assertions);
  }
}

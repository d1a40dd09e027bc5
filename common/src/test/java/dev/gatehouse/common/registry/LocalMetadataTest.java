package dev.gatehouse.common.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalMetadataTest {

  @TempDir private Path folder;

  private LocalMetadata.Found check(String entityId, byte[] document, Instant now) throws IOException {
    return check(entityId, document, now, PartnerConfig.AsServiceProvider.PLAIN);
  }

  private LocalMetadata.Found check(
      String entityId, byte[] document, Instant now, PartnerConfig.AsServiceProvider asServiceProvider) throws IOException {
    Path file = Files.write(folder.resolve("partner.xml"), document);
    PartnerConfig plain = TestRealms.partner(entityId, "https://unused.example", Map.of());
    PartnerConfig local =
        new PartnerConfig(
            plain.entityId(), plain.displayName(), new MetadataSource.File(file, Optional.empty()), plain.release(),
            plain.nameId(), plain.logout(), asServiceProvider, plain.asIdentityProvider(), false);
    return new LocalMetadata(new CanonicalMetadataCodec(), now)
        .of(List.of(TestRealms.change(TestRealms.demo()).partners(local).realm()));
  }

  private static byte[] document() {
    return new CanonicalMetadataCodec().writeIdp(
        new MetadataCodec.IdpDescriptor(
            SamlFixtures.IDP, "Example", SamlFixtures.NOW.plus(Duration.ofDays(7)), Duration.ofHours(4),
            List.of(SamlFixtures.publicHalf(SamlFixtures.idpKey())),
            List.of(new PartnerMetadata.Endpoint(Binding.REDIRECT, SamlFixtures.IDP_SSO, Optional.empty())),
            List.of(), List.of()),
        SamlFixtures.idpKey());
  }

  private void problem(LocalMetadata.Found found, String message, String remedy) {
    assertThat(found.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.file()).isEqualTo(folder.resolve("partner.xml"));
              assertThat(problem.key()).contains(" in realm demo");
              assertThat(problem.message()).contains(message);
              assertThat(problem.remedy()).contains(remedy);
            });
  }

  @Test
  void aGoodDocumentIsNoProblem() throws IOException {
    assertThat(check(SamlFixtures.IDP, document(), SamlFixtures.NOW).problems()).isEmpty();
  }

  @Test
  void whatIsNotXml() throws IOException {
    problem(check(SamlFixtures.IDP, "<html><p>".getBytes(UTF_8), SamlFixtures.NOW), "is no SAML metadata", "EntityDescriptor");
  }

  @Test
  void anotherEntity() throws IOException {
    problem(check("https://other.example", document(), SamlFixtures.NOW), "does not describe that entity", "entityId");
  }

  @Test
  void anExpiredDocument() throws IOException {
    Instant later = SamlFixtures.NOW.plus(Duration.ofDays(8));
    problem(check(SamlFixtures.IDP, document(), later), "was valid until", "newest");
  }

  @Test
  void aFileThatIsGone() throws IOException {
    LocalMetadata.Found found = check(SamlFixtures.IDP, document(), SamlFixtures.NOW);
    assertThat(found.problems()).isEmpty();
    Files.delete(folder.resolve("partner.xml"));
    List<Problem> problems =
        new LocalMetadata(new CanonicalMetadataCodec(), SamlFixtures.NOW)
            .of(
                List.of(
                    TestRealms.change(TestRealms.demo())
                        .partners(
                            new PartnerConfig(
                                SamlFixtures.IDP, Optional.empty(),
                                new MetadataSource.File(folder.resolve("partner.xml"), Optional.empty()), Map.of(),
                                PartnerConfig.NameIdFormat.TRANSIENT, PartnerConfig.Logout.FRONT,
                                PartnerConfig.AsServiceProvider.PLAIN, PartnerConfig.AsIdentityProvider.PLAIN, false))
                        .realm()))
            .problems();
    assertThat(problems).extracting(Problem::message).containsExactly("cannot be read");
  }

  /** Conditions that make a partner useless although its document can be read: each is a line of {@code check}. */
  @Test
  void signaturesThatAreRefusedAreForetold() throws IOException {
    String good = new String(document(), UTF_8);
    String unknown =
        good.replaceAll("(<alg:SigningMethod[^>]*Algorithm=\")[^\"]*", "$1http://www.w3.org/2000/09/xmldsig#rsa-sha1&#10;forged")
            .replaceAll("(<alg:DigestMethod[^>]*Algorithm=\")[^\"]*", "$1http://www.w3.org/2000/09/xmldsig#sha1");
    assertThat(check(SamlFixtures.IDP, good.getBytes(UTF_8), SamlFixtures.NOW).notes()).isEmpty();

    LocalMetadata.Found found = check(SamlFixtures.IDP, unknown.getBytes(UTF_8), SamlFixtures.NOW);

    assertThat(found.problems()).isEmpty();
    assertThat(found.notes())
        .hasSize(2)
        .allSatisfy(note -> assertThat(note).contains("partner.xml: metadata of " + SamlFixtures.IDP + " in realm demo: none of the "))
        .anySatisfy(note -> assertThat(note).contains("signature algorithms that it lists is taken here", "#rsa-sha1?forged"))
        .anySatisfy(note -> assertThat(note).contains("digest algorithms that it lists is taken here", "xmldsig#sha1"));
  }

  @Test
  void oneKnownAlgorithmIsEnough() throws IOException {
    String two =
        new String(document(), UTF_8)
            .replaceFirst("<alg:SigningMethod", "<alg:SigningMethod Algorithm=\"http://www.w3.org/2000/09/xmldsig#rsa-sha1\"/><alg:SigningMethod");
    assertThat(check(SamlFixtures.IDP, two.getBytes(UTF_8), SamlFixtures.NOW).notes()).isEmpty();
  }

  @Test
  void keysThatAreTooShortAreNamed() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    SigningKey weak =
        SamlFixtures.signingKey(
            KeyAlgorithm.RSA_2048, generator.generateKeyPair(), "weak", SamlFixtures.NOW, SamlFixtures.NOW.plusSeconds(60));
    String document = new String(document(), UTF_8).replace(encoded(SamlFixtures.idpKey()), encoded(weak));

    assertThat(check(SamlFixtures.IDP, document.getBytes(UTF_8), SamlFixtures.NOW).notes())
        .anySatisfy(note -> assertThat(note).contains(SamlFixtures.IDP, "RSA of 1024 bits"))
        .anySatisfy(note -> assertThat(note).contains("every signed message of its is refused"));
  }

  private static String encoded(SigningKey key) throws CertificateEncodingException {
    return Base64.getEncoder().encodeToString(key.certificate().getEncoded());
  }

  @Test
  void aPartnerThatIsToBeSentEncryptedAssertionsAndPublishesNoKeyIsNamed() throws IOException {
    byte[] document =
        new CanonicalMetadataCodec()
            .writeSp(
                new MetadataCodec.SpDescriptor(
                    SamlFixtures.SP, "Example app", SamlFixtures.NOW.plus(Duration.ofDays(7)), Duration.ofHours(4),
                    List.of(SamlFixtures.publicHalf(SamlFixtures.spKey())),
                    List.of(new PartnerMetadata.AssertionConsumerService(0, true, Binding.POST, SamlFixtures.SP_ACS)),
                    List.of(), List.of()),
                SamlFixtures.spKey());
    PartnerConfig.AsServiceProvider encrypted =
        new PartnerConfig.AsServiceProvider(Set.of(PartnerConfig.Encrypted.ASSERTION), false, Optional.empty());

    assertThat(check(SamlFixtures.SP, document, SamlFixtures.NOW).notes()).isEmpty();
    assertThat(check(SamlFixtures.SP, document, SamlFixtures.NOW, encrypted).notes())
        .singleElement()
        .asString()
        .contains(SamlFixtures.SP, "no key for that: nobody can log in to it");
  }
}

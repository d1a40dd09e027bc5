package dev.gatehouse.common.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.MetadataCodec;
import dev.gatehouse.common.saml.PartnerMetadata;
import dev.gatehouse.common.saml.SamlFixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalMetadataTest {

  @TempDir private Path folder;

  private LocalMetadata.Found check(String entityId, byte[] document, Instant now) throws IOException {
    Path file = Files.write(folder.resolve("partner.xml"), document);
    PartnerConfig plain = TestRealms.partner(entityId, "https://unused.example", Map.of());
    PartnerConfig local =
        new PartnerConfig(
            plain.entityId(), plain.displayName(), new MetadataSource.File(file, Optional.empty()), plain.release(),
            plain.nameId(), plain.logout(), plain.asServiceProvider(), plain.asIdentityProvider());
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
                                PartnerConfig.AsServiceProvider.PLAIN, PartnerConfig.AsIdentityProvider.PLAIN))
                        .realm()))
            .problems();
    assertThat(problems).extracting(Problem::message).containsExactly("cannot be read");
  }
}

package dev.gatehouse.common.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Entity;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Verdict;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of metadata before they are imported. */
class MetadataInspectorTest {

  private static final String SIGNATURE = "<ds:Signature .*?</ds:Signature>";
  private static final String SIGNED = new String(MetadataCodecTest.ourIdp(), StandardCharsets.UTF_8);
  private static final Optional<X509Certificate> NONE = Optional.empty();

  private final MetadataInspector inspector = new MetadataInspector();

  private MetadataOutline outline(String document, Optional<X509Certificate> verifyWith) {
    Result<MetadataOutline, SamlRefusal> result = inspector.outline(document.getBytes(StandardCharsets.UTF_8), Optional.empty(), verifyWith);
    assertThat(result).isInstanceOf(Result.Accepted.class);
    return ((Result.Accepted<MetadataOutline, SamlRefusal>) result).value();
  }

  private Verdict verdict(String document, Optional<X509Certificate> verifyWith) {
    return outline(document, verifyWith).signature().verdict();
  }

  @Test
  void namesTheEntityAndItsRoles() {
    MetadataOutline outline = outline(SIGNED, NONE);
    assertThat(outline.entities()).containsExactly(new Entity(SamlFixtures.IDP, true, false));
    assertThat(outline.validUntil()).contains(SamlFixtures.NOW.plus(Duration.ofDays(7)));
    String former = SIGNED.replace("urn:oasis:names:tc:SAML:2.0:protocol", "urn:oasis:names:tc:SAML:1.1:protocol");
    assertThat(outline(former, NONE).entities()).containsExactly(new Entity(SamlFixtures.IDP, false, false));
  }

  @Test
  void aSignatureIsWorthWhatItsKeyIs() {
    Optional<X509Certificate> right = Optional.of(SamlFixtures.idpKey().certificate());
    Optional<X509Certificate> wrong = Optional.of(SamlFixtures.strangerKey().certificate());
    assertThat(verdict(SIGNED, right)).isEqualTo(Verdict.VERIFIED);
    assertThat(verdict(SIGNED, NONE)).isEqualTo(Verdict.INTACT);
    assertThat(outline(SIGNED, NONE).signature().certificate()).isEqualTo(right);
    assertThat(verdict(SIGNED, wrong)).isEqualTo(Verdict.INVALID);
    String changed = SIGNED.replace(SamlFixtures.IDP_SSO, "https://evil.example/sso");
    assertThat(verdict(changed, NONE)).isEqualTo(Verdict.INVALID);
    assertThat(verdict(changed, right)).isEqualTo(Verdict.INVALID);
    assertThat(verdict(SIGNED.replaceFirst(SIGNATURE, ""), right)).isEqualTo(Verdict.ABSENT);
    assertThat(verdict(SIGNED.replaceFirst("<ds:KeyInfo>.*?</ds:KeyInfo></ds:Signature>", "</ds:Signature>"), NONE)).isEqualTo(Verdict.UNVERIFIED);
    String sha1 = SIGNED.replace("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2000/09/xmldsig#rsa-sha1");
    assertThat(verdict(sha1, NONE)).isEqualTo(Verdict.UNSUPPORTED);
    assertThat(verdict(sha1, right)).isEqualTo(Verdict.INVALID);
  }

  /** The signature of an aggregate covers it as a whole; that of a descriptor in it only that one. */
  @Test
  void inAnAggregateTheChosenEntityIsLookedAt() {
    String other = SIGNED.replace(SamlFixtures.IDP, "https://other.example").replaceFirst(SIGNATURE, "");
    byte[] aggregate =
        ("<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" validUntil=\"2026-11-21T12:00:00Z\">" + other + SIGNED + "</md:EntitiesDescriptor>")
            .replace("ID=\"_", "ID=\"_x")
            .replaceFirst("ID=\"_x", "ID=\"_y")
            .replace("URI=\"#_", "URI=\"#_x")
            .getBytes(StandardCharsets.UTF_8);
    Result<MetadataOutline, SamlRefusal> none = inspector.outline(aggregate, Optional.empty(), NONE);
    assertThat(((Result.Accepted<MetadataOutline, SamlRefusal>) none).value().entities()).hasSize(2);
    assertThat(((Result.Accepted<MetadataOutline, SamlRefusal>) none).value().signature().verdict()).isEqualTo(Verdict.ABSENT);
    Result<MetadataOutline, SamlRefusal> chosen = inspector.outline(aggregate, Optional.of(SamlFixtures.IDP), NONE);
    MetadataOutline outline = ((Result.Accepted<MetadataOutline, SamlRefusal>) chosen).value();
    assertThat(outline.signature().verdict()).as("its ID was changed after signing").isEqualTo(Verdict.INVALID);
    assertThat(outline.validUntil()).as("that of the aggregate is earlier").hasToString("Optional[2026-11-21T12:00:00Z]");
  }

  @Test
  void whatIsNoMetadataIsRefused() {
    assertThat(inspector.outline("<a/>".getBytes(StandardCharsets.UTF_8), Optional.empty(), NONE)).isInstanceOf(Result.Refused.class);
    assertThat(inspector.outline(new byte[0], Optional.empty(), NONE)).isInstanceOf(Result.Refused.class);
  }
}

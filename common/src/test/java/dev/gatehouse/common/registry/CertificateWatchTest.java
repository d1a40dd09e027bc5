package dev.gatehouse.common.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.CertificateExpiring;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateWatchTest {

  private static final Instant NOW = SamlFixtures.NOW;

  private final Path folder;
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final SigningKey ending =
      SamlFixtures.create(
          KeyAlgorithm.P_256, "partner", NOW.minus(Duration.ofDays(100)), NOW.plus(Duration.ofDays(40)));
  private final PartnerMetadata metadata = SamlFixtures.idpMetadata(List.of(ending, SamlFixtures.idpKey()));
  private final CertificateWatch watch;

  CertificateWatchTest(@TempDir Path folder) {
    this.folder = folder;
    this.watch = open();
  }

  @Test
  void announcesOnceAtEachStep() {
    for (int hour = 0; hour < 24 * 45; hour++) {
      watch.check(metadata, NOW.plus(Duration.ofHours(hour)));
    }

    assertThat(days()).containsExactly(30, 7, 1, 0);
    assertThat(audit.events(CertificateExpiring.class).getFirst())
        .satisfies(
            event -> {
              assertThat(event.partner()).isEqualTo(SamlFixtures.IDP);
              assertThat(event.certificate()).startsWith("CN=partner ");
              assertThat(event.expiresAt()).isEqualTo(NOW.plus(Duration.ofDays(40)));
              assertThat(event.context().realm()).isEqualTo("demo");
            });
  }

  @Test
  void aRestartRepeatsNothing() {
    watch.check(metadata, NOW.plus(Duration.ofDays(35)));

    open().check(metadata, NOW.plus(Duration.ofDays(36)));

    assertThat(days()).containsExactly(7);
  }

  @Test
  void whatWasMissedIsNotMadeUpFor() {
    watch.check(metadata, NOW.plus(Duration.ofDays(41)));

    assertThat(days()).containsExactly(0);
  }

  @Test
  void aNewDocumentIsLookedAtAtOnceAndOldCertificatesAreForgotten() {
    watch.check(SamlFixtures.idpMetadata(), NOW.plus(Duration.ofDays(39)));
    assertThat(days()).isEmpty();

    watch.check(metadata, NOW.plus(Duration.ofDays(39)));
    watch.check(SamlFixtures.idpMetadata(), NOW.plus(Duration.ofDays(39)));
    watch.check(metadata, NOW.plus(Duration.ofDays(39)));

    assertThat(days()).as("again, for it was gone").containsExactly(1, 1);
  }

  @Test
  void whatCannotBeAuditedIsTriedAgain() {
    audit.breakDown(true);
    watch.check(metadata, NOW.plus(Duration.ofDays(35)));
    audit.breakDown(false);

    watch.check(metadata, NOW.plus(Duration.ofDays(35)).plus(CertificateWatch.CHECK_INTERVAL));

    assertThat(days()).containsExactly(7);
  }

  private CertificateWatch open() {
    return new CertificateWatch("demo", SamlFixtures.IDP, new MetadataCache(folder), audit);
  }

  private List<Integer> days() {
    return audit.events(CertificateExpiring.class).stream().map(CertificateExpiring::days).toList();
  }
}

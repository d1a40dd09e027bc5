package dev.gatehouse.common.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.realm.ContractsConfig.CertificateField;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.certificate.CertificateCheck.Refusal;
import java.net.URI;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** RFC 5280, section 6. CertificateLoginTest covers properties of single certificates. */
class CertificateCheckTest {

  private static final Instant NOW = Instant.parse("2026-11-21T06:00:00Z");

  private final PeopleCa root = PeopleCa.create("CN=Root", NOW);
  private final PeopleCa.Issued middle = root.issue(PeopleCa.CertificateSpec.of("CN=Middle").authority());
  private final PeopleCa.Issued alice = root.issueBy(middle, PeopleCa.CertificateSpec.of("CN=alice"));

  @Test
  void authoritiesBetweenMayComeFromTheClientInAnyOrderAndWithMore() {
    assertThat(check(List.of(), alice.certificate(), middle.certificate())).isEmpty();
    assertThat(check(List.of(), alice.certificate(), root.certificate(), middle.certificate())).isEmpty();
    assertThat(check(List.of(), alice.certificate())).contains(Refusal.CERTIFICATE_NOT_TRUSTED);
  }

  @Test
  void aPersonsCertificateSignsNoOther() {
    PeopleCa.Issued bob = root.issue(PeopleCa.CertificateSpec.of("CN=bob"));
    PeopleCa.Issued forged = root.issueBy(bob, PeopleCa.CertificateSpec.of("CN=alice"));
    assertThat(check(List.of(), forged.certificate(), bob.certificate())).contains(Refusal.CERTIFICATE_NOT_TRUSTED);
  }

  @Test
  void anAuthorityThatOnlyBearsTheNameDoesNotCount() {
    PeopleCa impostor = PeopleCa.create("CN=Root", NOW);
    X509Certificate forged = impostor.issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();
    assertThat(check(List.of(), forged)).contains(Refusal.CERTIFICATE_NOT_TRUSTED);
    assertThat(check(List.of(), forged, impostor.certificate())).contains(Refusal.CERTIFICATE_NOT_TRUSTED);
  }

  @Test
  void withListsEveryAuthorityOnTheWayNeedsOne() {
    X509Certificate direct = root.issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();
    assertThat(check(List.of(root.revoked()), direct)).isEmpty();
    assertThat(check(List.of(root.revoked(direct)), direct)).contains(Refusal.CERTIFICATE_REVOKED);
    assertThat(check(List.of(root.revoked()), alice.certificate(), middle.certificate()))
        .contains(Refusal.CERTIFICATE_REVOCATION_UNKNOWN);
    assertThat(check(List.of(root.revoked(middle.certificate())), alice.certificate(), middle.certificate()))
        .contains(Refusal.CERTIFICATE_REVOKED);
  }

  @Test
  void aListThatSomebodyElseSignedDoesNotCount() {
    X509Certificate direct = root.issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();
    X509CRL forged = PeopleCa.create("CN=Root", NOW).revoked();
    assertThat(check(List.of(forged), direct)).contains(Refusal.CERTIFICATE_REVOCATION_UNKNOWN);
  }

  /** The audit log tells them from certificates that anybody has made. */
  @Test
  void whatIsRefusedByAListAloneWasIssued() {
    X509Certificate direct = root.issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();
    X509Certificate invented = PeopleCa.create("CN=Root", NOW).issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();
    assertThat(check(List.of(root.revoked(direct)), direct).filter(Refusal::isOfIssued)).isPresent();
    assertThat(check(List.of(root.revoked()), alice.certificate(), middle.certificate()).filter(Refusal::isOfIssued)).isPresent();
    assertThat(check(List.of(root.revoked(invented)), invented).filter(Refusal::isOfIssued)).isEmpty();
    assertThat(check(List.of(root.revoked()), invented).filter(Refusal::isOfIssued)).isEmpty();
  }

  private Optional<Refusal> check(List<X509CRL> revoked, X509Certificate... chain) {
    CertificateLogin config =
        new CertificateLogin(
            URI.create("https://id.example.org:8444"),
            List.of(root.certificate()),
            CertificateField.SUBJECT_CN,
            "uid",
            revoked);
    return CertificateCheck.check(config, List.of(chain), NOW);
  }
}

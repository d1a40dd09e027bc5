package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.CertificateField;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.net.InetAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Certificates that are refused: they cannot fill the audit log, which would stop every login, and hide no others. */
final class CertificatePaceTest {

  private static final PeopleCa CA = PeopleCa.create("CN=People CA,O=Example", SamlFixtures.NOW);
  private static final X509Certificate INVENTED =
      PeopleCa.create("CN=Nobody", SamlFixtures.NOW).issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();
  private static final X509Certificate OF_NOBODY = CA.issue(PeopleCa.CertificateSpec.of("CN=mallory")).certificate();
  private static final X509Certificate ALICE = CA.issue(PeopleCa.CertificateSpec.of("CN=alice")).certificate();

  private final Idp idp = new Idp(realm());
  private final CertificateLogins logins = idp.context.getBean(CertificateLogins.class);

  @AfterEach
  void close() {
    idp.context.close();
  }

  private static Realm realm() {
    CertificateLogin login =
        new CertificateLogin(URI.create("https://id.example:8444"), List.of(CA.certificate()), CertificateField.SUBJECT_CN, "uid", List.of());
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    return TestRealms.change(TestRealms.demo())
        .contracts(new ContractsConfig(false, SecondFactor.OPTIONAL, plain.totp(), Optional.of(login)))
        .realm();
  }

  private int shown(X509Certificate certificate, String from) {
    Realm realm = idp.realms.find("demo").orElseThrow();
    EdgeRequest http =
        new EdgeRequest(
            "GET", Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/login/certificate", "browser=b", Headers.empty(), new byte[0],
            InetAddress.ofLiteral(from));
    return logins.handle(new RealmRequest(realm, realm.idp().orElseThrow(), http), List.of(certificate)).status();
  }

  private int refusedLogins() {
    return idp.audit.events(AuditEvent.LoginRefused.class).size();
  }

  /** Each page has a reference that leads to such an event. */
  private int refusedPages() {
    return idp.audit.events(AuditEvent.MessageRefused.class).size();
  }

  @Test
  void certificatesThatStrangersMakeAreWrittenAtAPace() {
    for (int i = 0; i < 600; i++) {
      assertThat(shown(INVENTED, "192.0.2.1")).isEqualTo(403);
    }
    assertThat(refusedLogins()).isEqualTo(500);
    assertThat(refusedPages()).as("each has an event of the login and one of the page, or neither").isEqualTo(500);
    shown(INVENTED, "192.0.2.2");
    assertThat(refusedLogins()).as("from elsewhere").isEqualTo(501);
    idp.time.advance(Duration.ofSeconds(1));
    shown(INVENTED, "192.0.2.1");
    shown(INVENTED, "192.0.2.1");
    assertThat(refusedLogins()).as("one a second").isEqualTo(502);
    assertThat(refusedPages()).isEqualTo(502);
    assertThat(shown(ALICE, "192.0.2.1")).as("whoever has a right one is let in").isEqualTo(303);
  }

  /** Whoever has stolen one shows invented ones first. */
  @Test
  void strangersHideNoCertificateThatAnAuthorityHasIssued() {
    for (int address = 1; address <= 5; address++) {
      for (int i = 0; i < 500; i++) {
        shown(INVENTED, "192.0.2." + address);
      }
    }
    assertThat(refusedLogins()).as("of all addresses").isEqualTo(2000);
    assertThat(shown(OF_NOBODY, "192.0.2.1")).isEqualTo(403);
    assertThat(refusedLogins()).isEqualTo(2001);
    assertThat(refusedPages()).as("the reference that the thief saw leads to it").isEqualTo(2001);
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class).getLast())
        .satisfies(
            refused -> {
              assertThat(refused.name()).isEqualTo("CN=mallory");
              assertThat(refused.reason()).isEqualTo("UNKNOWN_NAME");
            });
  }

  @Test
  void aCertificateThatAnAuthorityHasIssuedHasAPaceToo() {
    for (int i = 0; i < 600; i++) {
      assertThat(shown(OF_NOBODY, "192.0.2." + i % 100)).isEqualTo(403);
    }
    assertThat(refusedLogins()).as("from wherever it is shown").isEqualTo(500);
    shown(CA.issue(PeopleCa.CertificateSpec.of("CN=mallory")).certificate(), "192.0.2.1");
    assertThat(refusedLogins()).as("another one of the same name").isEqualTo(501);
    idp.time.advance(Duration.ofSeconds(2));
    for (int i = 0; i < 10; i++) {
      shown(OF_NOBODY, "192.0.2.1");
    }
    assertThat(refusedLogins()).as("one a second").isEqualTo(503);
  }
}

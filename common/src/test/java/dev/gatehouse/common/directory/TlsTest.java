package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Unavailable;
import dev.gatehouse.common.directory.EmbeddedDirectory.Wire;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** LDAPS and StartTLS (RFC 4511, section 4.14; RFC 4513, section 3.1.3: the server's identity is checked). */
final class TlsTest {

  @TempDir private Path folder;

  @Test
  void ldapsWithATrustedCertificate() throws Exception {
    assertThat(login(Wire.TLS, Security.LDAPS, "localhost", true)).isInstanceOf(Accepted.class);
  }

  @Test
  void startTlsWithATrustedCertificate() throws Exception {
    assertThat(login(Wire.START_TLS, Security.START_TLS, "localhost", true)).isInstanceOf(Accepted.class);
  }

  @Test
  void aCertificateForAnotherHostIsRefused() throws Exception {
    assertThat(login(Wire.TLS, Security.LDAPS, "other.example", true)).isInstanceOf(Unavailable.class);
    assertThat(login(Wire.START_TLS, Security.START_TLS, "other.example", true)).isInstanceOf(Unavailable.class);
  }

  @Test
  void aCertificateThatIsNotTrustedIsRefused() throws Exception {
    assertThat(login(Wire.TLS, Security.LDAPS, "localhost", false)).isInstanceOf(Unavailable.class);
    assertThat(login(Wire.START_TLS, Security.START_TLS, "localhost", false)).isInstanceOf(Unavailable.class);
  }

  @Test
  void aServerWithoutStartTlsGetsNoPassword() throws Exception {
    assertThat(login(Wire.PLAIN, Security.START_TLS, "localhost", true)).isInstanceOf(Unavailable.class);
  }

  @Test
  void aNewTrustFileNeedsNoRestart() throws Exception {
    TestCertificate good = TestCertificate.forHost("localhost");
    Path trust = TestCertificate.forHost("localhost").writeTo(folder.resolve("ca.pem"));
    Files.setLastModifiedTime(trust, FileTime.from(Instant.EPOCH));
    try (EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF, Wire.TLS, good.server());
        LdapDirectory directory = new LdapDirectory(config(Security.LDAPS, trust, server.port()))) {
      assertThat(directory.authenticate("alice", Password.of("demo"))).isInstanceOf(Unavailable.class);
      good.writeTo(trust);
      Eventually.holds(() -> directory.authenticate("alice", Password.of("demo")) instanceof Accepted);
    }
  }

  private Authentication login(Wire wire, Security security, String host, boolean trusted) throws Exception {
    TestCertificate certificate = TestCertificate.forHost(host);
    TestCertificate known = trusted ? certificate : TestCertificate.forHost(host);
    Path trust = known.writeTo(folder.resolve("ca.pem"));
    try (EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF, wire, certificate.server());
        LdapDirectory directory = new LdapDirectory(config(security, trust, server.port()))) {
      return directory.authenticate("alice", Password.of("demo"));
    }
  }

  private static DirectoryConfig config(Security security, Path trust, int port) {
    return TestPeople.config(
        security, Optional.of(trust), Optional.of(TestPeople.SERVICE), TestPeople.SERVICE_PASSWORD, 4, port);
  }
}

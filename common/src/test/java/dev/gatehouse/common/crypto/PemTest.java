package dev.gatehouse.common.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.saml.message.SamlFixtures;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class PemTest {

  private static final X509Certificate ONE = SamlFixtures.spKey().certificate();
  private static final X509Certificate OTHER = SamlFixtures.idpKey().certificate();

  @Test
  void readsAllCertificatesWhateverIsBetweenThem() throws GeneralSecurityException {
    String one = Pem.format(ONE).replace("\n", "\r\n");
    String other = Pem.format(OTHER).replace("\n", " \n\n");
    String text = "Bag Attributes\r\n" + one + "-----BEGIN X-----\n" + other;
    assertThat(Pem.certificates(text.getBytes(StandardCharsets.US_ASCII))).containsExactly(ONE, OTHER);
  }

  /** An import may have megabytes of it. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
  void aFirstLineWithoutALastOneCostsAsMuchAsIsReadOnce() {
    byte[] text = ("-----BEGIN CERTIFICATE-----" + " ".repeat(4_000_000)).getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> Pem.certificates(text)).isInstanceOf(GeneralSecurityException.class).hasMessageContaining("BEGIN CERTIFICATE");
    byte[] lines = "-----BEGIN X-----\n".repeat(200_000).getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> Pem.certificates(lines)).isInstanceOf(GeneralSecurityException.class);
  }
}

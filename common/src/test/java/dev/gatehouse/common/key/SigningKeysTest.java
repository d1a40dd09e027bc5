package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;

class SigningKeysTest {

  private static X509Certificate certify(KeyPair pair, String algorithm) throws Exception {
    X500Name name = new X500Name("CN=test");
    Date now = Date.from(Instant.now());
    return new JcaX509CertificateConverter()
        .getCertificate(
            new JcaX509v3CertificateBuilder(name, BigInteger.ONE, now, now, name, pair.getPublic())
                .build(new JcaContentSignerBuilder(algorithm).build(pair.getPrivate())));
  }

  private static void assertRefused(KeyPair pair, String algorithm, String why) throws Exception {
    X509Certificate certificate = certify(pair, algorithm);
    assertThatExceptionOfType(GeneralSecurityException.class)
        .isThrownBy(() -> SigningKeys.of(pair.getPrivate(), certificate))
        .withMessageContaining(why);
  }

  @Test
  void refusesWeakRsa() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    assertRefused(generator.generateKeyPair(), "SHA256withRSA", "RSA of at least 2048 bits");
  }

  @Test
  void refusesOtherCurves() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp384r1"));
    assertRefused(generator.generateKeyPair(), "SHA256withECDSA", "P-256");
  }

  @Test
  void refusesACertificateOfAnotherKey() throws Exception {
    SecureRandom random = new SecureRandom();
    SigningKey one = SigningKeys.make(KeyAlgorithm.P_256, "one", Instant.now(), random);
    SigningKey two = SigningKeys.make(KeyAlgorithm.P_256, "two", Instant.now(), random);
    SigningKey rsa = SigningKeys.make(KeyAlgorithm.RSA_2048, "three", Instant.now(), random);
    assertThatExceptionOfType(GeneralSecurityException.class)
        .isThrownBy(() -> SigningKeys.of(one.privateKey(), two.certificate()));
    assertThatExceptionOfType(GeneralSecurityException.class)
        .isThrownBy(() -> SigningKeys.of(one.privateKey(), rsa.certificate()));
  }

  @Test
  void readsWhatItFormats() throws Exception {
    SigningKey key = SigningKeys.make(KeyAlgorithm.P_256, "one", Instant.now(), new SecureRandom());
    assertThat(SigningKeys.parse(SigningKeys.format(key).getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(key);
    assertThat(key.toString()).doesNotContain("PRIVATE");
  }

  @Test
  void installsOneProviderFirst() {
    String chosen = CryptoProviders.install();
    assertThat(CryptoProviders.install()).isEqualTo(chosen);
    assertThat(chosen).startsWith(Security.getProviders()[0].getName());
    if (System.getProperty("os.name").equals("Linux") && System.getProperty("os.arch").equals("amd64")) {
      assertThat(chosen).startsWith("AmazonCorrettoCryptoProvider");
    }
  }
}

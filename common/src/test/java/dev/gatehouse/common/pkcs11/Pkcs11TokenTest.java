package dev.gatehouse.common.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.RemoteKey;
import dev.gatehouse.common.crypto.RemoteKey.Scheme;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.key.SigningKeys;
import dev.gatehouse.common.node.Pkcs11Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys in tokens of SoftHSM; each test makes tokens of its own. */
@Timeout(120)
class Pkcs11TokenTest {

  private static final byte[] TEXT = "text".getBytes(StandardCharsets.US_ASCII);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @TempDir private Path data = Path.of("");
  private final TestTime time = new TestTime();
  private String label = "";
  private String slot = "";
  private Path pin = Path.of("");

  @BeforeEach
  void makeToken() throws IOException {
    assumeThat(SoftHsm.isInstalled()).isTrue();
    label = "token " + NUMBER.incrementAndGet();
    slot = SoftHsm.token(label);
    pin = data.resolve("pin");
    Files.writeString(pin, SoftHsm.PIN + "\n");
  }

  private Pkcs11Tokens tokens() {
    return tokens(SoftHsm.config(label, pin));
  }

  private Pkcs11Tokens tokens(Pkcs11Config config) {
    return new Pkcs11Tokens(List.of(config), data, Map.of(), time);
  }

  private SigningKey bring(String name, KeyAlgorithm algorithm) throws GeneralSecurityException {
    SigningKey key = SigningKeys.make(algorithm, name, time.instant(), new SecureRandom());
    SoftHsm.bring(label, name, key.privateKey());
    return key;
  }

  private static RemoteKey find(Pkcs11Tokens tokens, SigningKey key, String name) throws GeneralSecurityException {
    byte[] pem =
        ("-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(key.certificate().getEncoded())
                + "\n-----END CERTIFICATE-----\n")
            .getBytes(StandardCharsets.US_ASCII);
    return (RemoteKey) tokens.key("hsm", name, Optional.of(pem)).key();
  }

  private static boolean verifies(String algorithm, SigningKey key, byte[] signature) throws GeneralSecurityException {
    Signature verifier = Signature.getInstance(algorithm);
    if (algorithm.equals("RSASSA-PSS")) {
      verifier.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
    }
    verifier.initVerify(key.certificate());
    verifier.update(TEXT);
    return verifier.verify(signature);
  }

  @Test
  void keysSignByEachScheme() throws GeneralSecurityException {
    SigningKey rsa = bring("rsa", KeyAlgorithm.RSA_2048);
    SigningKey p256 = bring("p256", KeyAlgorithm.P_256);
    try (Pkcs11Tokens tokens = tokens()) {
      RemoteKey one = find(tokens, rsa, "rsa");
      assertThat(verifies("SHA256withRSA", rsa, one.sign(Scheme.RSA_PKCS1, TEXT))).isTrue();
      assertThat(verifies("RSASSA-PSS", rsa, one.sign(Scheme.RSA_PSS, TEXT))).isTrue();
      assertThat(verifies("SHA256withECDSAinP1363Format", p256, find(tokens, p256, "p256").sign(Scheme.ECDSA, TEXT))).isTrue();
      assertThat(one.getEncoded()).isNull();
      assertThat(tokens.problems()).isEmpty();
    }
  }

  /** SoftHSM knows OAEP by SHA-1 alone: with other digests the padding is removed here. */
  @Test
  void keysDecryptWhatWasEncryptedToThemAndNothingElse() throws GeneralSecurityException {
    SigningKey key = bring("rsa", KeyAlgorithm.RSA_2048);
    try (Pkcs11Tokens tokens = tokens()) {
      RemoteKey found = find(tokens, key, "rsa");
      for (OAEPParameterSpec oaep :
          List.of(
              new OAEPParameterSpec("SHA-1", "MGF1", MGF1ParameterSpec.SHA1, PSource.PSpecified.DEFAULT),
              new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA1, PSource.PSpecified.DEFAULT),
              new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, new PSource.PSpecified(TEXT)),
              new OAEPParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, PSource.PSpecified.DEFAULT))) {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key.certificate().getPublicKey(), oaep);
        byte[] encrypted = cipher.doFinal(TEXT);
        assertThat(found.decrypt(oaep, encrypted)).as(oaep.getDigestAlgorithm()).hasValue(TEXT);
        for (int at : new int[] {0, 100, 255}) {
          byte[] changed = encrypted.clone();
          changed[at] ^= 1;
          assertThat(found.decrypt(oaep, changed)).as("changed at " + at).isEmpty();
        }
      }
      OAEPParameterSpec usual = new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);
      assertThat(found.decrypt(usual, new byte[3])).isEmpty();
      byte[] large = new byte[256];
      java.util.Arrays.fill(large, (byte) -1);
      assertThat(found.decrypt(usual, large)).isEmpty();
      assertThat(found.decrypt(usual, new byte[256])).isEmpty();
      assertThat(verifies("SHA256withRSA", key, found.sign(Scheme.RSA_PKCS1, TEXT))).as("the token still works").isTrue();
    }
  }

  @Test
  void aKeyMadeInTheTokenHasItsCertificateThere() throws GeneralSecurityException {
    SoftHsm.generate(slot, "made", List.of("-keyalg", "RSA", "-keysize", "2048"), false);
    try (Pkcs11Tokens tokens = tokens()) {
      Pkcs11Tokens.Found found = tokens.key("hsm", "made", Optional.empty());
      assertThat(found.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=made");
      byte[] signed = ((RemoteKey) found.key()).sign(Scheme.RSA_PKCS1, TEXT);
      Signature verifier = Signature.getInstance("SHA256withRSA");
      verifier.initVerify(found.certificate());
      verifier.update(TEXT);
      assertThat(verifier.verify(signed)).isTrue();
    }
  }

  @Test
  void aKeyThatTheTokenWouldGiveAwayIsRefused() {
    SoftHsm.generate(slot, "open", List.of("-keyalg", "RSA", "-keysize", "2048"), true);
    try (Pkcs11Tokens tokens = tokens()) {
      assertThatThrownBy(() -> tokens.key("hsm", "open", Optional.empty()))
          .isInstanceOf(TokenUnavailable.class)
          .hasMessageContaining("could be read out of the token")
          .hasMessageContaining("CKA_EXTRACTABLE false");
    }
  }

  /** A token locks itself after some wrong PINs. */
  @Test
  void aWrongPinIsTriedOnceAlsoByTheNextStart() throws Exception {
    SigningKey key = bring("rsa", KeyAlgorithm.RSA_2048);
    Files.writeString(pin, "1111");
    for (int start = 0; start < 20; start++) {
      try (Pkcs11Tokens tokens = tokens()) {
        for (int i = 0; i < 3; i++) {
          assertThat(tokens.problems()).singleElement().asString()
              .contains(start == 0 ? "refused the PIN (C_Login returned CKR_PIN_INCORRECT)" : "refused this PIN before")
              .contains("write the right one into " + pin)
              .doesNotContain("1111");
          time.advance(Duration.ofMinutes(10));
        }
      }
    }
    assertThat(data.resolve("pkcs11/hsm.refused")).content().doesNotContain("1111");
    Files.writeString(pin, SoftHsm.PIN);
    try (Pkcs11Tokens tokens = tokens()) {
      assertThat(verifies("SHA256withRSA", key, find(tokens, key, "rsa").sign(Scheme.RSA_PKCS1, TEXT))).isTrue();
      assertThat(data.resolve("pkcs11/hsm.refused")).doesNotExist();
    }
  }

  @Test
  void whatIsMissingIsNamedWithItsRemedy() throws Exception {
    SigningKey key = bring("rsa", KeyAlgorithm.RSA_2048);
    SigningKey other = SigningKeys.make(KeyAlgorithm.RSA_2048, "other", time.instant(), new SecureRandom());
    Pkcs11Config config = SoftHsm.config(label, pin);
    assertProblem(new Pkcs11Config("hsm", data.resolve("lib.so"), label, config.pin(), 1), "There is no PKCS#11 library", "pkcs11.hsm.library");
    assertProblem(new Pkcs11Config("hsm", pin, label, config.pin(), 1), "cannot be used", "pkcs11.hsm.library");
    assertProblem(SoftHsm.config("other", pin), "no token with the label other", "pkcs11.hsm.token");
    assertProblem(SoftHsm.config(label, data.resolve("none")), "PIN of the token hsm cannot be read from", "write it there");
    try (Pkcs11Tokens tokens = tokens()) {
      assertThatThrownBy(() -> find(tokens, key, "none")).hasMessageContaining("no private key with the label none");
      assertThatThrownBy(() -> find(tokens, other, "rsa")).hasMessageContaining("is not that of its certificate");
      assertThatThrownBy(() -> tokens.key("hsm", "rsa", Optional.empty())).hasMessageContaining("has no certificate for the key rsa");
      assertThatThrownBy(() -> tokens.key("safe", "rsa", Optional.empty())).hasMessageContaining("which gatehouse.yaml does not have (it has: hsm)");
    }
  }

  private void assertProblem(Pkcs11Config config, String... words) {
    try (Pkcs11Tokens tokens = tokens(config)) {
      assertThat(tokens.problems()).singleElement().asString().contains(words);
    }
  }

  @Test
  void aTokenThatIsTakenAwayIsMissedAndFoundAgain() throws Exception {
    SigningKey key = bring("rsa", KeyAlgorithm.RSA_2048);
    Path folder = SoftHsm.folder(slot);
    Path away = data.resolve("away");
    try (Pkcs11Tokens tokens = tokens()) {
      RemoteKey found = find(tokens, key, "rsa");
      assertThat(verifies("SHA256withRSA", key, found.sign(Scheme.RSA_PKCS1, TEXT))).isTrue();
      Files.move(folder, away);
      // SoftHSM keeps what it has read: a device that starts anew has nothing.
      Library.of(SoftHsm.LIBRARY).functions().close();
      assertThatThrownBy(() -> found.sign(Scheme.RSA_PKCS1, TEXT)).isInstanceOf(TokenUnavailable.class);
      assertThat(tokens.problems()).singleElement().asString().contains("pkcs11.hsm.token");

      Files.move(away, folder);
      assertThatThrownBy(() -> found.sign(Scheme.RSA_PKCS1, TEXT)).as("at once").isInstanceOf(TokenUnavailable.class);
      time.advance(Duration.ofSeconds(5));
      assertThat(verifies("SHA256withRSA", key, found.sign(Scheme.RSA_PKCS1, TEXT))).isTrue();
      assertThat(tokens.problems()).isEmpty();
    }
  }

  @Test
  void aLibraryThatLostItsSessionsIsLoggedInAgainWithoutAFailure() throws Exception {
    SigningKey key = bring("rsa", KeyAlgorithm.RSA_2048);
    try (Pkcs11Tokens tokens = tokens()) {
      RemoteKey found = find(tokens, key, "rsa");
      Library.of(SoftHsm.LIBRARY).functions().close();
      assertThat(verifies("SHA256withRSA", key, found.sign(Scheme.RSA_PKCS1, TEXT))).isTrue();
      Library.of(SoftHsm.LIBRARY).restart();
      assertThat(verifies("SHA256withRSA", key, found.sign(Scheme.RSA_PKCS1, TEXT))).isTrue();
    }
  }

  /** Another token with the same label, and another key with the same label in it, do not take the place of the former. */
  @Test
  void aTokenThatCameBackWithAnotherKeyIsRefused() throws Exception {
    SigningKey key = bring("rsa", KeyAlgorithm.RSA_2048);
    try (Pkcs11Tokens tokens = tokens()) {
      RemoteKey found = find(tokens, key, "rsa");
      Files.move(SoftHsm.folder(slot), data.resolve("away"));
      Library.of(SoftHsm.LIBRARY).functions().close();
      assertThatThrownBy(() -> found.sign(Scheme.RSA_PKCS1, TEXT)).isInstanceOf(TokenUnavailable.class);
      SoftHsm.token(label);
      bring("rsa", KeyAlgorithm.RSA_2048);
      time.advance(Duration.ofSeconds(5));
      assertThatThrownBy(() -> found.sign(Scheme.RSA_PKCS1, TEXT)).hasMessageContaining("is not that of its certificate");
    }
  }

  @Test
  void callsThatWaitAreBounded() throws InterruptedException {
    SignaturePool pool = new SignaturePool("hsm", 1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(65);
    for (int i = 0; i < 65; i++) {
      Thread.ofVirtual().start(
          () -> {
            pool.call(() -> {
              go.await();
              return true;
            });
            done.countDown();
          });
    }
    while (pool.running() + pool.waiting() < 65) {
      Thread.sleep(5);
    }
    assertThat(pool.running()).isEqualTo(1);
    assertThatThrownBy(() -> pool.call(() -> true)).isInstanceOf(TokenUnavailable.class).hasMessageContaining("pkcs11.hsm.threads");
    assertThat(pool.rejected()).isEqualTo(1);
    go.countDown();
    done.await();
    pool.close();
  }
}

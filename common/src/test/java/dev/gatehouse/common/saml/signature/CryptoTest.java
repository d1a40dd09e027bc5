package dev.gatehouse.common.saml.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.store.Race;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Instances of the provider are reused: none remembers a key, a text or a failure. */
class CryptoTest {

  private static final byte[] TEXT = text("text");
  private static final List<SigningKey> KEYS = List.of(SamlFixtures.idpKey(), SamlFixtures.spKey(), SamlFixtures.idpP256Key());

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static boolean verifies(SigningKey key, byte[] content, byte[] value) {
    return Crypto.verifies(SignatureAlgorithm.of(key.algorithm()), key.certificate().getPublicKey(), content, value);
  }

  @Test
  void keysTakeTurns() {
    for (int i = 0; i < 5; i++) {
      for (SigningKey signer : KEYS) {
        byte[] value = Crypto.sign(signer, TEXT);
        for (SigningKey verifier : KEYS) {
          assertThat(verifies(verifier, TEXT, value)).as("%s by %s", signer, verifier).isEqualTo(signer == verifier);
        }
      }
    }
  }

  @Test
  void whatFailsLeavesNothingBehind() {
    failuresLeaveNothingBehind(SamlFixtures.idpKey(), SamlFixtures.idpP256Key());
    failuresLeaveNothingBehind(SamlFixtures.idpP256Key(), SamlFixtures.idpKey());
  }

  private static void failuresLeaveNothingBehind(SigningKey key, SigningKey ofAnotherFamily) {
    byte[] value = Crypto.sign(key, TEXT);
    for (int i = 0; i < 20; i++) {
      assertThat(verifies(key, TEXT, new byte[i])).as("%s bytes for %s", i, key).isFalse();
      assertThat(verifies(key, text("another text"), value)).isFalse();
      PublicKey unfit = ofAnotherFamily.certificate().getPublicKey();
      assertThat(Crypto.verifies(SignatureAlgorithm.of(key.algorithm()), unfit, TEXT, value)).isFalse();
      assertThat(verifies(key, TEXT, value)).isTrue();
    }
  }

  @Test
  void manySignAndVerifyAtOnce() throws Exception {
    List<Boolean> answers =
        Race.of(
            60,
            i ->
                () -> {
                  SigningKey key = KEYS.get(i % KEYS.size());
                  // Longer than what a provider buffers.
                  byte[] content = text("text ".repeat(1 + 100 * i));
                  return verifies(key, content, Crypto.sign(key, content));
                });
    assertThat(answers).containsOnly(true);
  }

  /** A key that the first provider may not take. */
  private record PlainKey(BigInteger modulus, BigInteger exponent) implements RSAPublicKey {
    @Override
    public BigInteger getModulus() {
      return modulus;
    }

    @Override
    public BigInteger getPublicExponent() {
      return exponent;
    }

    @Override
    public String getAlgorithm() {
      return "RSA";
    }

    @Override
    public String getFormat() {
      return "none";
    }

    @Override
    public byte[] getEncoded() {
      return new byte[0];
    }
  }

  @Test
  void aKeyThatIsNoneOfTheProvidersVerifies() {
    SigningKey key = SamlFixtures.idpKey();
    RSAPublicKey known = (RSAPublicKey) key.certificate().getPublicKey();
    PublicKey plain = new PlainKey(known.getModulus(), known.getPublicExponent());
    byte[] value = Crypto.sign(key, TEXT);
    assertThat(Crypto.verifies(SignatureAlgorithm.RSA_SHA256, plain, TEXT, value)).isTrue();
    assertThat(Crypto.verifies(SignatureAlgorithm.RSA_SHA256, plain, text("another text"), value)).isFalse();
  }
}

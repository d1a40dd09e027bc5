package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.math.BigInteger;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The provider is not installed in this module, whose tests use the JDK's own keys. */
class TestKeyPairsTest {

  @Test
  void eachPairIsAnotherOneThatSignsAndVerifies() throws Exception {
    Set<BigInteger> seen = new HashSet<>();
    int last = TestKeyPairs.number() - 1;
    assertThat(last).isEqualTo(779);
    for (int number : new int[] {0, 1, 38, 39, 76, 77, last - 1, last}) {
      KeyPair pair = TestKeyPairs.pair(number);
      SigningKey key = SamlFixtures.signingKey(KeyAlgorithm.RSA_2048, pair, "pair", SamlFixtures.NOW, SamlFixtures.NOW.plusSeconds(60));
      assertThat(Pem.isPair(key.privateKey(), key.certificate())).isTrue();
      assertThat(modulus(pair).bitLength()).isEqualTo(2048);
      assertThat(seen.add(modulus(pair))).isTrue();
    }
  }

  @Test
  void keysOfAnotherSizeOrOfNoneAreLeftToTheNextProvider() {
    TestKeyPairs.Rsa ours = new TestKeyPairs.Rsa();
    assertThatThrownBy(() -> ours.initialize(3072, new SecureRandom())).isInstanceOf(InvalidParameterException.class);
    assertThatThrownBy(ours::generateKeyPair).isInstanceOf(IllegalStateException.class);
    ours.initialize(2048, new SecureRandom());
    assertThat(modulus(ours.generateKeyPair())).isNotEqualTo(modulus(ours.generateKeyPair()));
  }

  private static BigInteger modulus(KeyPair pair) {
    return ((RSAPublicKey) pair.getPublic()).getModulus();
  }
}

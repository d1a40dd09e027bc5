package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeflatedValueTest {

  /** As codecs begin: with their version. */
  private static byte[] written(String text) {
    byte[] value = (" " + text).getBytes(StandardCharsets.UTF_8);
    value[0] = 4;
    return value;
  }

  @Test
  void aSessionTakesLessAndIsTheSameAgain() {
    String partner = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient https://sp1.example.org/.gatehouse/saml/metadata";
    byte[] plain = written(partner.repeat(2));
    byte[] stored = DeflatedValue.of(plain);
    assertThat(stored).hasSizeLessThan(plain.length / 3);
    assertThat(DeflatedValue.inflated(stored)).isEqualTo(plain);
  }

  @Test
  void whatDoesNotBecomeShorterStaysAsItIs() {
    byte[] plain = new byte[700];
    new Random(7).nextBytes(plain);
    plain[0] = 4;
    assertThat(DeflatedValue.of(plain)).isEqualTo(plain);
    assertThat(DeflatedValue.inflated(plain)).isEqualTo(plain);
    assertThat(DeflatedValue.inflated(DeflatedValue.of(new byte[] {4}))).containsExactly(4);
  }

  @Test
  void longSessionsAreReadWhole() {
    byte[] plain = written("a group of people ".repeat(20_000));
    assertThat(DeflatedValue.inflated(DeflatedValue.of(plain))).isEqualTo(plain);
  }

  /** Values written by the version before are in Valkey while nodes are replaced. */
  @Test
  void valuesOfTheVersionBeforeAreRead() {
    byte[] plain = written("as the codec wrote it");
    assertThat(DeflatedValue.inflated(plain)).isEqualTo(plain);
  }

  /** Values were written with it: a changed word would make sessions unreadable. A new one gets a name and a mark of its own. */
  @Test
  void theDictionaryNeverChanges() throws Exception {
    try (InputStream in = DeflatedValue.class.getResourceAsStream("session-words-1.txt")) {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(in.readAllBytes());
      assertThat(HexFormat.of().formatHex(digest)).isEqualTo("bd9c9f10ca210118cc8f280b79cacb12d9e4e32d3198eb5d7eb926c415d91a8d");
    }
  }

  @Test
  void damagedValuesAreRefused() {
    byte[] stored = DeflatedValue.of(written("urn:oasis:names:tc:SAML:2.0:nameid-format:persistent ".repeat(5)));
    assertThatIllegalArgumentException().isThrownBy(() -> DeflatedValue.inflated(Arrays.copyOf(stored, stored.length - 4)));
    assertThatIllegalArgumentException().isThrownBy(() -> DeflatedValue.inflated(new byte[] {(byte) 0x81}));
  }
}

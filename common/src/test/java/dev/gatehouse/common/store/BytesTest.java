package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Keys are found again by what other versions have written. */
class BytesTest {

  @Test
  void theDigestOfTextsStaysTheSame() {
    // Of 4 bytes with the length of each text, and its UTF-8.
    assertThat(HexFormat.of().formatHex(Bytes.digest("demo", "\u00e4", "x".repeat(300))))
        .isEqualTo("7cb0cfcc2ca11fa1ac5e62fcdd6d7588ee099eae8388f2678f1702c1ed50f314");
  }

  @Test
  void noTwoListsOfTextsHaveTheSameDigest() {
    assertThat(Bytes.digest("a", "bc")).isNotEqualTo(Bytes.digest("ab", "c")).isNotEqualTo(Bytes.digest("abc"));
  }
}

package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WCAG 2.2, success criterion 1.4.3: text has a contrast of 4.5 to 1 at least, whatever accent a realm chooses. */
final class ColourTest {

  @Test
  void contrastIsTheSpecifications() {
    assertThat(Colour.WHITE.contrast(Colour.BLACK)).isCloseTo(21, within(0.001));
    assertThat(Colour.of("#777777").contrast(Colour.WHITE)).isCloseTo(4.48, within(0.01));
    assertThat(Colour.of("#ffdd00").text()).isEqualTo(Colour.BLACK);
    assertThat(Colour.of("#1F5FA8").text()).isEqualTo(Colour.WHITE);
    assertThat(Colour.of("#0a0B0c")).hasToString("#0a0b0c");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20261121})
  void anyAccentCanBeReadInBothSchemes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2000; i++) {
      Colour accent = new Colour(random.nextInt(256), random.nextInt(256), random.nextInt(256));
      assertThat(accent.contrast(accent.text())).as("text on %s, seed %s", accent, seed).isGreaterThanOrEqualTo(4.5);
      assertInkReads(accent, Scheme.LIGHT.card(), Colour.BLACK, seed);
      assertInkReads(accent, Scheme.DARK.card(), Colour.WHITE, seed);
      Colour fill = accent.readableOn(Scheme.DARK.card(), Colour.WHITE, 3);
      assertThat(fill.contrast(fill.text())).as("text on dark %s, seed %s", fill, seed).isGreaterThanOrEqualTo(4.5);
    }
  }

  private static void assertInkReads(Colour accent, Colour card, Colour end, long seed) {
    Colour ink = accent.readableOn(card, end, Scheme.TEXT_CONTRAST);
    assertThat(ink.contrast(card)).as("%s on %s, seed %s", accent, card, seed).isGreaterThanOrEqualTo(4.5);
  }
}

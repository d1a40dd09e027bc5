package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeededRulesTest {

  private static final String PAGE =
      "<html lang=\"en\"><body><main class=\"card wide\"><h1>x</h1><form><button>y</button></form></main></body></html>";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* | true",
        ":root | true",
        "*, *::before | true",
        "h1 | true",
        "h2 | false",
        ".card | true",
        ".card.wide | true",
        ".card.narrow | false",
        ".badge | false",
        "h2, .card | true",
        ".card > :last-child | true",
        "ul.rows > li | false",
        "table.rows td[data-label]::before | false",
        "button:focus-visible | true",
        "button:not(.x) | true",
        "[hidden] | true",
        ".car | false"
      })
  void keepsWhatCanApply(String selector, boolean kept) {
    assertThat(NeededRules.of(selector + " { color: red; }\n", PAGE)).isEqualTo(kept ? selector + "{ color: red; }\n" : "");
  }

  @Test
  void goesIntoMediaRulesAndLeavesEmptyOnesOut() {
    String css = "@media (max-width: 34rem) {\n.card { a: b; }\n.badge { a: b; }\n}\n@media print {\n.badge { a: b; }\n}\n";
    assertThat(NeededRules.of(css, PAGE)).isEqualTo("@media (max-width: 34rem){\n.card{ a: b; }\n}\n");
  }

  @Test
  void keepsAnimationsThatRun() {
    String turn = "@keyframes turn { to { transform: rotate(1turn); } }";
    assertThat(NeededRules.of(".badge { animation: turn 1s; }\n" + turn, PAGE)).isEmpty();
    assertThat(NeededRules.of(".card { animation: turn 1s; }\n" + turn, PAGE)).contains("@keyframes turn");
  }

  @Test
  void refusesASheetThatIsBroken() {
    assertThatIllegalStateException().isThrownBy(() -> NeededRules.of(".card { a: b;", PAGE));
  }
}

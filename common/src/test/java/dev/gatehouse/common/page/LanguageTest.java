package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LanguageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "de | GERMAN",
        "de-AT,en;q=0.8 | GERMAN",
        "DE-ch | GERMAN",
        "fr,de;q=0.5,en;q=0.4 | GERMAN",
        "en;q=0.4, de ;q=0.5 | GERMAN",
        "fr-FR,fr | ENGLISH",
        "en,de | ENGLISH",
        "de;q=0 | ENGLISH",
        "de;q=7 | ENGLISH",
        "de;q=x, en;q=0.1 | ENGLISH",
        "*,de;q=0.9 | ENGLISH",
        "den | ENGLISH",
        ",,;q=1,=; | ENGLISH"
      })
  void prefersWhatThePersonPrefers(String field, Language expected) {
    assertThat(Language.preferred(Optional.of(field))).isEqualTo(expected);
  }

  @Test
  void isEnglishWhereNothingIsSaidOrTooMuch() {
    assertThat(Language.preferred(Optional.empty())).isEqualTo(Language.ENGLISH);
    assertThat(Language.preferred(Optional.of("de,".repeat(1000)))).isEqualTo(Language.ENGLISH);
  }
}

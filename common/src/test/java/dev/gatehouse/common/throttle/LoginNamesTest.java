package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoginNamesTest {

  /** SECURITY-CASES 43. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "alice", "ALICE", " Alice\t", "a\u00adlice", "al\u200bice", "\u202ealice", "ａｌｉｃｅ", "al\u0000ice", "alice\ufe0f", "𝒶lice"
      })
  void spellingsOfOneNameAreOne(String typed) {
    assertThat(LoginNames.normal(typed)).isEqualTo("alice");
  }

  @Test
  void composedAndDecomposedAreOne() {
    assertThat(LoginNames.normal("Jo\u0308rg Strauß")).isEqualTo(LoginNames.normal("JÖRG  STRAUSS")).isEqualTo("jörg strauss");
    assertThat(LoginNames.normal("ΟΔΟΣ")).isEqualTo(LoginNames.normal("οδος"));
  }

  @Test
  void normalIsStable() {
    for (String typed : new String[] {"ǰ x", "İstanbul", "ﬁ", "ΰ", "a\u0345", "ẞ"}) {
      String once = LoginNames.normal(typed);
      assertThat(LoginNames.normal(once)).isEqualTo(once);
    }
  }

  @Test
  void theSoughtNameKeepsWhatTheDirectoryDecides() {
    assertThat(LoginNames.sought(" Alice  Strauß ")).isEqualTo("Alice Strauß");
    assertThat(LoginNames.sought("(*)")).isEqualTo("(*)");
    assertThat(LoginNames.sought("JÖRG")).as("capital letters and accents").isEqualTo("JÖRG");
    assertThat(LoginNames.sought("Jo\u0308rg")).as("as macOS types it").isEqualTo("Jörg");
    assertThat(LoginNames.sought("김")).isEqualTo("김");
  }

  /** SECURITY-CASES 71. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ａｌｉｃｅ", "ceo\uff20corp.example", "ceo\ufe6bcorp.example", "a\u00adlice", "al\u200bice", "\u202ealice", "al\u0000ice",
        "alice\ufe0f", "𝒶lice", "\u212aarl", "\ufb01nn", "a\u00a0b", "al\ue000", "al\u0378", "\ufffd", "al\u3164", "alice\udb40\udd00"
      })
  void namesThatStringPreparationChangesAreNobodys(String typed) {
    assertThat(LoginNames.sought(typed)).isEmpty();
  }

  /** What needs no preparation has the forms that the whole way around would give it. */
  @Test
  void plainNamesAreAsOthers() {
    for (char c = 0x21; c < 0x7f; c++) {
      for (String plain : new String[] {"" + c, "Al" + c + "ice", c + "Q"}) {
        // Mapped to nothing, and no plain character.
        String other = plain + "\u00ad";
        assertThat(LoginNames.normal(plain)).isEqualTo(LoginNames.normal(other)).isEqualTo(plain.toLowerCase(Locale.ROOT));
        assertThat(LoginNames.counted(plain)).isEqualTo(LoginNames.counted(other));
        assertThat(LoginNames.sought(plain)).isEqualTo(plain);
        assertThat(StringPreparation.prepared(plain)).isEqualTo(StringPreparation.prepared(other));
      }
    }
  }

  /** SECURITY-CASES 71: Active Directory ignores accents, kinds of kana and widths. */
  @Test
  void namesThatAnyDirectoryThinksEqualShareACounter() {
    for (String typed : new String[] {"jorg", "JÖRG", "jo\u0308rg", "jørg", "ｊõrg"}) {
      assertThat(LoginNames.counted(typed)).as(typed).isEqualTo("jorg");
    }
    assertThat(LoginNames.counted("カナ")).isEqualTo(LoginNames.counted("ｶﾅ")).isEqualTo(LoginNames.counted("かな"));
    assertThat(LoginNames.counted("Straße")).isEqualTo(LoginNames.counted("STRASSE"));
    assertThat(LoginNames.normal("jorg")).as("apart where people are told apart").isNotEqualTo(LoginNames.normal("jörg"));
  }

  @Test
  void nothingAndTooLongNameNobody() {
    assertThat(LoginNames.normal(" \u200b ")).isEmpty();
    assertThat(LoginNames.normal("a".repeat(257))).isEmpty();
    assertThat(LoginNames.normal("a".repeat(256))).hasSize(256);
  }

  @Test
  void differentNamesStayDifferent() {
    assertThat(LoginNames.normal("alice*")).isEqualTo("alice*").isNotEqualTo(LoginNames.normal("alice"));
    assertThat(LoginNames.normal("a lice")).isNotEqualTo(LoginNames.normal("alice"));
  }
}

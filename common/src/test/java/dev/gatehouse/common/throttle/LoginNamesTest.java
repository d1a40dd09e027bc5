package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

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
  void cleanedKeepsWhatTheDirectoryDecides() {
    assertThat(LoginNames.cleaned(" A\u00adlice  Strauß ")).isEqualTo("Alice Strauß");
    assertThat(LoginNames.cleaned("(*)")).isEqualTo("(*)");
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

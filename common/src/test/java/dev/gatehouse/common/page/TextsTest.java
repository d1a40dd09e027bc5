package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextsTest {

  private final Texts texts = Texts.load(TextsTest.class.getClassLoader());

  @Test
  void unknownKeysHaveNoText() {
    assertThat(texts.find(Language.GERMAN, "no.such.key")).isEmpty();
  }

  @Test
  void argumentsAreFilledInOnceAndLiterally() {
    assertThat(Texts.fill("It's {0} for {1}, {2} {x}", "{1}", "Bob's")).isEqualTo("It's {1} for Bob's, {2} {x}");
    assertThat(Texts.fill("{0", "a")).isEqualTo("{0");
    assertThat(Texts.fill("{0}")).isEqualTo("{0}");
  }
}

package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.ChosenBy;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a PIN may be. That it is none of the former ones, is compared with their hashes ({@code OwnTokensTest}). */
final class PinPolicyTest {

  private static final TokenLogin.Pin DIGITS = new TokenLogin.Pin(4, 8, false, 3, ChosenBy.PERSON);
  private static final TokenLogin.Pin LETTERS = new TokenLogin.Pin(6, 10, true, 3, ChosenBy.EITHER);

  @ParameterizedTest
  @ValueSource(strings = {"1234", "4321", "8642", "2468", "7777", "7890", "0987", "8901", "2109", "01234567", "34567890"})
  void sequencesAreNotAllowed(String pin) {
    assertThat(PinPolicy.allows(DIGITS, pin)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1235", "1248", "7891", "9012345x", "123", "123456780", "12 34", "1243é", "\u0661\u0662\u0664\u0663"})
  void lengthAndCharactersCount(String pin) {
    boolean isGood = pin.matches("[0-9]{4,8}");
    assertThat(PinPolicy.allows(DIGITS, pin)).isEqualTo(isGood);
  }

  @Test
  void lettersCountWhereTheyMay() {
    assertThat(PinPolicy.allows(LETTERS, "k3ttle")).isTrue();
    assertThat(PinPolicy.allows(DIGITS, "k3ttle")).isFalse();
    for (String run : new String[] {"abcdef", "aBcDeF", "fedcba", "zzzzzz", "ZzZzZz", "acegik"}) {
      assertThat(PinPolicy.allows(LETTERS, run)).as(run).isFalse();
    }
    assertThat(PinPolicy.allows(LETTERS, "kéttle")).isFalse();
    assertThat(PinPolicy.allows(LETTERS, "k3ttl")).as("short").isFalse();
    assertThat(PinPolicy.allows(LETTERS, "k3ttlek3ttle")).as("long").isFalse();
  }

  @Test
  void whatTheServerMakesIsAllowed() {
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      assertThat(PinPolicy.create(DIGITS, random)).matches("[0-9]{6}").matches(pin -> PinPolicy.allows(DIGITS, pin));
    }
    assertThat(PinPolicy.create(new TokenLogin.Pin(8, 8, false, 3, ChosenBy.SERVER), random)).matches("[0-9]{8}");
  }
}

package dev.gatehouse.idp.otp;

import dev.gatehouse.common.realm.TokenLogin;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** What a PIN may be (NIST SP 800-63B, section 3.1.1.2: it is never the only factor). */
final class PinPolicy {

  private static final int USUAL_LENGTH = 6;

  private PinPolicy() {}

  /** Returns whether the PIN has the length and characters of the rules, and is no run such as 1234, 8642, 7890 or 7777. */
  static boolean allows(TokenLogin.Pin rules, String pin) {
    return pin.length() >= rules.least()
        && pin.length() <= rules.most()
        && pin.chars().allMatch(c -> c >= '0' && c <= '9' || rules.letters() && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'))
        && !isRun(pin);
  }

  /** Makes a PIN of digits. */
  static String create(TokenLogin.Pin rules, RandomGenerator random) {
    int length = Math.clamp(USUAL_LENGTH, rules.least(), rules.most());
    while (true) {
      String pin = random.ints(length, '0', '9' + 1).mapToObj(Character::toString).collect(Collectors.joining());
      if (allows(rules, pin)) {
        return pin;
      }
    }
  }

  /** Letters count without their case, and 0 comes after 9 as well as before 1, as on telephones. */
  private static boolean isRun(String pin) {
    String text = pin.toLowerCase(Locale.ROOT);
    int step = step(text, 1);
    for (int i = 2; i < text.length(); i++) {
      if (step(text, i) != step) {
        return false;
      }
    }
    return true;
  }

  private static int step(String text, int at) {
    String pair = text.substring(at - 1, at + 1);
    return switch (pair) {
      case "90" -> 1;
      case "09" -> -1;
      default -> pair.charAt(1) - pair.charAt(0);
    };
  }
}

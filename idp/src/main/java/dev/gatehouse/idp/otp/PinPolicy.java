package dev.gatehouse.idp.otp;

import dev.gatehouse.common.realm.TokenLogin;

/** What a PIN may be (NIST SP 800-63B, section 3.1.1.2: it is never the only factor). */
final class PinPolicy {

  private PinPolicy() {}

  /** Returns whether the PIN has the length and characters of the rules, and is no run such as 1234, 8642 or 7777. */
  static boolean allows(TokenLogin.Pin rules, String pin) {
    return pin.length() >= rules.least()
        && pin.length() <= rules.most()
        && pin.chars().allMatch(c -> c >= '0' && c <= '9' || rules.letters() && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'))
        && !isRun(pin);
  }

  private static boolean isRun(String pin) {
    int step = pin.charAt(1) - pin.charAt(0);
    for (int i = 2; i < pin.length(); i++) {
      if (pin.charAt(i) - pin.charAt(i - 1) != step) {
        return false;
      }
    }
    return true;
  }
}

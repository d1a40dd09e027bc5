package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What stands in for the code of a lost token: twelve letters and digits, made by us, after the PIN as a code would be. */
final class Emergencies {

  /** 60 bits: long enough for a keyed digest without a slow hash. */
  private static final int LENGTH = 12;

  private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz023456789";

  /** What somebody typed, if it can be one. */
  record Typed(String pin, String code) {}

  private Emergencies() {}

  static String create(RandomGenerator random) {
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < LENGTH; i++) {
      code.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return code.toString();
  }

  static Optional<Typed> typed(String passcode) {
    int start = passcode.length() - LENGTH;
    if (start < 0) {
      return Optional.empty();
    }
    String code = passcode.substring(start).toLowerCase(Locale.ROOT);
    return code.chars().allMatch(c -> LETTERS.indexOf(c) >= 0)
        ? Optional.of(new Typed(passcode.substring(0, start), code))
        : Optional.empty();
  }

  static String digest(SealingKey sealing, String realm, PersonId person, String code) {
    return sealing.digest(code, "otp-emergency", realm, person.value());
  }
}

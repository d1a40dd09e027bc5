package dev.gatehouse.idp.totp;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Codes for who has lost their authenticator app: shown once, each good for one login. 60 random bits each, so that a keyed
 * digest keeps them as well as a slow one would, and nobody guesses one.
 */
final class RecoveryCodes {

  static final int COUNT = 10;

  private static final int LENGTH = 12;

  /** Without letters that look like digits (Crockford's base 32). */
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

  private static final Pattern CODE = Pattern.compile("[0-9a-hjkmnp-tv-z]{12}");

  private RecoveryCodes() {}

  /** New ones, as they are shown: {@code abcd-efgh-jkmn}. */
  static List<String> create(RandomGenerator random) {
    LinkedHashSet<String> codes = new LinkedHashSet<>();
    while (codes.size() < COUNT) {
      StringBuilder code = new StringBuilder();
      for (int i = 0; i < LENGTH; i++) {
        code.append(i > 0 && i % 4 == 0 ? "-" : "").append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
      }
      codes.add(code.toString());
    }
    return List.copyOf(codes);
  }

  /** The code that was typed, in its one spelling; empty where it can be none. */
  static Optional<String> normal(String typed) {
    String code =
        typed.toLowerCase(Locale.ROOT).replaceAll("[\\s-]", "").replace('o', '0').replace('i', '1').replace('l', '1');
    return CODE.matcher(code).matches() ? Optional.of(code) : Optional.empty();
  }
}

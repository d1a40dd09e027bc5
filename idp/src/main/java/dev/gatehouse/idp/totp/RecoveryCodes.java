package dev.gatehouse.idp.totp;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Codes for a person who has lost the authenticator app: shown once, each valid for one login. Each has 60 random bits,
 * so a keyed digest protects them as well as a slow one, and nobody can guess one.
 */
final class RecoveryCodes {

  static final int COUNT = 10;

  private static final int LENGTH = 12;

  /** Excludes letters that look like digits (Crockford's base 32). */
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

  private static final Pattern CODE = Pattern.compile("[0-9a-hjkmnp-tv-z]{12}");

  private RecoveryCodes() {}

  /** Creates codes in their displayed form: {@code abcd-efgh-jkmn}. */
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

  /** The typed code in its normal form; empty if it cannot be a code. */
  static Optional<String> normal(String typed) {
    String code =
        typed.toLowerCase(Locale.ROOT).replaceAll("[\\s-]", "").replace('o', '0').replace('i', '1').replace('l', '1');
    return CODE.matcher(code).matches() ? Optional.of(code) : Optional.empty();
  }
}

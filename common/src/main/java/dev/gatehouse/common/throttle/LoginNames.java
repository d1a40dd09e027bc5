package dev.gatehouse.common.throttle;

import java.text.Normalizer;
import java.util.Locale;

/**
 * The forms of a typed login name: {@link #normal}, by which guesses are counted, and {@link #cleaned}, by which people are
 * looked up. The first is at least as coarse as the string preparation of LDAP's matching rules (RFC 4518, section 2): if
 * two spellings can find the same entry, they share one counter. The second keeps what only the directory may decide, as
 * case and sharp s.
 */
public final class LoginNames {

  /** Longer ones, in UTF-16 units, name nobody. */
  public static final int LONGEST = 256;

  private LoginNames() {}

  /** {@link #cleaned} with cases folded; empty where that is. */
  public static String normal(String typed) {
    String cleaned = cleaned(typed);
    // Upper between lower cases folds what lower case alone keeps apart (sharp s, final sigma). A case mapping may leave
    // what NFKC composes.
    String folded = cleaned.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return Normalizer.normalize(folded, Normalizer.Form.NFKC);
  }

  /**
   * Without what cannot be seen, compatibility characters resolved (NFKC), spaces trimmed and each run of them one space.
   * Empty where nothing is left, and for names longer than {@link #LONGEST}.
   */
  public static String cleaned(String typed) {
    if (typed.length() > LONGEST) {
      return "";
    }
    String name = Normalizer.normalize(typed, Normalizer.Form.NFKC);
    StringBuilder cleaned = new StringBuilder(name.length());
    name.codePoints().forEach(c -> append(cleaned, c));
    int end = cleaned.length();
    return end > 0 && cleaned.charAt(end - 1) == ' ' ? cleaned.substring(0, end - 1) : cleaned.toString();
  }

  private static void append(StringBuilder cleaned, int c) {
    if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
      if (!cleaned.isEmpty() && cleaned.charAt(cleaned.length() - 1) != ' ') {
        cleaned.append(' ');
      }
    } else if (!isUnseen(c)) {
      cleaned.appendCodePoint(c);
    }
  }

  /** Mapped to nothing by RFC 4518, section 2.2: controls, format characters, variation selectors. */
  private static boolean isUnseen(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> true;
      default -> c == 0x034f || c == 0x180b || c == 0x180c || c == 0x180d || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfffc;
    };
  }
}

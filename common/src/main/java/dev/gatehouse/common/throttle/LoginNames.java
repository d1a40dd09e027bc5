package dev.gatehouse.common.throttle;

import dev.gatehouse.common.stringprep.StringPreparation;
import java.text.Normalizer;
import java.util.Locale;

/**
 * The forms of a typed login name: {@link #sought} for finding people, {@link #normal} for distinguishing names, and {@link #counted}
 * for counting guesses. Each is coarser than the one before: if two spellings can find the same entry of any directory, they share
 * one counter.
 */
public final class LoginNames {

  /** Length in UTF-16 units; longer names identify nobody. */
  public static final int LONGEST = 256;

  /** Letters that collations without accents treat as others, though Unicode does not decompose them. */
  private static final String MARKED = "øłđðħıŧæœþßς";

  private static final String[] PLAIN = {"o", "l", "d", "d", "h", "i", "t", "ae", "oe", "th", "ss", "σ"};

  private LoginNames() {}

  /**
   * Returns the name for the look-up; only the directory may decide on case and sharp s. Empty, which identifies nobody, if string
   * preparation changes its characters ({@link StringPreparation#change}), and for names longer than {@link #LONGEST}.
   */
  public static String sought(String typed) {
    return typed.length() <= LONGEST && StringPreparation.keeps(typed) ? StringPreparation.prepared(typed) : "";
  }

  /** Returns the prepared name with cases folded (RFC 4518, section 2); empty if nothing is left, and for names that are too long. */
  public static String normal(String typed) {
    if (typed.length() > LONGEST) {
      return "";
    }
    if (StringPreparation.isPlain(typed)) {
      return typed.toLowerCase(Locale.ROOT);
    }
    String prepared = StringPreparation.prepared(typed);
    // Upper case between lower cases folds letters that lower case alone distinguishes (sharp s, final sigma). A case mapping
    // may leave characters that NFKC composes.
    String folded = prepared.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return Normalizer.normalize(folded, Normalizer.Form.NFKC);
  }

  /**
   * {@link #normal} without accents and other marks, and katakana as hiragana, as Active Directory compares names: {@code
   * jorg} finds {@code jörg} there.
   */
  public static String counted(String typed) {
    String normal = normal(typed);
    if (StringPreparation.isPlain(normal)) {
      return normal;
    }
    StringBuilder counted = new StringBuilder(normal.length());
    Normalizer.normalize(normal, Normalizer.Form.NFKD).codePoints().forEach(c -> appendCounted(counted, c));
    return counted.toString();
  }

  private static void appendCounted(StringBuilder counted, int c) {
    int marked = c < 0x80 ? -1 : MARKED.indexOf(c);
    if (marked >= 0) {
      counted.append(PLAIN[marked]);
    } else if (c >= 0x30a1 && c <= 0x30f6) {
      counted.appendCodePoint(c - 0x60);
    } else if (!isMark(c)) {
      counted.appendCodePoint(c);
    }
  }

  private static boolean isMark(int c) {
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
      default -> false;
    };
  }
}

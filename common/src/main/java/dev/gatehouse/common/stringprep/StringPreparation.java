package dev.gatehouse.common.stringprep;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.Optional;
import java.util.PrimitiveIterator;

/**
 * String preparation (RFC 4518, section 2), as directories' matching rules apply it before they compare. A value that it changes has
 * another meaning for a directory than for us: {@code ceo} U+FF20 {@code corp.example} has no {@code @} for us and equals {@code
 * ceo@corp.example} for a directory. Such values are refused wherever a value identifies a person; see {@link #change}.
 */
public final class StringPreparation {

  private StringPreparation() {}

  /**
   * Returns the value without invisible characters, with compatibility characters resolved (NFKC), spaces trimmed and each run of
   * them reduced to one space. Case stays.
   */
  public static String prepared(String value) {
    if (isPlain(value)) {
      return value;
    }
    String name = Normalizer.normalize(value, Form.NFKC);
    StringBuilder prepared = new StringBuilder(name.length());
    name.codePoints().forEach(c -> append(prepared, c));
    int end = prepared.length();
    return end > 0 && prepared.charAt(end - 1) == ' ' ? prepared.substring(0, end - 1) : prepared.toString();
  }

  /** Returns whether the value is ASCII without spaces and controls, as most names are: no step changes such a value. */
  public static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c > '~') {
        return false;
      }
    }
    return true;
  }

  private static void append(StringBuilder prepared, int c) {
    if (isSpace(c)) {
      if (!prepared.isEmpty() && prepared.charAt(prepared.length() - 1) != ' ') {
        prepared.append(' ');
      }
    } else if (!isUnseen(c)) {
      prepared.appendCodePoint(c);
    }
  }

  /**
   * Returns a description, for logs, of the first character that the preparation would change to another one or remove, or that it
   * prohibits; empty if there is none. Letters in either case, accents, composed or not (NFC), and spaces do not count as changes:
   * everybody sees the same characters.
   */
  public static Optional<String> change(String value) {
    if (isPlain(value)) {
      return Optional.empty();
    }
    PrimitiveIterator.OfInt characters = value.strip().codePoints().iterator();
    while (characters.hasNext()) {
      int c = characters.nextInt();
      if (c != ' ' && (isSpace(c) || isUnseen(c) || isProhibited(c) || isOtherCharacter(c))) {
        return Optional.of(String.format(Locale.ROOT, "U+%04X", c));
      }
    }
    // No single character changes, but two together may.
    return Normalizer.normalize(value, Form.NFKC).equals(Normalizer.normalize(value, Form.NFC))
        ? Optional.empty()
        : Optional.of("a sequence of characters");
  }

  /** Returns whether the preparation leaves the value's characters unchanged. */
  public static boolean keeps(String value) {
    return change(value).isEmpty();
  }

  /**
   * Returns the form in which domains and attribute values are compared: composed, in small letters. It folds less than any
   * directory, so that values that are equal here are the same: sharp s is not ss, and an accent is a difference.
   */
  public static String compared(String value) {
    StringBuilder compared = new StringBuilder(value.length());
    Normalizer.normalize(value, Form.NFC)
        .codePoints()
        .map(Character::toLowerCase)
        .forEach(compared::appendCodePoint);
    return Normalizer.normalize(compared, Form.NFC);
  }

  private static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  /** Returns whether section 2.2 maps the character to nothing: controls, format characters, variation selectors. */
  private static boolean isUnseen(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> true;
      default ->
          c == 0x034f
              || c == 0x115f
              || c == 0x1160
              || c == 0x180b
              || c == 0x180c
              || c == 0x180d
              || c == 0x3164
              || (c >= 0xfe00 && c <= 0xfe0f)
              || (c >= 0xe0100 && c <= 0xe01ef)
              || c == 0xffa0
              || c == 0xfffc;
    };
  }

  /** Returns whether section 2.4 prohibits the character. */
  private static boolean isProhibited(int c) {
    int type = Character.getType(c);
    return type == Character.UNASSIGNED || type == Character.PRIVATE_USE || c == 0xfffd;
  }

  /** Returns whether it is a compatibility character (full-width forms, ligatures), or stands for another one (the Kelvin sign). */
  private static boolean isOtherCharacter(int c) {
    if (c < 0x80) {
      return false;
    }
    String alone = Character.toString(c);
    String composed = Normalizer.normalize(alone, Form.NFC);
    boolean isSingleton = !composed.equals(alone) && composed.codePointCount(0, composed.length()) == 1;
    return isSingleton || !Normalizer.normalize(alone, Form.NFKC).equals(composed);
  }
}

package dev.gatehouse.common.realm.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that was probably meant. */
public final class SpellingHints {

  private SpellingHints() {}

  /** Returns the known word that differs by case, separators or at most two letters (one, for short words). */
  public static Optional<String> nearest(String word, Collection<String> known) {
    String plain = plain(word);
    int allowed = plain.length() > 4 ? 2 : 1;
    return known.stream()
        .filter(k -> distance(plain, plain(k)) <= allowed)
        .min(Comparator.comparingInt(k -> distance(plain, plain(k))));
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }

  /** Returns Levenshtein's distance; long words are cut, since nobody means those. */
  private static int distance(String a, String b) {
    String left = a.substring(0, Math.min(a.length(), 40));
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (left.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}

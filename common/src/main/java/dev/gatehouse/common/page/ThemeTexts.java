package dev.gatehouse.common.page;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The texts of pages that a realm may replace by its own: all but those of the console, which belongs to no realm. */
public final class ThemeTexts {

  /** The longest text that a realm may have. */
  public static final int LONGEST = 2000;

  private static final Pattern ARGUMENT = Pattern.compile("\\{\\d}");
  private static final String OF_CONSOLE = "console.";

  private ThemeTexts() {}

  /** Returns the tags of the languages of pages. */
  public static List<String> languages() {
    return Arrays.stream(Language.values()).map(Language::tag).toList();
  }

  /** Returns our texts in a language by their keys, sorted. */
  public static Map<String, String> ours(String language) {
    Map<String, String> all = new TreeMap<>();
    Language of = language(language);
    Texts.ours().keys(of).stream()
        .filter(key -> !key.startsWith(OF_CONSOLE))
        .forEach(key -> all.put(key, Texts.ours().find(of, key).orElseThrow()));
    return all;
  }

  /** Returns what is wrong with a realm's text; empty if nothing is. */
  public static Optional<String> problem(String language, String key, String text) {
    Optional<String> ours = key.startsWith(OF_CONSOLE) ? Optional.empty() : Texts.ours().find(language(language), key);
    if (ours.isEmpty()) {
      return Optional.of("no page shows a text of that key");
    }
    if (text.length() > LONGEST || text.isBlank() || text.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("a text is one line of 1 to " + LONGEST + " characters");
    }
    Set<String> unknown = arguments(text);
    unknown.removeAll(arguments(ours.get()));
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(unknown.iterator().next() + " stands for nothing here; our text is: " + ours.get());
  }

  /** Returns whether a page may show the text of that key. */
  static boolean isKnown(String key) {
    return !key.startsWith(OF_CONSOLE) && Texts.ours().find(Language.ENGLISH, key).isPresent();
  }

  private static Language language(String tag) {
    return Arrays.stream(Language.values()).filter(language -> language.tag().equals(tag)).findFirst().orElseThrow();
  }

  private static Set<String> arguments(String text) {
    return ARGUMENT.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
  }
}

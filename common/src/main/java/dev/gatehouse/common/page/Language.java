package dev.gatehouse.common.page;

import java.util.Locale;
import java.util.Optional;

/** The languages of pages. */
enum Language {
  ENGLISH(Locale.ENGLISH),
  GERMAN(Locale.GERMAN);

  private static final int LONGEST_HEADER = 1000;

  private final Locale locale;

  Language(Locale locale) {
    this.locale = locale;
  }

  Locale locale() {
    return locale;
  }

  /** Returns the language tag, for {@code lang} attributes and Content-Language. */
  String tag() {
    return locale.getLanguage();
  }

  /**
   * Returns the language that an Accept-Language field prefers (RFC 9110, section 12.5.4); English if it names no supported one,
   * is malformed or is unreasonably long.
   */
  static Language preferred(Optional<String> acceptLanguage) {
    String field = acceptLanguage.orElse("");
    if (field.length() > LONGEST_HEADER) {
      return ENGLISH;
    }
    Language best = ENGLISH;
    double bestWeight = 0;
    int start = 0;
    while (start < field.length()) {
      int comma = field.indexOf(',', start);
      int end = comma < 0 ? field.length() : comma;
      String range = field.substring(start, end).strip();
      start = end + 1;
      int semicolon = range.indexOf(';');
      String tag = (semicolon < 0 ? range : range.substring(0, semicolon)).strip();
      double weight = semicolon < 0 ? 1 : weight(range.substring(semicolon + 1));
      Optional<Language> language = ofTag(tag);
      if (language.isPresent() && weight > bestWeight) {
        best = language.get();
        bestWeight = weight;
      }
    }
    return best;
  }

  private static Optional<Language> ofTag(String tag) {
    int hyphen = tag.indexOf('-');
    String primary = hyphen < 0 ? tag : tag.substring(0, hyphen);
    for (Language language : values()) {
      if (language.tag().equalsIgnoreCase(primary)) {
        return Optional.of(language);
      }
    }
    return primary.equals("*") ? Optional.of(ENGLISH) : Optional.empty();
  }

  private static double weight(String parameter) {
    String text = parameter.strip();
    if (!text.startsWith("q=") && !text.startsWith("Q=")) {
      return 1;
    }
    try {
      double weight = Double.parseDouble(text.substring(2));
      return weight >= 0 && weight <= 1 ? weight : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}

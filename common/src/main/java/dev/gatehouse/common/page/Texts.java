package dev.gatehouse.common.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * The texts of all modules: {@code messages/{module}.properties} in English and {@code messages/{module}_de.properties} in
 * German, UTF-8, merged once at start. {@code {0}}, {@code {1}} stand for arguments; nothing else in a text is special, not even an
 * apostrophe.
 */
final class Texts {

  /** Modules that may have texts; a module may have none. */
  static final List<String> MODULES = List.of("common", "idp", "sp", "gateway");

  /** Ours, for those who only look whether there is a text. */
  private static final class Ours {
    static final Texts ALL = load(Texts.class.getClassLoader());
  }

  private final Map<Language, Map<String, String>> texts;

  private Texts(Map<Language, Map<String, String>> texts) {
    this.texts = texts;
  }

  /** Returns the texts of all modules, read once. */
  static Texts ours() {
    return Ours.ALL;
  }

  /** Reads the bundles from the class path; throws {@link IllegalStateException} if two modules use the same key. */
  static Texts load(ClassLoader loader) {
    Map<Language, Map<String, String>> texts = new EnumMap<>(Language.class);
    for (Language language : Language.values()) {
      Map<String, String> merged = new HashMap<>();
      for (String module : MODULES) {
        bundle(loader, module, language)
            .forEach(
                (key, text) -> {
                  if (merged.put(key, text) != null) {
                    throw new IllegalStateException("the text " + key + " stands in two message bundles");
                  }
                });
      }
      texts.put(language, Map.copyOf(merged));
    }
    return new Texts(texts);
  }

  /** Returns one module's texts in one language; empty if it has none. */
  static Map<String, String> bundle(ClassLoader loader, String module, Language language) {
    String ending = language == Language.ENGLISH ? "" : "_" + language.tag();
    Properties properties = new Properties();
    try (InputStream in = loader.getResourceAsStream("messages/" + module + ending + ".properties")) {
      if (in == null) {
        return Map.of();
      }
      try (Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
        properties.load(reader);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> texts = new HashMap<>();
    properties.forEach((key, text) -> texts.put((String) key, (String) text));
    return texts;
  }

  Optional<String> find(Language language, String key, Object... arguments) {
    Map<String, String> all = texts.getOrDefault(language, Map.of());
    return Optional.ofNullable(all.get(key)).map(text -> fill(text, arguments));
  }

  /** Returns the keys of a language's texts. */
  Set<String> keys(Language language) {
    return texts.getOrDefault(language, Map.of()).keySet();
  }

  static String fill(String text, Object... arguments) {
    if (arguments.length == 0) {
      return text;
    }
    StringBuilder filled = new StringBuilder(text.length() + 32);
    int i = 0;
    while (i < text.length()) {
      // One pass, so that an argument that contains {1} stays unchanged.
      boolean placeholder =
          text.charAt(i) == '{'
              && i + 2 < text.length()
              && text.charAt(i + 2) == '}'
              && Character.digit(text.charAt(i + 1), 10) >= 0
              && Character.digit(text.charAt(i + 1), 10) < arguments.length;
      if (placeholder) {
        filled.append(arguments[Character.digit(text.charAt(i + 1), 10)]);
        i += 3;
      } else {
        filled.append(text.charAt(i));
        i++;
      }
    }
    return filled.toString();
  }
}

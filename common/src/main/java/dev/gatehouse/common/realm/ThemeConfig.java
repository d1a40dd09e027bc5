package dev.gatehouse.common.realm;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a realm changes in its pages beyond name, logo and accent. Colours are CSS colours as {@code #rrggbb} that can be read on each
 * other; texts and templates were checked when the configuration was read.
 *
 * @param light colours for browsers that ask for a light page
 * @param dark colours for browsers that ask for a dark page
 * @param texts in place of ours: by language ({@code en}, {@code de}), then by key
 * @param templates Thymeleaf templates in place of ours, by the page's name
 */
public record ThemeConfig(Colours light, Colours dark, Map<String, Map<String, String>> texts, Map<String, String> templates) {

  /** Our pages as they are. */
  public static final ThemeConfig NONE = new ThemeConfig(Colours.NONE, Colours.NONE, Map.of(), Map.of());

  public ThemeConfig {
    texts =
        texts.entrySet().stream()
            .filter(language -> !language.getValue().isEmpty())
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, language -> Map.copyOf(language.getValue())));
    templates = Map.copyOf(templates);
  }

  /**
   * The colours of one scheme; ours where absent.
   *
   * @param background of the page
   * @param card of the area with the form
   * @param text on both
   */
  public record Colours(Optional<String> background, Optional<String> card, Optional<String> text) {

    /** Our colours. */
    public static final Colours NONE = new Colours(Optional.empty(), Optional.empty(), Optional.empty());
  }
}

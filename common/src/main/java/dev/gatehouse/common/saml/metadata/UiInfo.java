package dev.gatehouse.common.saml.metadata;

import dev.gatehouse.common.realm.BrandConfig;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The data for showing a partner to people (Login and Discovery User Interface 2.1). Texts have no control characters, and URLs are
 * safe to be shown and followed: links are http or https, logos https or {@code data:image}.
 *
 * @param names by language in lower case, in the order of the document, as in all maps here
 */
public record UiInfo(
    Map<String, String> names,
    Map<String, String> descriptions,
    List<Logo> logos,
    Map<String, String> privacyUrls,
    Map<String, String> informationUrls) {

  private static final UiInfo NONE = new UiInfo(Map.of(), Map.of(), List.of(), Map.of(), Map.of());

  /** An image of that many pixels. {@code language} is the language of the text in it. */
  public record Logo(String url, int width, int height, Optional<String> language) {}

  /** Returns an empty value. */
  public static UiInfo none() {
    return NONE;
  }

  /**
   * Returns a realm's own data. They are configured in one language, which we do not know: English by convention. A logo is
   * included if its file states its size.
   */
  public static UiInfo of(BrandConfig brand) {
    return new UiInfo(
        Map.of("en", brand.displayName()),
        english(brand.description()),
        brand.logo()
            .flatMap(url -> ImageSize.ofDataUrl(url).map(s -> new Logo(url, s.width(), s.height(), Optional.empty())))
            .stream()
            .toList(),
        english(brand.privacyUrl().map(URI::toString)),
        english(brand.informationUrl().map(URI::toString)));
  }

  private static Map<String, String> english(Optional<String> text) {
    return text.map(found -> Map.of("en", found)).orElse(Map.of());
  }

  /** Returns a value with only a name, in English. */
  public static UiInfo named(String name) {
    return new UiInfo(Map.of("en", name), Map.of(), List.of(), Map.of(), Map.of());
  }

  /**
   * Returns the text for a reader of that language: in it, else in English, else the first.
   *
   * @param language as {@code de} or {@code de-at}, in lower case
   */
  public static Optional<String> in(String language, Map<String, String> texts) {
    String main = language.split("-", 2)[0];
    return Optional.ofNullable(texts.get(language))
        .or(() -> Optional.ofNullable(texts.get(main)))
        .or(() -> texts.keySet().stream().filter(tag -> tag.startsWith(main + "-")).findFirst().map(texts::get))
        .or(() -> Optional.ofNullable(texts.get("en")))
        .or(() -> texts.keySet().stream().filter(tag -> tag.startsWith("en-")).findFirst().map(texts::get))
        .or(() -> texts.values().stream().findFirst());
  }
}

package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.page.Contrast;
import dev.gatehouse.common.page.LogoImage;
import dev.gatehouse.common.page.TemplateCheck;
import dev.gatehouse.common.page.ThemePages;
import dev.gatehouse.common.page.ThemeTexts;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.ThemeConfig;
import dev.gatehouse.common.realm.ThemeConfig.Colours;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads {@code brand} of a realm. */
final class BrandYaml {

  private static final Type<String> COLOUR = Type.matching("colour", "^#[0-9a-fA-F]{6}$", YamlValue::colour);
  private static final Section LIGHT_COLOURS = new Section();
  private static final Section DARK_COLOURS = new Section();
  private static final ColourKeys OF_LIGHT = ColourKeys.of(LIGHT_COLOURS, "#eef2f7", "#ffffff", "#14213d");
  private static final ColourKeys OF_DARK = ColourKeys.of(DARK_COLOURS, "#0b1220", "#14213d", "#eef2f7");

  static final Section KEYS = new Section();
  private static final Key<String> DISPLAY_NAME =
      KEYS.key("displayName", Type.TEXT, "e.g. Example Inc", "The name shown on pages; the realm's name unless configured.");
  private static final Key<String> ACCENT =
      KEYS.key(
          "accent", COLOUR, "#1f5fa8",
          "The colour of buttons and links; in quotes, since # begins a comment.");
  private static final Key<String> LOGO =
      KEYS.key("logo", Type.string("image file", BrandYaml::logo), "e.g. logo.svg",
          "An image: `png`, `svg`, `jpg` or `webp`; at most 64 KB.");
  private static final Key<String> DESCRIPTION =
      KEYS.key("description", Type.TEXT, "e.g. The web apps of our company", "A sentence about the realm, for its metadata.");
  private static final Key<URI> PRIVACY_URL =
      KEYS.key("privacyUrl", Type.LINK, "e.g. https://www.example.org/privacy",
          "The address of a page on how people's data are used.");
  private static final Key<URI> INFORMATION_URL =
      KEYS.key("informationUrl", Type.LINK, "e.g. https://www.example.org/help", "The address of a page with help.");

  private static final Key<Void> LIGHT =
      KEYS.section("light", LIGHT_COLOURS, "Colours of pages for browsers that ask for light ones; ours where absent.");
  private static final Key<Void> DARK =
      KEYS.section("dark", DARK_COLOURS, "Colours of pages for browsers that ask for dark ones; ours where absent.");
  private static final Section TEXTS = new Section();
  private static final Key<Void> TEXTS_KEY =
      KEYS.section("texts", TEXTS, "Texts of pages in place of ours, by their keys, like `login.title`.");
  private static final Key<YamlValue> ENGLISH =
      TEXTS.map("en", Type.string("text", Optional::of), "e.g. {login.title: Welcome}", "English texts.");
  private static final Key<YamlValue> GERMAN =
      TEXTS.map("de", Type.string("text", Optional::of), "e.g. {login.title: Willkommen}", "German texts.");
  private static final Key<YamlValue> TEMPLATES =
      KEYS.map("templates", Type.FILE, "e.g. {login: login.html}",
          "Templates in place of those of our pages, by the page's name, like `login`: HTML files of at most 64 KB.");

  private BrandYaml() {}

  /** The keys of a scheme's colours. */
  private record ColourKeys(Key<String> background, Key<String> card, Key<String> text) {

    static ColourKeys of(Section section, String background, String card, String text) {
      return new ColourKeys(
          key(section, "background", background, "The colour of the page around the form."),
          key(section, "card", card, "The colour of the area with the form."),
          key(section, "text", text, "The colour of text; its contrast to both others is at least 4.5:1 (WCAG 2.2, level AA)."));
    }

    private static Key<String> key(Section section, String name, String example, String sentence) {
      return section.key(name, COLOUR, "e.g. \"" + example + "\"", sentence);
    }

    Colours read(YamlSection section) {
      return new Colours(section.find(background), section.find(card), section.find(text));
    }
  }

  /** @param realm its name */
  static BrandConfig read(YamlSection brand, String realm) {
    return new BrandConfig(
        brand.get(DISPLAY_NAME, realm), brand.get(ACCENT), brand.find(LOGO), brand.find(DESCRIPTION), brand.find(PRIVACY_URL),
        brand.find(INFORMATION_URL), theme(brand));
  }

  private static Optional<String> logo(YamlValue value) {
    Optional<LogoImage> kind = LogoImage.ofName(value.text());
    if (kind.isEmpty()) {
      return value.wrong(value.shown() + " is not an image that browsers know", "name a .png, .svg, .jpg or .webp file");
    }
    return value.content().flatMap(image -> logo(value, kind.get(), image));
  }

  private static Optional<String> logo(YamlValue value, LogoImage kind, byte[] image) {
    Optional<String> problem = kind.problem(image);
    return problem.isPresent()
        ? value.wrong(value.shownPath() + " " + problem.get(), "name another image, or change it")
        : Optional.of("data:" + kind.mediaType() + ";base64," + Base64.getEncoder().encodeToString(image));
  }

  private static ThemeConfig theme(YamlSection brand) {
    YamlSection texts = brand.sectionOrEmpty(TEXTS_KEY);
    ThemeConfig theme =
        new ThemeConfig(
            OF_LIGHT.read(brand.sectionOrEmpty(LIGHT)), OF_DARK.read(brand.sectionOrEmpty(DARK)),
            Map.of("en", texts("en", texts.map(ENGLISH)), "de", texts("de", texts.map(GERMAN))), templates(brand.map(TEMPLATES)));
    for (Contrast contrast : Contrast.of(theme)) {
      if (!contrast.isReadable()) {
        brand.problem(
            contrast.scheme().equals("light") ? LIGHT : DARK,
            "has text that cannot be read on the " + contrast.ground() + ": the contrast is " + contrast.ratio() + ":1",
            "choose colours with a contrast of at least " + Contrast.LEAST + ":1 (WCAG 2.2, level AA)");
      }
    }
    return theme;
  }

  private static Map<String, String> texts(String language, Map<String, YamlValue> written) {
    Map<String, String> texts = new LinkedHashMap<>();
    written.forEach(
        (key, value) ->
            ThemeTexts.problem(language, key, value.text())
                .ifPresentOrElse(
                    problem -> value.wrong("cannot be used: " + problem, "take keys and placeholders of our texts"),
                    () -> texts.put(key, value.text())));
    return texts;
  }

  private static Map<String, String> templates(Map<String, YamlValue> files) {
    Map<String, String> templates = new LinkedHashMap<>();
    files.forEach((page, file) -> template(page, file).ifPresent(template -> templates.put(page, template)));
    return templates;
  }

  private static Optional<String> template(String page, YamlValue file) {
    if (!ThemePages.isKnown(page)) {
      return file.wrong("is for no page that takes a template", "write one of " + String.join(", ", ThemePages.names()));
    }
    return ResponseYaml.html(file)
        .flatMap(
            html -> {
              TemplateCheck.Checked checked = TemplateCheck.check(page, html);
              checked.problems().forEach(problem -> file.wrong(file.shownPath() + ": " + problem, "begin with our template of the page"));
              return checked.problems().isEmpty() ? Optional.of(checked.template()) : Optional.<String>empty();
            });
  }
}

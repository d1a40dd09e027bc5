package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code brand} of a realm. */
final class BrandYaml {

  private static final int LARGEST_LOGO = 64 << 10;
  private static final Map<String, String> IMAGES =
      Map.of("png", "image/png", "svg", "image/svg+xml", "jpg", "image/jpeg", "jpeg", "image/jpeg", "webp",
          "image/webp");

  static final Section KEYS = new Section();
  private static final Key<String> DISPLAY_NAME =
      KEYS.key("displayName", Type.TEXT, "e.g. Example Inc", "The name shown on pages; the realm's name unless configured.");
  private static final Key<String> ACCENT =
      KEYS.key(
          "accent", Type.matching("colour", "^#[0-9a-fA-F]{6}$", YamlValue::colour), "#1f5fa8",
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

  private BrandYaml() {}

  /** @param realm its name */
  static BrandConfig read(YamlSection brand, String realm) {
    return new BrandConfig(
        brand.get(DISPLAY_NAME, realm), brand.get(ACCENT), brand.find(LOGO), brand.find(DESCRIPTION), brand.find(PRIVACY_URL),
        brand.find(INFORMATION_URL));
  }

  private static Optional<String> logo(YamlValue value) {
    String file = value.text().toLowerCase(Locale.ROOT);
    Optional<String> type = Optional.ofNullable(IMAGES.get(file.substring(file.lastIndexOf('.') + 1)));
    if (type.isEmpty()) {
      return value.wrong(value.shown() + " is not an image that browsers know",
          "name a .png, .svg, .jpg or .webp file");
    }
    return value
        .content()
        .flatMap(
            image ->
                image.length > LARGEST_LOGO
                    ? value.wrong("is larger than 64 KB: " + value.shownPath(), "make the image smaller")
                    : Optional.of("data:" + type.get() + ";base64," + Base64.getEncoder().encodeToString(image)));
  }
}

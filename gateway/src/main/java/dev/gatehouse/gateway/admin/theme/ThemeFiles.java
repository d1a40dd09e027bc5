package dev.gatehouse.gateway.admin.theme;

import dev.gatehouse.common.page.LogoImage;
import dev.gatehouse.common.page.ThemePages;
import dev.gatehouse.common.realm.yaml.YamlMapping;
import dev.gatehouse.gateway.admin.revision.RealmFiles;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a theme from the files of a realm, and writes it into them. Other keys of {@code brand} stay. */
final class ThemeFiles {

  private static final String BRAND = "brand";
  private static final List<String> WORDS = List.of("displayName", "accent");
  private static final List<String> SCHEMES = List.of("light", "dark");

  private final RealmFiles files;

  ThemeFiles(RealmFiles files) {
    this.files = files;
  }

  /** Returns the theme in use. */
  ThemeView read(String realm) {
    Map<String, Object> brand = brand(realm).value();
    Map<String, String> templates = new TreeMap<>();
    texts(brand.get("templates"))
        .forEach((page, file) -> named(file).ifPresent(html -> templates.put(page, new String(html, StandardCharsets.UTF_8))));
    Map<String, Map<String, String>> texts = new TreeMap<>();
    if (brand.get("texts") instanceof Map<?, ?> languages) {
      languages.forEach((language, all) -> texts.put(String.valueOf(language), texts(all)));
    }
    return new ThemeView(
        text(brand, "displayName"),
        text(brand, "accent"),
        Optional.of(texts(brand.get("light"))).filter(colours -> !colours.isEmpty()),
        Optional.of(texts(brand.get("dark"))).filter(colours -> !colours.isEmpty()),
        text(brand, "logo").flatMap(this::named).map(Base64.getEncoder()::encodeToString),
        Optional.<Map<String, Map<String, String>>>of(texts).filter(all -> !all.isEmpty()),
        Optional.<Map<String, String>>of(templates).filter(all -> !all.isEmpty()));
  }

  /** Returns the contents, by their paths, of the realm's files with that theme. */
  Map<String, byte[]> write(String realm, ThemeView theme) {
    Map<String, byte[]> contents = new TreeMap<>();
    YamlMapping present = brand(realm);
    Map<String, Object> brand = present.value();
    put(brand, WORDS.getFirst(), theme.displayName());
    put(brand, WORDS.getLast(), theme.accent());
    put(brand, SCHEMES.getFirst(), theme.light().filter(colours -> !colours.isEmpty()));
    put(brand, SCHEMES.getLast(), theme.dark().filter(colours -> !colours.isEmpty()));
    put(brand, "logo", theme.logo().map(logo -> file(realm, contents, decoded(logo))));
    put(brand, "texts", theme.texts().map(ThemeFiles::present).filter(all -> !all.isEmpty()));
    Map<String, String> templates = new TreeMap<>();
    theme.templates().orElse(Map.of()).forEach((page, html) -> templates.put(page, file(realm, contents, page, html)));
    put(brand, "templates", Optional.of(templates).filter(all -> !all.isEmpty()));
    try {
      contents.put(RealmFiles.path(realm), present.replaced(brand).getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new Conflict(e.getMessage() + " Change the realm's file as a whole.");
    }
    return contents;
  }

  private YamlMapping brand(String realm) {
    try {
      return new YamlMapping(files.text(realm), BRAND);
    } catch (IllegalArgumentException e) {
      throw new Conflict(e.getMessage() + " Change the realm's file as a whole.");
    }
  }

  /** Returns the content of a file as the realm's file names it. */
  private Optional<byte[]> named(String file) {
    return files.content(Path.of("realms").resolve(file).normalize().toString());
  }

  private static String file(String realm, Map<String, byte[]> contents, byte[] logo) {
    LogoImage kind = LogoImage.of(logo).orElseThrow(() -> new BadRequest("`logo` is no png, jpeg, webp or svg image."));
    String name = realm + "/theme/logo." + kind.ending();
    contents.put("realms/" + name, logo);
    return name;
  }

  private static String file(String realm, Map<String, byte[]> contents, String page, String html) {
    if (!ThemePages.isKnown(page) || html == null) {
      throw new BadRequest("`templates` has texts by the names of pages: " + String.join(", ", ThemePages.names()) + ".");
    }
    String name = realm + "/theme/" + page + ".html";
    contents.put("realms/" + name, html.getBytes(StandardCharsets.UTF_8));
    return name;
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("`logo` is not base64.");
    }
  }

  private static void put(Map<String, Object> brand, String key, Optional<?> value) {
    value.ifPresentOrElse(present -> brand.put(key, present), () -> brand.remove(key));
  }

  private static Map<String, Object> present(Map<String, Map<String, String>> texts) {
    Map<String, Object> present = new TreeMap<>();
    texts.forEach(
        (language, all) -> {
          if (all != null && !all.isEmpty()) {
            present.put(language, new TreeMap<>(all));
          }
        });
    return present;
  }

  private static Optional<String> text(Map<String, Object> brand, String key) {
    return Optional.ofNullable(brand.get(key)).map(String::valueOf);
  }

  private static Map<String, String> texts(@Nullable Object value) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, text) -> texts.put(String.valueOf(key), String.valueOf(text)));
    }
    return texts;
  }
}

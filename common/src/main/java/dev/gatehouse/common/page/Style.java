package dev.gatehouse.common.page;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.ThemeConfig.Colours;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/**
 * The style sheet in one realm's colours, as included in pages.
 *
 * @param css the text between {@code <style>} and {@code </style>}
 * @param source the Content-Security-Policy source that allows exactly this text
 */
record Style(String css, String source) {

  /**
   * The colours of a realm.
   *
   * @param accent as {@code #rrggbb}
   */
  record Look(String accent, Colours light, Colours dark) {

    static Look of(BrandConfig brand) {
      return new Look(brand.accent(), brand.theme().light(), brand.theme().dark());
    }
  }

  /** Returns the sheet with the colours' variables in front; colours of text are adjusted until they are readable. */
  static Style of(Look look) {
    Colour accent = Colour.of(look.accent());
    Scheme light = Scheme.LIGHT.with(look.light());
    Scheme dark = Scheme.DARK.with(look.dark());
    // On our own white card an accent is a fill as it is: the button's edge is in the ink.
    Colour lightFill = look.light().card().isPresent() ? light.fill(accent) : accent;
    String variables =
        ":root{" + variables(lightFill, light.ink(accent)) + "}\n"
            + "@media (prefers-color-scheme:dark){:root{" + variables(dark.fill(accent), dark.ink(accent)) + "}}\n";
    // They stand behind the sheet, whose variables they replace.
    String own = own("light", light, look.light()) + own("dark", dark, look.dark());
    String css = variables + sheet() + own;
    return new Style(css, source(css));
  }

  private static String own(String name, Scheme scheme, Colours colours) {
    return colours.equals(Colours.NONE) ? "" : "\n@media (prefers-color-scheme:" + name + "){:root{" + scheme.variables() + "}}";
  }

  /** Returns the sheet reduced to the rules that the page's elements need. */
  Style onlyFor(String html) {
    String needed = NeededRules.of(css, html);
    return new Style(needed, source(needed));
  }

  private static String variables(Colour fill, Colour ink) {
    return "--accent:" + fill + ";--on-accent:" + fill.text() + ";--accent-ink:" + ink;
  }

  private static String sheet() {
    try (InputStream in = Style.class.getResourceAsStream("/pages/gatehouse.css")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      // Comments are removed, and so are indentation and empty lines; rules are one a line.
      return text.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("\\s*\\n\\s*", "\n").strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns {@code 'sha256-...'} (CSP Level 3, section 2.3.1). */
  static String source(String text) {
    return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(text)) + "'";
  }
}

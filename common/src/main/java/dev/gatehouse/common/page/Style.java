package dev.gatehouse.common.page;

import dev.gatehouse.common.crypto.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/**
 * The style sheet in one realm's colour, as included in pages.
 *
 * @param css the text between {@code <style>} and {@code </style>}
 * @param source the Content-Security-Policy source that allows exactly this text
 */
record Style(String css, String source) {

  static final Colour LIGHT_CARD = Colour.WHITE;
  static final Colour DARK_CARD = Colour.of("#1c2027");
  static final double TEXT_CONTRAST = 4.6;
  private static final double SHAPE_CONTRAST = 3.1;

  /** Returns the sheet with the accent's variables in front; colours of text are adjusted until they are readable. */
  static Style of(String accent) {
    Colour colour = Colour.of(accent);
    Colour lightInk = colour.readableOn(LIGHT_CARD, Colour.BLACK, TEXT_CONTRAST);
    Colour darkInk = colour.readableOn(DARK_CARD, Colour.WHITE, TEXT_CONTRAST);
    Colour darkFill = colour.readableOn(DARK_CARD, Colour.WHITE, SHAPE_CONTRAST);
    String css =
        ":root{" + variables(colour, lightInk) + "}\n"
            + "@media (prefers-color-scheme:dark){:root{" + variables(darkFill, darkInk) + "}}\n"
            + sheet();
    return new Style(css, source(css));
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

package dev.gatehouse.common.page;

import java.nio.charset.StandardCharsets;
import org.unbescape.html.HtmlEscape;

/** Texts as the template engine writes them into a page: escaped, in UTF-8. */
final class EscapedText {

  private EscapedText() {}

  /** Most texts have nothing to escape; messages, which are base64, are the longest of them. */
  static byte[] utf8(String text) {
    return (isPlain(text) ? text : HtmlEscape.escapeHtml4Xml(text)).getBytes(StandardCharsets.UTF_8);
  }

  /** Searches for the five characters that are escaped: five searches of the JDK are faster than one look at each character. */
  private static boolean isPlain(String text) {
    return text.indexOf('&') < 0 && text.indexOf('<') < 0 && text.indexOf('>') < 0 && text.indexOf('"') < 0 && text.indexOf('\'') < 0;
  }
}

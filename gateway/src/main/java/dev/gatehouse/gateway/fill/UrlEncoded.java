package dev.gatehouse.gateway.fill;

import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/** Encodes names and values as browsers encode forms (WHATWG URL 5.2, HTML 4.10.21.7). */
final class UrlEncoded {

  private UrlEncoded() {}

  /** Encodes a text. Characters that the charset lacks become numeric references; line ends become CR LF. */
  static String text(String text, Charset charset) {
    String lines = text.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n");
    return URLEncoder.encode(encodable(lines, charset), charset);
  }

  private static String encodable(String text, Charset charset) {
    CharsetEncoder encoder = charset.newEncoder();
    if (encoder.canEncode(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              String character = Character.toString(c);
              out.append(encoder.canEncode(character) ? character : "&#" + c + ";");
            });
    return out.toString();
  }

  static byte[] bytes(String encoded) {
    return encoded.getBytes(StandardCharsets.US_ASCII);
  }
}

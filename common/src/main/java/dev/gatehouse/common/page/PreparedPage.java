package dev.gatehouse.common.page;

import dev.gatehouse.common.http.EdgeReply;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * A page rendered once by its template with placeholders for some texts. Filling them in is a few copies of bytes; the texts are
 * escaped as the template engine escapes them.
 */
final class PreparedPage {

  /** Random, so that nobody's text can contain a placeholder. */
  private static final String PLACEHOLDER = "place-" + UUID.randomUUID() + "-";

  private static final char END = '-';

  /** The page's bytes before a placeholder, and its name. */
  private record Part(byte[] before, String name) {}

  private final EdgeReply frame;
  private final List<Part> parts;
  private final byte[] end;

  private PreparedPage(EdgeReply frame, List<Part> parts, byte[] end) {
    this.frame = frame;
    this.parts = List.copyOf(parts);
    this.end = end;
  }

  /**
   * Prepares a page.
   *
   * @param names of the texts, letters only
   * @param template renders the page with these texts
   */
  static PreparedPage of(Set<String> names, Function<Map<String, String>, EdgeReply> template) {
    Map<String, String> placeholders = new LinkedHashMap<>();
    names.forEach(name -> placeholders.put(name, PLACEHOLDER + name + END));
    EdgeReply page = template.apply(placeholders);
    String html = page.text();
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (int at = html.indexOf(PLACEHOLDER); at >= 0; at = html.indexOf(PLACEHOLDER, from)) {
      int name = at + PLACEHOLDER.length();
      int after = html.indexOf(END, name);
      parts.add(new Part(utf8(html.substring(from, at)), html.substring(name, after)));
      from = after + 1;
    }
    return new PreparedPage(page, parts, utf8(html.substring(from)));
  }

  /** Returns the page with texts of the same names. */
  EdgeReply fill(Map<String, String> texts) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(frame.body().length + 1024);
    for (Part part : parts) {
      body.writeBytes(part.before());
      body.writeBytes(EscapedText.utf8(texts.getOrDefault(part.name(), "")));
    }
    body.writeBytes(end);
    return new EdgeReply(frame.status(), frame.headers(), body.toByteArray());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

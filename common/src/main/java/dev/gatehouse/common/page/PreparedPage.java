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
import org.unbescape.html.HtmlEscape;

/**
 * A page rendered once by its template with places instead of some texts. Filling them in is a few copies of bytes; what goes
 * in is escaped as the template engine escapes it.
 */
final class PreparedPage {

  /** Random, so that nobody's text can hold a place. */
  private static final String PLACE = "place-" + UUID.randomUUID() + "-";

  private static final char END = '-';

  /** What stands before a place, and whose it is. */
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
   * @param names of the texts, letters alone
   * @param template renders the page with these texts
   */
  static PreparedPage of(Set<String> names, Function<Map<String, String>, EdgeReply> template) {
    Map<String, String> places = new LinkedHashMap<>();
    names.forEach(name -> places.put(name, PLACE + name + END));
    EdgeReply page = template.apply(places);
    String html = page.text();
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (int at = html.indexOf(PLACE); at >= 0; at = html.indexOf(PLACE, from)) {
      int name = at + PLACE.length();
      int after = html.indexOf(END, name);
      parts.add(new Part(utf8(html.substring(from, at)), html.substring(name, after)));
      from = after + 1;
    }
    return new PreparedPage(page, parts, utf8(html.substring(from)));
  }

  /** The page with texts of the same names. */
  EdgeReply fill(Map<String, String> texts) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(frame.body().length + 1024);
    for (Part part : parts) {
      body.writeBytes(part.before());
      body.writeBytes(utf8(HtmlEscape.escapeHtml4Xml(texts.getOrDefault(part.name(), ""))));
    }
    body.writeBytes(end);
    return new EdgeReply(frame.status(), frame.headers(), body.toByteArray());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

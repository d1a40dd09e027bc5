package dev.gatehouse.gateway.exchange.fill;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.fill.LoginForm;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Builds the requests of form fill from a person's request: one for the complete, uncompressed page, and one for the
 * form.
 */
final class FormRequests {

  /** Fields that would return the page encoded, in part, or not at all. */
  private static final Set<String> OF_THE_PAGE =
      Set.of(
          "accept-encoding", "range", "if-range", "if-match", "if-none-match", "if-modified-since",
          "if-unmodified-since");

  /** Fields that the form's request sets itself. */
  private static final Set<String> OF_THE_FORM =
      Set.of(
          "cookie", "origin", "referer", "content-type", "content-length", "content-encoding", "transfer-encoding",
          "expect", "upgrade", "te", "trailer", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-fetch-user",
          "purpose", "sec-purpose");

  private final RequestParser parser;

  FormRequests(RequestParser parser) {
    this.parser = parser;
  }

  /** Returns whether a person navigates to a page; requests of scripts and subresources are passed through. */
  static boolean isNavigation(RequestHead head) {
    if (!head.method().equals("GET")) {
      return false;
    }
    Optional<String> mode = value(head.fields(), "sec-fetch-mode");
    return mode.isPresent()
        ? mode.get().equals("navigate")
        : value(head.fields(), "accept").orElse("").toLowerCase(Locale.ROOT).contains("text/html");
  }

  /** The first field of that name, which is in lower case. */
  static Optional<String> value(Fields fields, String name) {
    byte[] wanted = Ascii.bytes(name);
    for (int i = 0; i < fields.size(); i++) {
      if (Ascii.equalsLower(fields.bytes(), fields.nameStart(i), fields.nameEnd(i), wanted)) {
        return Optional.of(fields.value(i));
      }
    }
    return Optional.empty();
  }

  /** The same request for the complete, uncompressed page. */
  RequestHead wholePage(RequestHead head) {
    HeadBuffer out = new HeadBuffer();
    out.put("GET ").put(head.fields().bytes(), head.pathStart(), head.targetEnd()).put(" HTTP/1.1").endLine();
    copy(head.fields(), Set.of(), out);
    return parsed(out.putField("Accept-Encoding", "identity").endLine()).orElse(head);
  }

  /**
   * The request that a browser would send for the form; empty if its target is not a valid address.
   *
   * @param page the page that contains the form, path only, because the query may hold confidential values
   */
  Optional<RequestHead> form(RequestHead head, Origin origin, String page, LoginForm form, LoginForm.Body body, String cookies) {
    HeadBuffer out = new HeadBuffer();
    out.put("POST ").put(form.target()).put(" HTTP/1.1").endLine();
    copy(head.fields(), OF_THE_FORM, out);
    out.putField("Accept-Encoding", "identity");
    if (!cookies.isEmpty()) {
      out.putField("Cookie", cookies);
    }
    out.putField("Origin", origin.toString()).putField("Referer", origin + page);
    out.putField("Sec-Fetch-Site", "same-origin");
    out.putField("Sec-Fetch-Mode", form.json() ? "cors" : "navigate");
    out.putField("Sec-Fetch-Dest", form.json() ? "empty" : "document");
    out.putField("Content-Type", body.contentType());
    out.put("Content-Length: ").put(body.bytes().length).endLine();
    return parsed(out.endLine());
  }

  private static void copy(Fields fields, Set<String> without, HeadBuffer out) {
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.nameText(i).toLowerCase(Locale.ROOT);
      if (!without.contains(name) && !OF_THE_PAGE.contains(name)) {
        out.putField(fields, i);
      }
    }
  }

  private Optional<RequestHead> parsed(HeadBuffer out) {
    ParsedRequest parsed = parser.parse(Arrays.copyOf(out.array(), out.length()));
    return parsed instanceof RequestHead head ? Optional.of(head) : Optional.empty();
  }
}

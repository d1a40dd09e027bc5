package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;

/** A page that an administrator wrote: static HTML with styles and images of its own, and no scripts. */
final class CustomPage {

  private static final String POLICY =
      "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; base-uri 'none'; "
          + "form-action 'none'; frame-ancestors 'none'";

  private CustomPage() {}

  /** Both values are ours, digits and letters; escaped all the same. */
  static EdgeReply fill(String page, int status, String reference) {
    String html = page.replace("{{status}}", Integer.toString(status)).replace("{{reference}}", escaped(reference));
    return EdgeReply.of(status, "text/html;charset=utf-8", html)
        .with("Content-Security-Policy", POLICY)
        .with("X-Content-Type-Options", "nosniff")
        .with("Referrer-Policy", "same-origin")
        .with("Cache-Control", "no-store");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&#39;");
  }
}

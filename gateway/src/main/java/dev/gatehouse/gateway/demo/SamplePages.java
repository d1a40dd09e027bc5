package dev.gatehouse.gateway.demo;

import dev.gatehouse.gateway.demo.SampleApp.Visitor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** The sample app's pages. */
final class SamplePages {
  static final String HTML = "text/html; charset=utf-8";

  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1d2733; --paper: #f5f7fa; --card: #fff; --line: #d5dce5; --accent: #1f5fa8; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #e4eaf1; --paper: #12181f; --card: #1b242e; --line: #33404e; --accent: #7db4f0; }
      }
      * { box-sizing: border-box; }
      body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
      main { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
      section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1.5rem; }
      h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
      nav { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; margin-bottom: 1rem; }
      nav form { margin-left: auto; }
      a { color: var(--accent); }
      button { font: inherit; padding: .4rem .9rem; border-radius: .4rem; border: 1px solid var(--accent);
        background: var(--accent); color: var(--card); cursor: pointer; }
      a:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
      dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; overflow-wrap: anywhere; }
      dt { font-weight: 600; } dd { margin: 0; }
      table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem; }
      tr { border-bottom: 1px solid var(--line); } tr.now { outline: 2px solid var(--accent); }
      @media (max-width: 34rem) { dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .6rem; } }
      """;

  /** The page of the historical reports: 14,336 bytes, the same for everyone and cacheable. */
  static final byte[] LARGE = large();

  static final String LARGE_TAG = "\"page-14k-1\"";

  private static final int LARGE_BYTES = 14_336;

  private SamplePages() {}

  private static byte[] large() {
    String begin = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>14 KB · Sample app</title></head><body><pre>\n";
    String end = "</pre></body></html>\n";
    byte[] page = new byte[LARGE_BYTES];
    Arrays.fill(page, (byte) '.');
    byte[] first = begin.getBytes(StandardCharsets.UTF_8);
    byte[] last = end.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(first, 0, page, 0, first.length);
    System.arraycopy(last, 0, page, LARGE_BYTES - last.length, last.length);
    for (int i = first.length + 79; i < LARGE_BYTES - last.length; i += 80) {
      page[i] = '\n';
    }
    return page;
  }

  static String strong(Visitor visitor) {
    return page(visitor, "Behind a second factor", "<p>You see this page because your login had two steps.</p>");
  }

  static String token(Visitor visitor) {
    return page(visitor, "Behind a token", "<p>You see this page because you logged in with PIN and code of a token.</p>");
  }

  /** @param content markup of the page */
  static String nodes(Visitor visitor, String title, String content) {
    return page(visitor, title, content);
  }

  /** @param hasNodes whether the app is behind several nodes, which it shows */
  static String home(Visitor visitor, Map<String, String> headers, boolean hasNodes) {
    StringBuilder fields = new StringBuilder();
    headers.forEach((name, value) -> fields.append(entry(name, value)));
    return page(
        visitor,
        "Hello, " + visitor.user().orElse("stranger"),
        "<p>This app did not ask who you are. The gateway told it, in headers:</p><dl>"
            + entry("User", visitor.user().orElse("—"))
            + entry("Roles", String.join(", ", visitor.roles()))
            + entry("Groups", String.join(", ", visitor.groups()))
            + "</dl>"
            + (hasNodes ? "<p>Several nodes serve this app: <a href=\"/nodes\">see which one answers</a>.</p>" : "")
            + "<h2>All headers as received</h2><dl>"
            + fields
            + "</dl>");
  }

  static String manager(Visitor visitor) {
    return page(
        visitor, "For managers", "<p>You see this page because you have the role <strong>manager</strong>.</p>");
  }

  static String open(Visitor visitor) {
    return page(visitor, "Open to everybody", "<p>This page needs no login. The <a href=\"/\">start page</a> does.</p>");
  }

  /**
   * A page of the parts that do not use the gateway's identity.
   *
   * @param content markup of the part
   */
  static String legacy(String title, String content) {
    return page(new Visitor(java.util.Optional.empty(), java.util.List.of(), java.util.List.of()), title, content);
  }

  static String notFound(Visitor visitor) {
    return page(visitor, "Not here", "<p>The sample app has no such page.</p>");
  }

  private static String page(Visitor visitor, String title, String content) {
    String logout =
        visitor.user().isPresent()
            ? "<form method=\"post\" action=\"/.gatehouse/logout\"><button>Log out</button></form>"
            : "";
    return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        + "content=\"width=device-width, initial-scale=1\"><title>"
        + escaped(title)
        + " · Sample app</title><style>"
        + STYLE
        + "</style></head><body><main><nav><a href=\"/\">Start</a><a href=\"/manager/\">Managers</a>"
        + "<a href=\"/strong/\">Two steps</a><a href=\"/legacy/\">Old app</a><a href=\"/archive/\">Archive</a>"
        + "<a href=\"/public/\">Public</a><a href=\"/whoami\">whoami</a>"
        + logout
        + "</nav><section><h1>"
        + escaped(title)
        + "</h1>"
        + content
        + "</section></main></body></html>";
  }

  private static String entry(String name, String value) {
    return "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&#39;");
  }
}

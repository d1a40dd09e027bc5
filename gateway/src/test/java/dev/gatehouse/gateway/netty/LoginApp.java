package dev.gatehouse.gateway.netty;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An app below {@code /legacy/} with sessions by cookie, a token against forged requests, and people of its own. */
final class LoginApp implements AutoCloseable {

  private final RawApp app;
  private final Map<String, String> people = new LinkedHashMap<>(Map.of("alice", "sesame", "bob", "open"));
  private final List<String> posted = new CopyOnWriteArrayList<>();
  private final AtomicInteger number = new AtomicInteger();
  private final Map<String, String> sessions = new java.util.concurrent.ConcurrentHashMap<>();
  private volatile UnaryOperator<String> page = html -> html;

  LoginApp() throws IOException {
    app =
        new RawApp(
            (request, in, out, socket) -> {
              String body = new String(RawApp.readBody(request, in), StandardCharsets.UTF_8);
              out.write(answer(request, body).getBytes(StandardCharsets.ISO_8859_1));
              out.flush();
            });
  }

  RawApp app() {
    return app;
  }

  /** The bodies of all forms that it got. */
  List<String> posted() {
    return posted;
  }

  void person(String name, String password) {
    people.put(name, password);
  }

  /** Changes the form's page. */
  void page(UnaryOperator<String> change) {
    page = change;
  }

  private String answer(RawApp.Received request, String body) {
    String sid = cookie(request.head(), "sid");
    String target = request.requestLine().split(" ")[1];
    if (request.requestLine().startsWith("POST /legacy/login")) {
      posted.add(body);
      Map<String, String> form = form(body);
      boolean known =
          request.head().contains("\r\nOrigin: http://app.localhost\r\n")
              && form.getOrDefault("csrf", "").equals("token-" + sid)
              && form.getOrDefault("go", "").equals("Log in")
              && form.getOrDefault("password", "-").equals(people.get(form.getOrDefault("username", "")));
      if (!known) {
        return html(200, form("<p class=error>Wrong name or password.</p>", sid), "");
      }
      String opened = "session" + number.incrementAndGet();
      sessions.put(opened, form.getOrDefault("username", ""));
      return "HTTP/1.1 302 Found\r\nLocation: /legacy/\r\nSet-Cookie: sid=" + opened
          + "; Path=/legacy; HttpOnly\r\nSet-Cookie: __Host-gh_app=forged; Path=/\r\nContent-Length: 0\r\n\r\n";
    }
    if (target.startsWith("/legacy/login")) {
      String fresh = "anonymous" + number.incrementAndGet();
      return html(200, page.apply(form("", fresh)), "Set-Cookie: sid=" + fresh + "; Path=/legacy; HttpOnly\r\n"
          + "Set-Cookie: theme=dark; Path=/legacy\r\n");
    }
    String user = sessions.get(sid);
    if (user == null) {
      return "HTTP/1.1 302 Found\r\nLocation: /legacy/login\r\nContent-Length: 0\r\n\r\n";
    }
    return html(200, "<h1>Hello " + user + "</h1>", "");
  }

  static String form(String message, String sid) {
    return "<!doctype html><html><body>" + message
        + "<form id=search action=/legacy/search><input name=q></form>"
        + "<form id=login method=post action=/legacy/login>"
        + "<input type=hidden name=csrf value=\"token-" + sid + "\"><input name=username><input type=password name=password>"
        + "<button name=go value=\"Log in\">Log in</button><button name=go value=Register>Register</button></form></body></html>";
  }

  private static String html(int status, String html, String fields) {
    return "HTTP/1.1 " + status + " OK\r\nContent-Type: text/html; charset=utf-8\r\n" + fields + "Content-Length: "
        + html.length() + "\r\n\r\n" + html;
  }

  private static String cookie(String head, String name) {
    for (String line : head.split("\r\n")) {
      if (line.startsWith("Cookie: ")) {
        for (String pair : line.substring(8).split("; ")) {
          if (pair.startsWith(name + "=")) {
            return pair.substring(name.length() + 1);
          }
        }
      }
    }
    return "";
  }

  private static Map<String, String> form(String body) {
    Map<String, String> form = new LinkedHashMap<>();
    for (String pair : body.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        form.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return form;
  }

  @Override
  public void close() throws IOException {
    app.close();
  }
}

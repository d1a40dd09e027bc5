package dev.gatehouse.gateway.demo;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * A part of the sample app that knows nothing of gateways: it has a login form, cookie sessions and an anti-forgery
 * token, like apps from before single sign-on.
 */
final class LegacyApp {

  /** Enough for a demo; above it all are dropped. */
  private static final int MAX = 1000;

  /** The way in which the form is submitted. */
  enum Form {
    PLAIN,
    /** By a script, as JSON. */
    SCRIPT
  }

  private final String base;
  private final Form form;
  private final BiPredicate<String, String> knows;
  private final SecureRandom random = new SecureRandom();
  private final Set<String> anonymous = ConcurrentHashMap.newKeySet();
  private final Map<String, String> sessions = new ConcurrentHashMap<>();

  /**
   * @param base path with slashes at both ends
   * @param knows whether name and password are right
   */
  LegacyApp(String base, Form form, BiPredicate<String, String> knows) {
    this.base = base;
    this.form = form;
    this.knows = knows;
  }

  boolean serves(String path) {
    return path.startsWith(base);
  }

  void serve(HttpExchange exchange, String path, byte[] body) throws IOException {
    String sid = cookie(exchange);
    String page = path.substring(base.length());
    boolean post = exchange.getRequestMethod().equals("POST");
    switch (page) {
      case "login" -> {
        if (post) {
          login(exchange, sid, fields(new String(body, StandardCharsets.UTF_8)));
        } else {
          SampleApp.answer(exchange, 200, SamplePages.HTML, form(begin(exchange), ""));
        }
      }
      case "logout" -> {
        sessions.remove(sid);
        exchange.getResponseHeaders().add("Set-Cookie", "legacy=; Path=" + base + "; Max-Age=0; HttpOnly; SameSite=Lax");
        SampleApp.answer(exchange, 200, SamplePages.HTML, SamplePages.legacy("Signed out",
            "<p>The old application has signed you out. <a href=\"" + base + "\">Sign in again</a></p>"));
      }
      default -> {
        String user = sessions.get(sid);
        if (user == null) {
          exchange.getResponseHeaders().set("Location", base + "login");
          SampleApp.answer(exchange, 302, SamplePages.HTML, "");
        } else {
          SampleApp.answer(exchange, 200, SamplePages.HTML, SamplePages.legacy("Welcome, " + user,
              "<p>The old application knows you by a login of its own.</p><form method=\"post\" action=\"" + base
                  + "logout\"><button>Sign out of the old application</button></form>"));
        }
      }
    }
  }

  /** Begins a session before the login; the login changes its id. */
  private String begin(HttpExchange exchange) {
    if (anonymous.size() > MAX) {
      anonymous.clear();
    }
    String fresh = token();
    anonymous.add(fresh);
    set(exchange, fresh);
    return fresh;
  }

  private void login(HttpExchange exchange, String sid, Map<String, String> fields) throws IOException {
    String user = fields.getOrDefault("username", "");
    boolean right =
        anonymous.contains(sid)
            && fields.getOrDefault("csrf", "").equals(sid + "-form")
            && knows.test(user, fields.getOrDefault("password", ""));
    if (!right) {
      boolean script = form == Form.SCRIPT;
      SampleApp.answer(exchange, script ? 401 : 200, script ? "application/json" : SamplePages.HTML,
          script ? "{\"error\":\"wrong\"}" : form(begin(exchange), "<p role=\"alert\">Wrong user name or password.</p>"));
      return;
    }
    anonymous.remove(sid);
    if (sessions.size() > MAX) {
      sessions.clear();
    }
    String opened = token();
    sessions.put(opened, user);
    set(exchange, opened);
    if (form == Form.SCRIPT) {
      SampleApp.answer(exchange, 200, "application/json", "{\"user\":\"known\"}");
    } else {
      exchange.getResponseHeaders().set("Location", base);
      SampleApp.answer(exchange, 302, SamplePages.HTML, "");
    }
  }

  private String form(String sid, String message) {
    String action = form == Form.PLAIN ? " method=\"post\" action=\"" + base + "login\"" : "";
    String fields =
        "<form id=\"login\"" + action + "><input type=\"hidden\" name=\"csrf\" value=\"" + sid + "-form\">"
            + "<p><label>User name <input name=\"username\" autocomplete=\"username\"></label></p>"
            + "<p><label>Password <input type=\"password\" name=\"password\" autocomplete=\"current-password\"></label></p>"
            + "<button name=\"go\" value=\"login\">Sign in to the old application</button></form>";
    return SamplePages.legacy("The old application", message + fields + (form == Form.SCRIPT ? script() : ""));
  }

  private String script() {
    return "<script>document.getElementById('login').addEventListener('submit', async e => { e.preventDefault();"
        + " const f = Object.fromEntries(new FormData(e.target));"
        + " const r = await fetch('" + base + "login', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        + " body: JSON.stringify(f)}); if (r.ok) location = '" + base + "'; });</script>";
  }

  private void set(HttpExchange exchange, String sid) {
    exchange.getResponseHeaders().add("Set-Cookie", "legacy=" + sid + "; Path=" + base + "; HttpOnly; SameSite=Lax");
  }

  private String token() {
    byte[] bytes = new byte[16];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String cookie(HttpExchange exchange) {
    for (String pair : Optional.ofNullable(exchange.getRequestHeaders().getFirst("Cookie")).orElse("").split(";")) {
      if (pair.strip().startsWith("legacy=")) {
        return pair.strip().substring("legacy=".length());
      }
    }
    return "";
  }

  private Map<String, String> fields(String body) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (form == Form.SCRIPT) {
      new tools.jackson.databind.json.JsonMapper()
          .readTree(body)
          .properties()
          .forEach(field -> fields.put(field.getKey(), field.getValue().asString()));
      return fields;
    }
    for (String pair : body.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        fields.put(
            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return fields;
  }
}

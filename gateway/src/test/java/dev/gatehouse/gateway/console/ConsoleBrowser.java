package dev.gatehouse.gateway.console;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a browser does with the console: it keeps the cookie and the field of the last form, and says where forms come from. */
final class ConsoleBrowser {

  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;
  String cookie = "";
  String csrf = "";
  String site = "same-origin";
  String language = "en";

  ConsoleBrowser(int port) {
    this.port = port;
  }

  /** Logs in; fails unless the key is right. */
  static ConsoleBrowser loggedIn(int port, String key) throws IOException, InterruptedException {
    ConsoleBrowser browser = new ConsoleBrowser(port);
    HttpResponse<String> login = browser.logIn(key);
    if (login.statusCode() != 303) {
      throw new AssertionError(login.statusCode() + " " + login.body());
    }
    browser.get("/console/");
    return browser;
  }

  HttpResponse<String> logIn(String key) throws IOException, InterruptedException {
    return send("POST", "/console/login", form("key", key));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  /** Sends a form with its csrf field. */
  HttpResponse<String> post(String path, String... fields) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(fields));
    all.addAll(List.of("csrf", csrf));
    return send("POST", path, form(all.toArray(String[]::new)));
  }

  HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
    return send(method, path, "application/x-www-form-urlencoded", body);
  }

  /** Sends a form of that type. */
  HttpResponse<String> sendAs(String type, String path, String body) throws IOException, InterruptedException {
    return send("POST", path, type, body);
  }

  private HttpResponse<String> send(String method, String path, String type, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Accept", "text/html")
            .header("Accept-Language", language)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", type);
    }
    if (!site.isEmpty()) {
      request.header("Sec-Fetch-Site", site);
    }
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    response.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
    Matcher field = CSRF.matcher(response.body());
    if (field.find()) {
      csrf = field.group(1);
    }
    return response;
  }

  static String form(String... fields) {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < fields.length; i += 2) {
      form.append(i == 0 ? "" : "&").append(fields[i]).append('=').append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
    }
    return form.toString();
  }
}

package dev.gatehouse.perf.console;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** The browser of an administrator, with a session of the console. */
public final class AdminBrowser {

  /** A page as it came. */
  public record Loaded(int status, int bytes, double millis) {}

  private final HttpClient http;
  private final String origin;
  private final String cookie;

  private AdminBrowser(HttpClient http, String origin, String cookie) {
    this.http = http;
    this.origin = origin;
    this.cookie = cookie;
  }

  /** Logs in; throws unless the key is right. */
  public static AdminBrowser loggedIn(HttpClient http, String origin, String key) throws IOException, InterruptedException {
    HttpRequest login =
        HttpRequest.newBuilder(URI.create(origin + "/console/login"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Sec-Fetch-Site", "same-origin")
            .POST(BodyPublishers.ofString("key=" + URLEncoder.encode(key, StandardCharsets.UTF_8)))
            .build();
    HttpResponse<String> answer = http.send(login, BodyHandlers.ofString());
    String cookie = answer.headers().firstValue("Set-Cookie").orElse("");
    if (answer.statusCode() != 303 || !cookie.contains(";")) {
      throw new IOException("login: status " + answer.statusCode());
    }
    return new AdminBrowser(http, origin, cookie.substring(0, cookie.indexOf(';')));
  }

  /** Returns what a script of a page gets; throws unless the status is 200. */
  public String json(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(origin + path)).header("Cookie", cookie).header("Accept", "application/json").build();
    HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(path + ": status " + answer.statusCode());
    }
    return answer.body();
  }

  /** Opens a page. */
  public Loaded load(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(origin + path)).header("Cookie", cookie).header("Accept", "text/html").build();
    long started = System.nanoTime();
    HttpResponse<byte[]> page = http.send(request, BodyHandlers.ofByteArray());
    return new Loaded(page.statusCode(), page.body().length, (System.nanoTime() - started) / 1e6);
  }
}

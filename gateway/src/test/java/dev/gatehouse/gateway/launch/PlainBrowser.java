package dev.gatehouse.gateway.launch;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A browser without script: cookies by host, redirects, the one form of a page. Names below {@code .localhost} are
 * loopback; the JVM does not know that, so it connects to 127.0.0.1 and sends Host itself (the failsafe configuration
 * allows that header).
 */
public final class PlainBrowser implements AutoCloseable {
  private static final Pattern FORM =
      Pattern.compile("<form\\b[^>]*\\baction=\"([^\"]*)\"[^>]*>(.*?)</form>", Pattern.DOTALL);
  private static final Pattern INPUT = Pattern.compile("<input\\b[^>]*>");
  private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]*)\"");
  private static final Pattern VALUE = Pattern.compile("\\bvalue=\"([^\"]*)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, Map<String, String>> cookies = new TreeMap<>();
  private final IntUnaryOperator ports;

  public PlainBrowser() {
    this(port -> port);
  }

  /** @param ports where a request for a port goes, as a balancer decides for each request */
  PlainBrowser(IntUnaryOperator ports) {
    this.ports = ports;
  }

  /** Where it ended, and what was there. */
  public record Shown(URI url, int status, String body, Optional<String> retryAfter) {
    Shown(URI url, int status, String body) {
      this(url, status, body, Optional.empty());
    }
  }

  /** A form as it would be sent without a touch: action and fields. */
  public record Form(URI action, Map<String, String> fields) {
    public Form with(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(fields);
      more.put(name, value);
      return new Form(action, more);
    }
  }

  /** Types the address; follows redirects. */
  public Shown open(String url) throws IOException, InterruptedException {
    return follow(URI.create(url), request -> request.GET().header("Sec-Fetch-Site", "none"));
  }

  /** Asks as a script would: no navigation, no redirects followed. */
  int fetch(String url) throws IOException, InterruptedException {
    return send(URI.create(url), request -> request.GET().header("Sec-Fetch-Mode", "cors")).statusCode();
  }

  /** The cookies for that host. */
  Map<String, String> cookies(String host) {
    return cookies.computeIfAbsent(host, name -> new TreeMap<>());
  }

  /** The page's only form. */
  public Form form(Shown page) {
    Matcher form = FORM.matcher(page.body());
    if (!form.find()) {
      throw new IllegalStateException("no form on " + page.url() + " (" + page.status() + "):\n" + page.body());
    }
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher input = INPUT.matcher(form.group(2));
    while (input.find()) {
      Matcher name = NAME.matcher(input.group());
      if (name.find()) {
        Matcher value = VALUE.matcher(input.group());
        fields.put(name.group(1), value.find() ? text(value.group(1)) : "");
      }
    }
    return new Form(page.url().resolve(text(form.group(1))), fields);
  }

  public Shown submit(Shown from, Form form) throws IOException, InterruptedException {
    boolean sameSite = from.url().getHost().equals(form.action().getHost());
    return follow(
        form.action(),
        request ->
            request
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", from.url().getScheme() + "://" + from.url().getRawAuthority())
                .header("Sec-Fetch-Site", sameSite ? "same-origin" : "cross-site")
                .POST(HttpRequest.BodyPublishers.ofString(encoded(form.fields()))));
  }

  @Override
  public void close() {
    client.close();
  }

  private interface Making {
    HttpRequest.Builder apply(HttpRequest.Builder request);
  }

  private Shown follow(URI first, Making making) throws IOException, InterruptedException {
    URI url = first;
    HttpResponse<String> response = send(url, request -> making.apply(navigation(request)));
    for (int i = 0; i < 10 && response.headers().firstValue("Location").isPresent(); i++) {
      url = url.resolve(response.headers().firstValue("Location").get());
      response = send(url, request -> navigation(request).GET());
    }
    return new Shown(url, response.statusCode(), response.body(), response.headers().firstValue("Retry-After"));
  }

  private static HttpRequest.Builder navigation(HttpRequest.Builder request) {
    return request.header("Accept", "text/html").header("Sec-Fetch-Mode", "navigate").header("Sec-Fetch-Dest", "document");
  }

  private HttpResponse<String> send(URI url, Making making) throws IOException, InterruptedException {
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    URI target = URI.create("http://127.0.0.1:" + ports.applyAsInt(url.getPort()) + url.getRawPath() + query);
    HttpRequest.Builder request = HttpRequest.newBuilder(target).header("Host", url.getRawAuthority());
    Map<String, String> jar = cookies.computeIfAbsent(url.getHost(), host -> new TreeMap<>());
    if (!jar.isEmpty()) {
      StringBuilder field = new StringBuilder();
      jar.forEach((name, value) -> field.append(field.isEmpty() ? "" : "; ").append(name).append('=').append(value));
      request.header("Cookie", field.toString());
    }
    HttpResponse<String> response = client.send(making.apply(request).build(), HttpResponse.BodyHandlers.ofString());
    for (String field : response.headers().allValues("Set-Cookie")) {
      String[] pair = field.split(";", 2)[0].split("=", 2);
      if (field.contains("Max-Age=0")) {
        jar.remove(pair[0]);
      } else {
        jar.put(pair[0], pair[1]);
      }
    }
    return response;
  }

  private static String encoded(Map<String, String> fields) {
    StringBuilder body = new StringBuilder();
    fields.forEach(
        (name, value) ->
            body.append(body.isEmpty() ? "" : "&")
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return body.toString();
  }

  private static String text(String escaped) {
    return escaped
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#43;", "+")
        .replace("&#61;", "=")
        .replace("&amp;", "&");
  }
}

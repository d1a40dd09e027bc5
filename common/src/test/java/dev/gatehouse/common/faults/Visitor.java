package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A browser without script: cookies by host, redirects, and the first form of each page, which it fills in and submits; without a form, its link to go on. */
final class Visitor {

  /** No answer, or one that says that the service is not available now: nothing was acknowledged. */
  static final class Unavailable extends IOException {

    private static final long serialVersionUID = 1;

    private final boolean honest;

    Unavailable(String message) {
      this(message, false);
    }

    private Unavailable(String message, boolean honest) {
      super(message);
      this.honest = honest;
    }

    /** Returns whether it was our page that says that nothing can be stored now, with a time to try again. */
    boolean isHonest() {
      return honest;
    }
  }

  /** The heading of our page {@code storage-unavailable}. */
  static final String STORAGE_UNAVAILABLE = "This is not possible at the moment";

  /** The heading of our page {@code already-used}, which says to start again. */
  static final String ALREADY_USED = "This sign-on was already used";

  /** An answer and its address. */
  record Page(URI url, int status, String location, String body) {

    boolean asksForPassword() {
      return body.contains("name=\"password\"");
    }
  }

  /**
   * The body of a GET, which is empty, and asked for its length each time that the client sends the request. {@link HttpClient} sends a GET
   * again, as browsers do, if the connection is closed before a byte of the answer; HAProxy closes it so when a node dies.
   */
  private static final class CountedSends implements BodyPublisher {

    private final AtomicInteger sends = new AtomicInteger();

    boolean isRepeated() {
      return sends.get() > 1;
    }

    @Override
    public long contentLength() {
      sends.incrementAndGet();
      return 0;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      BodyPublishers.noBody().subscribe(subscriber);
    }
  }

  private static final int MOST_STEPS = 16;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern WAY_OUT = Pattern.compile("<a class=\"button\" href=\"([^\"]*)\"");
  private static final Pattern FORM = Pattern.compile("<form\\b[^>]*\\baction=\"([^\"]*)\"[^>]*>(.*?)</form>", Pattern.DOTALL);
  private static final Pattern INPUT = Pattern.compile("<input\\b[^>]*>");
  private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]*)\"");
  private static final Pattern VALUE = Pattern.compile("\\bvalue=\"([^\"]*)\"");

  private final HttpClient client;
  private final Requests requests;
  private final Map<String, Map<String, String>> cookies = new TreeMap<>();

  Visitor(HttpClient client, Requests requests) {
    this.client = client;
    this.requests = requests;
  }

  /** Returns another browser with the same cookies, as one who stole them has. */
  Visitor copy() {
    Visitor copy = new Visitor(client, requests);
    cookies.forEach((host, jar) -> copy.cookies.put(host, new TreeMap<>(jar)));
    return copy;
  }

  Visitor without(String host) {
    cookies.remove(host);
    return this;
  }

  /** Returns the field {@code Cookie} for a host; empty if there are none. */
  String cookies(String host) {
    StringBuilder field = new StringBuilder();
    cookies
        .getOrDefault(host, Map.of())
        .forEach((name, value) -> field.append(field.isEmpty() ? "" : "; ").append(name).append('=').append(value));
    return field.toString();
  }

  /** Opens an address and follows redirects and forms, until the goal or a password that it does not have. */
  Page browse(String url, Map<String, String> typed, Predicate<Page> goal) throws IOException {
    Page page = get(url);
    for (int step = 0; step < MOST_STEPS; step++) {
      if (goal.test(page) || page.asksForPassword() && !typed.containsKey("password")) {
        return page;
      }
      Matcher wayOut = WAY_OUT.matcher(page.body());
      if (page.location().isEmpty() && page.status() == 200 && !FORM.matcher(page.body()).find() && wayOut.find()) {
        page = new Page(page.url(), page.status(), text(wayOut.group(1)), page.body());
        continue;
      }
      page = page.location().isEmpty() ? submit(page, typed) : get(page.url().resolve(page.location()).toString());
    }
    throw new IllegalStateException("The navigation does not end; at " + told(page));
  }

  /**
   * Opens an address. That a sign-on was used is no refusal if the request was sent twice: a node had marked it and died before the answer
   * came, and the client asked the other node. The person has to start again, as after any request without an answer.
   */
  Page get(String url) throws IOException {
    CountedSends counted = new CountedSends();
    Page page = send(URI.create(url), navigation(URI.create(url)).header("Sec-Fetch-Site", "none").method("GET", counted));
    if (counted.isRepeated() && page.status() == 400 && firstWords(page.body()).equals(ALREADY_USED)) {
      String why = "400 " + ALREADY_USED + ", when it was sent again because the first answer was lost";
      requests.failed(page.url(), why);
      throw new Unavailable(url + ": " + why);
    }
    return page;
  }

  /** Submits the first form of a page. */
  Page submit(Page page, Map<String, String> typed) throws IOException {
    Matcher form = FORM.matcher(page.body());
    if (!form.find()) {
      throw new IllegalStateException("There is no form on " + told(page));
    }
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher input = INPUT.matcher(form.group(2));
    while (input.find()) {
      Matcher name = NAME.matcher(input.group());
      if (name.find()) {
        Matcher value = VALUE.matcher(input.group());
        fields.put(name.group(1), typed.getOrDefault(name.group(1), value.find() ? text(value.group(1)) : ""));
      }
    }
    if (form.group(2).contains("value=\"allow\"")) {
      fields.put("answer", "allow");
    }
    URI action = page.url().resolve(text(form.group(1)));
    boolean sameSite = page.url().getHost().equals(action.getHost());
    return send(
        action,
        navigation(action)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", page.url().getScheme() + "://" + page.url().getRawAuthority())
            .header("Sec-Fetch-Site", sameSite ? "same-origin" : "cross-site")
            .POST(BodyPublishers.ofString(encoded(fields))));
  }

  /** Sends a form as a program does. */
  Page post(String url, String authorization, Map<String, String> fields) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/x-www-form-urlencoded");
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return send(URI.create(url), request.POST(BodyPublishers.ofString(encoded(fields))));
  }

  /** Sends JSON as a program does. */
  Page postJson(String url, String json) throws IOException {
    return send(
        URI.create(url),
        HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
  }

  private static HttpRequest.Builder navigation(URI url) {
    return HttpRequest.newBuilder(url)
        .header("Accept", "text/html")
        .header("Sec-Fetch-Mode", "navigate")
        .header("Sec-Fetch-Dest", "document");
  }

  private Page send(URI url, HttpRequest.Builder request) throws IOException {
    Map<String, String> jar = cookies.computeIfAbsent(url.getHost(), host -> new TreeMap<>());
    if (!jar.isEmpty()) {
      request.header("Cookie", cookies(url.getHost()));
    }
    HttpResponse<String> response;
    try {
      response = client.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      requests.failed(url, e.toString());
      throw new Unavailable(url + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted");
    }
    if (response.statusCode() >= 500) {
      String words = firstWords(response.body());
      requests.failed(url, response.statusCode(), words);
      boolean isHonest =
          response.statusCode() == 503 && words.equals(STORAGE_UNAVAILABLE) && response.headers().firstValue("Retry-After").isPresent();
      throw new Unavailable(url + ": " + response.statusCode() + " " + words, isHonest);
    }
    requests.answered();
    for (String field : response.headers().allValues("Set-Cookie")) {
      String[] pair = field.split(";", 2)[0].split("=", 2);
      if (field.contains("Max-Age=0")) {
        jar.remove(pair[0]);
      } else {
        jar.put(pair[0], pair[1]);
      }
    }
    return new Page(url, response.statusCode(), response.headers().firstValue("Location").orElse(""), response.body());
  }

  /** The heading comes before the body: of a long text only the beginning is kept. */
  private static String told(Page page) {
    return page.url() + " (" + page.status() + " " + firstWords(page.body()) + "):\n" + page.body();
  }

  private static String firstWords(String body) {
    Matcher title = Pattern.compile("<h1[^>]*>([^<]*)").matcher(body);
    String words = title.find() ? title.group(1) : body;
    return words.substring(0, Math.min(120, words.length())).replace('\n', ' ');
  }

  static String encoded(Map<String, String> fields) {
    StringBuilder body = new StringBuilder();
    fields.forEach(
        (name, value) ->
            body.append(body.isEmpty() ? "" : "&")
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return body.toString();
  }

  /** The text of an attribute's value. */
  static String text(String escaped) {
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

package dev.gatehouse.perf.http;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jsoup.Jsoup;

/** A person's browser: has a connection to each of some servers, follows redirects, also those of pages, and submits forms. */
public final class Browser implements AutoCloseable {

  private static final int MOST_STEPS = 14;

  /** Decides whether an answer is the end of a navigation. */
  @FunctionalInterface
  public interface Goal {

    /** @param url of the answer */
    boolean isReached(String url, Answer answer);
  }

  private final Map<String, Client> clients = new LinkedHashMap<>();

  /** @param origins of the servers, for example {@code http://127.0.0.1:8080} */
  public Browser(List<String> origins) throws IOException {
    this(origins, false);
  }

  /** @param hasKeys whether the browser registers keys where servers invite it to */
  public Browser(List<String> origins, boolean hasKeys) throws IOException {
    for (String origin : origins) {
      clients.put(origin, Client.browser(URI.create(origin), hasKeys));
    }
  }

  public void reconnect() throws IOException {
    for (Client client : clients.values()) {
      client.reconnect();
    }
  }

  /** Drops all cookies, which ends all logins. */
  public void forget() {
    clients.values().forEach(Client::forget);
  }

  /**
   * Opens a page, follows redirects and submits each form, until the goal is reached.
   *
   * @param typed values of form fields by name
   * @param fields of the first request, for example {@code Sec-Fetch-Site: same-origin}
   * @return the answer that is the goal
   * @throws IOException if the goal is not reached
   */
  public Answer open(String url, Map<String, String> typed, Goal goal, String... fields) throws IOException {
    String at = url;
    Answer answer = get(at, fields);
    for (int step = 0; step < MOST_STEPS; step++) {
      if (goal.isReached(at, answer)) {
        return answer;
      }
      Optional<String> next = next(answer);
      if (next.isPresent()) {
        at = absolute(at, next.get());
        answer = get(at);
      } else {
        FilledForm form = FilledForm.of(answer.body(), typed);
        String from = origin(at);
        at = absolute(at, form.target());
        Client client = client(at);
        answer = client.send(client.post(path(at), form.body(), "Origin: " + from));
      }
    }
    throw new IOException("the navigation does not end; at " + at + ": " + answer.status() + "\n" + answer.body());
  }

  /** Where a redirect leads, or a page whose button does nothing but take people on. */
  private static Optional<String> next(Answer answer) {
    if (!answer.location().isEmpty()) {
      return Optional.of(answer.location());
    }
    return answer.body().contains("<form")
        ? Optional.empty()
        : Optional.ofNullable(Jsoup.parse(answer.body()).selectFirst("main a.button[href]")).map(button -> button.attr("href"));
  }

  /** The Cookie field for requests to that origin. */
  public String cookieField(String origin) throws IOException {
    return client(origin + "/").cookieField();
  }

  private Answer get(String url, String... fields) throws IOException {
    Client client = client(url);
    return client.send(client.get(path(url), fields));
  }

  private Client client(String url) throws IOException {
    Client client = clients.get(origin(url));
    if (client == null) {
      throw new IOException("led to " + url);
    }
    return client;
  }

  public static String absolute(String at, String address) {
    return address.startsWith("/") ? origin(at) + address : address;
  }

  public static String origin(String url) {
    return url.substring(0, url.indexOf('/', "https://".length()));
  }

  private static String path(String url) {
    return url.substring(url.indexOf('/', "https://".length()));
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients.values()) {
      client.close();
    }
  }
}

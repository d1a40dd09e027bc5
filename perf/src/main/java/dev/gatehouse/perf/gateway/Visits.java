package dev.gatehouse.perf.gateway;

import dev.gatehouse.common.faults.Balancer;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The visits of the AuthMark tests: a client requests a protected page, gets 401, sends name and password with HTTP
 * Basic, and requests further pages; each visit is by another person, chosen at random. A balancer that keeps browsers at their nodes keeps
 * each visit at one.
 */
public final class Visits implements ClosedLoad.User {

  /** The way in which the pages after the first are requested. */
  public enum Later {
    /** There are no further pages: only the login counts, as in AuthMark Login. */
    NONE,
    /** Ten pages with the session cookie, as with SelectAccess. */
    BY_COOKIE,
    /** Ten pages with name and password each, as with Tivoli Access Manager. */
    BY_PASSWORD
  }

  static final int PAGES = 10;
  /** By https it is bound to the host. */
  private static final Pattern COOKIE = Pattern.compile("(__Host-)?gh_app=.*");

  private final Client client;
  private final String target;
  private final Later later;
  private final int people;
  private final int pageBytes;
  private final SplittableRandom random;

  /**
   * @param people the number of people to choose from
   * @param number of the caller; each caller has its own order
   */
  public Visits(URI server, String target, Later later, int people, int pageBytes, int number) throws IOException {
    this.client = Client.program(server);
    this.target = target;
    this.later = later;
    this.people = people;
    this.pageBytes = pageBytes;
    this.random = new SplittableRandom(7919L * number + 1);
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  /** Visits once: one operation, or eleven with the further pages. */
  @Override
  public int once() throws IOException {
    int person = 1 + random.nextInt(people);
    Answer asked = client.send(client.get(target));
    if (asked.status() != 401) {
      throw new IOException("401 was expected, not " + asked.status());
    }
    List<String> cookies = new ArrayList<>(node(asked).stream().toList());
    String withPassword = get(cookies, basic(person));
    switch (later) {
      case NONE -> {
        page(withPassword);
        return 1;
      }
      case BY_COOKIE -> {
        cookies.add(cookie(page(withPassword)));
        String withCookie = get(cookies);
        for (int i = 0; i < PAGES; i++) {
          page(withCookie);
        }
      }
      case BY_PASSWORD -> {
        for (int i = 0; i < PAGES; i++) {
          page(withPassword);
        }
      }
    }
    return 1 + PAGES;
  }

  /** A request with those cookies, if there are any, and those fields. */
  private String get(List<String> cookies, String... fields) {
    return client.get(target, Stream.concat(field(cookies).stream(), Stream.of(fields)).toArray(String[]::new));
  }

  /** The Cookie field; none without cookies. */
  static Optional<String> field(List<String> cookies) {
    return cookies.isEmpty() ? Optional.empty() : Optional.of("Cookie: " + String.join("; ", cookies));
  }

  /** The cookie by which a balancer keeps a browser at a node; none where requests go to all of them. */
  static Optional<String> node(Answer answer) {
    return cookies(answer).filter(cookie -> cookie.startsWith(Balancer.COOKIE + "=")).findFirst();
  }

  /** The cookies that an answer sets, without their attributes. */
  private static Stream<String> cookies(Answer answer) {
    return answer.setCookies().stream().map(cookie -> cookie.split(";", 2)[0]);
  }

  private Answer page(String request) throws IOException {
    Answer answer = client.send(request);
    if (answer.status() != 200 || answer.body().length() != pageBytes) {
      throw new IOException("the page was expected, not " + answer.status() + ":\n" + answer.body());
    }
    return answer;
  }

  static String cookie(Answer answer) throws IOException {
    return cookies(answer)
        .filter(cookie -> COOKIE.matcher(cookie).matches())
        .findFirst()
        .orElseThrow(() -> new IOException("no session's cookie came with the page"));
  }

  /** The header field with which a person logs in. */
  static String basic(int person) {
    String credentials = People.name(person) + ":" + People.password(person);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}

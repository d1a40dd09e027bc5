package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A browser in which one person after the other logs in by passkey. */
final class PasskeyUser implements ClosedLoad.User {

  /** What the browser does for each login. */
  enum Part {
    /** A browser that nobody knows: the page with its form, the challenge, and the assertion. */
    LOGIN,
    /** The page stays open: a challenge and an assertion. */
    ASSERTION
  }

  private static final String LOGIN = "/realms/" + OtpPeople.REALM + "/login";
  private static final String PASSKEY = LOGIN + "/passkey";
  private static final String BROWSER = "gh_pre.";
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\"[^>]*value=\"([^\"]+)\"");
  private static final Pattern CHALLENGE = Pattern.compile("\"challenge\":\"([^\"]+)\"");

  private final Client client;
  private final String origin;
  private final SoftPasskey passkey;
  private final Part part;
  private final int first;
  private final int[] counters;
  private int turn;
  private String csrf = "";

  /** @param first the first of {@code number} people */
  PasskeyUser(PasskeyServer server, SoftPasskey passkey, Part part, int first, int number) throws IOException {
    this.client = Client.browser(server.url());
    this.origin = "Origin: " + server.url();
    this.passkey = passkey;
    this.part = part;
    this.first = first;
    this.counters = new int[number];
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    int person = first + turn;
    if (part == Part.LOGIN || csrf.isEmpty()) {
      client.forget();
      csrf = found(CSRF, client.send(client.get(LOGIN)));
    }
    String challenge = found(CHALLENGE, client.send(client.get(PASSKEY)));
    String assertion = passkey.assertion(person, challenge, ++counters[turn]);
    turn = (turn + 1) % counters.length;
    String form = "csrf=" + csrf + "&response=" + URLEncoder.encode(assertion, StandardCharsets.UTF_8);
    Answer answer = client.send(client.post(PASSKEY, form, origin));
    boolean hasSession = answer.setCookies().stream().anyMatch(cookie -> !cookie.startsWith(BROWSER));
    if (answer.status() != 303 || answer.location().contains("wrong=") || !hasSession) {
      throw new IOException("not logged in: " + People.name(person) + ": " + answer.status() + " " + answer.location() + " " + answer.body());
    }
    // Of the next person, this browser knows nothing but its page.
    client.forgetAllBut(BROWSER);
    return 1;
  }

  private static String found(Pattern pattern, Answer answer) throws IOException {
    Matcher matcher = pattern.matcher(answer.body());
    if (answer.status() != 200 || !matcher.find()) {
      throw new IOException("not the expected page: " + answer.status() + " " + answer.location() + "\n" + answer.body());
    }
    return matcher.group(1);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}

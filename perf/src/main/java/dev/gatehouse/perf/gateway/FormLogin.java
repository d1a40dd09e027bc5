package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Browser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A login through the form at the identity provider, from a page back to it, as another person without cookies each time; perhaps with the
 * logout that ends the sessions of both sides.
 */
public final class FormLogin implements ClosedLoad.User {

  private static final String LOGOUT = "/.gatehouse/logout";

  /** The receipt of a logout has one for each side that has ended its session. */
  private static final String ENDED = "class=\"badge good\"";

  private final Browser browser;
  private final String page;
  private final boolean logsOut;
  private final int people;
  private final SplittableRandom random;

  public FormLogin(String page, String idp, int people, int number) throws IOException {
    this(page, List.of(idp), false, people, number);
  }

  /** Somebody who logs out as well, by single logout of SAML that the gateway begins. */
  public static FormLogin withLogout(String page, String idp, int people, int number) throws IOException {
    return new FormLogin(page, List.of(idp), false, true, people, number);
  }

  /**
   * @param others origins by which the login leads, beside the page's
   * @param hasKeys whether the browser registers keys where it is invited
   */
  FormLogin(String page, List<String> others, boolean hasKeys, int people, int number) throws IOException {
    this(page, others, hasKeys, false, people, number);
  }

  private FormLogin(String page, List<String> others, boolean hasKeys, boolean logsOut, int people, int number) throws IOException {
    this.browser = new Browser(Stream.concat(Stream.of(Browser.origin(page)), others.stream()).toList(), hasKeys);
    this.page = page;
    this.logsOut = logsOut;
    this.people = people;
    this.random = new SplittableRandom(104_729L * number + 3);
  }

  /** Logs a person in and returns the Cookie field for further pages. */
  static String cookieField(String page, List<String> others, int people) throws IOException {
    try (FormLogin login = new FormLogin(page, others, true, people, 0)) {
      login.once();
      return login.browser.cookieField(Browser.origin(page));
    }
  }

  @Override
  public void reconnect() throws IOException {
    browser.reconnect();
  }

  @Override
  public int once() throws IOException {
    browser.forget();
    int person = 1 + random.nextInt(people);
    browser.open(
        page,
        Map.of("username", People.name(person), "password", People.password(person)),
        (at, answer) -> answer.status() == 200 && at.equals(page) && answer.body().length() == Pages.SMALL);
    if (logsOut) {
      browser.open(Browser.origin(page) + LOGOUT, Map.of(), (at, answer) -> isReceipt(answer), "Sec-Fetch-Site: same-origin");
    }
    return 1;
  }

  private static boolean isReceipt(Answer answer) {
    return answer.status() == 200 && answer.body().split(ENDED, -1).length == 3;
  }

  @Override
  public void close() throws IOException {
    browser.close();
  }
}

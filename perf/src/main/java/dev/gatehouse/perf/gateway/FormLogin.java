package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.Browser;
import dev.gatehouse.perf.load.FilledForm;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A login through the form: opens a protected page, is redirected to the identity provider, fills in the login form,
 * and returns with a SAML Response to the page; with a browser without cookies, and another person each time.
 */
final class FormLogin implements CallerLoad.Caller {

  private static final int MOST_STEPS = 14;

  private final Browser app;
  private final Browser idp;
  private final String appOrigin;
  private final String idpOrigin;
  private final URI page;
  private final int people;
  private final SplittableRandom random;

  FormLogin(URI page, URI idp, int people, int number) throws IOException {
    this.page = page;
    this.appOrigin = page.getScheme() + "://" + page.getAuthority();
    this.idpOrigin = idp.toString();
    this.app = new Browser(URI.create(appOrigin));
    this.idp = new Browser(idp);
    this.people = people;
    this.random = new SplittableRandom(104_729L * number + 3);
  }

  @Override
  public void reconnect() throws IOException {
    app.reconnect();
    idp.reconnect();
  }

  @Override
  public int once() throws IOException {
    app.forget();
    idp.forget();
    int person = 1 + random.nextInt(people);
    String at = page.toString();
    Answer answer = app.get(page.getPath());
    for (int step = 0; step < MOST_STEPS; step++) {
      if (answer.status() == 200 && at.equals(page.toString()) && answer.body().length() == Pages.SMALL) {
        return 1;
      }
      if (!answer.location().isEmpty()) {
        at = absolute(at, answer.location());
        answer = get(at);
      } else {
        FilledForm form =
            FilledForm.of(
                answer.body(), Map.of("username", People.name(person), "password", People.password(person)));
        String from = origin(at);
        at = absolute(at, form.target());
        answer = browser(at).post(path(at), form.body(), from);
      }
    }
    throw new IOException("the page was not reached; at " + at + ": " + answer.status() + "\n" + answer.body());
  }

  private Answer get(String url) throws IOException {
    return browser(url).get(path(url));
  }

  private Browser browser(String url) throws IOException {
    if (url.startsWith(appOrigin + "/")) {
      return app;
    }
    if (url.startsWith(idpOrigin + "/")) {
      return idp;
    }
    throw new IOException("led to " + url);
  }

  private static String absolute(String at, String address) {
    return address.startsWith("/") ? origin(at) + address : address;
  }

  private static String origin(String url) {
    return url.substring(0, url.indexOf('/', "https://".length()));
  }

  private static String path(String url) {
    return url.substring(url.indexOf('/', "https://".length()));
  }

  @Override
  public void close() throws IOException {
    app.close();
    idp.close();
  }
}

package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.demo.DemoBrowser;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.demo.TokenTraining;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A training run that simulates a day's use in some seconds: people log in, return, use the app and log out, and programs get tokens and
 * show them. The AOT cache stores the profile of the methods, so that a node that starts with it compiles the right ones first.
 */
final class Training {

  private static final int PEOPLE_AT_ONCE = 4;
  private static final int PAGES = 5;
  private static final int SIGN_ONS = 5;
  private static final String APP_COOKIE = "gh_app";
  private static final Pattern ACTION = Pattern.compile("<form[^>]* action=\"([^\"]+)\"");
  private static final Pattern FIELD = Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"");

  private final String app;
  private final String idp;
  private final TokenTraining tokens;

  /** What was done. */
  record Done(int rounds, int tokens) {

    private Done plus(Done other) {
      return new Done(rounds + other.rounds, tokens + other.tokens);
    }
  }

  Training(DemoPorts ports) {
    this.tokens = new TokenTraining(ports);
    this.app = "http://app.localhost:" + ports.appHttp();
    this.idp = "http://idp.localhost:" + ports.idpHttp() + "/realms/demo";
  }

  /**
   * Trains for that time.
   *
   * @throws StartRefused if a round fails
   */
  Done run(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    Done done = new Done(0, 0);
    try (ExecutorService people = Executors.newFixedThreadPool(PEOPLE_AT_ONCE)) {
      List<Future<Done>> busy = new ArrayList<>();
      for (int i = 0; i < PEOPLE_AT_ONCE; i++) {
        String name = i % 2 == 0 ? "alice" : "bob";
        busy.add(people.submit(() -> roundsOf(name, end)));
      }
      for (Future<Done> each : busy) {
        done = done.plus(each.get());
      }
    } catch (ExecutionException e) {
      throw new StartRefused("training failed: " + e.getCause());
    }
    return done;
  }

  private Done roundsOf(String name, long end) throws IOException {
    Done done = new Done(0, 0);
    while (System.nanoTime() < end) {
      done = done.plus(new Done(1, round(name)));
    }
    return done;
  }

  /** Returns the number of access tokens. */
  private int round(String name) throws IOException {
    DemoBrowser browser = new DemoBrowser();
    DemoBrowser.Page form = browser.get(URI.create(app + "/whoami"));
    Map<String, String> fields = fields(form);
    fields.put("username", name);
    fields.put("password", "demo");
    submit(browser, browser.post(form, action(form), fields));
    for (int i = 0; i < PAGES; i++) {
      require(browser.get(URI.create(app + "/whoami")), name);
    }
    for (int i = 0; i < SIGN_ONS; i++) {
      browser.forget(APP_COOKIE);
      submit(browser, browser.get(URI.create(app + "/whoami")));
    }
    String sp = app + "/.gatehouse/saml/metadata";
    submit(browser, browser.get(URI.create(idp + "/saml/init?sp=" + sp + "&RelayState=/whoami")));
    require(browser.get(URI.create(idp + "/saml/init?binding=artifact&sp=" + sp + "&RelayState=/whoami")), name);
    require(browser.get(URI.create(idp + "/account")), name);
    int issued = tokens.round(browser, name);
    require(browser.get(URI.create(app + "/.gatehouse/logout")), "");
    require(browser.get(URI.create(app + "/public/")), "");
    return issued;
  }

  /** Submits the form with the Response, as the page's script would. */
  private static void submit(DemoBrowser browser, DemoBrowser.Page page) throws IOException {
    require(browser.post(page, action(page), fields(page)), "");
  }

  private static void require(DemoBrowser.Page page, String text) throws IOException {
    if (page.status() != 200 || !page.html().contains(text)) {
      throw new IOException("status " + page.status() + " at " + page.address());
    }
  }

  private static URI action(DemoBrowser.Page page) throws IOException {
    Matcher action = ACTION.matcher(page.html());
    if (page.status() != 200 || !action.find()) {
      throw new IOException("no form at " + page.address() + ", status " + page.status());
    }
    return page.address().resolve(unescaped(action.group(1)));
  }

  private static Map<String, String> fields(DemoBrowser.Page page) {
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher field = FIELD.matcher(page.html());
    while (field.find()) {
      fields.put(field.group(1), unescaped(field.group(2)));
    }
    return fields;
  }

  private static String unescaped(String html) {
    return html.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'").replace("&amp;", "&");
  }
}

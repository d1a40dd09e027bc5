package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.gateway.admin.FakePersonLogins;
import dev.gatehouse.gateway.admin.StoredAdmin;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.administrator.SetUpLink;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.WithChromium;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Ways of administrators through the console in a real browser, with a provider whose login page the test answers. */
@Timeout(120)
@ExtendWith(WithChromium.class)
class ConsoleJourneyTest {

  /** A folder for pictures that somebody looks at; none by default. */
  private static final String PICTURES = System.getProperty("console.pictures", "");

  private static final AdminLogin LOGIN = new AdminLogin("demo", new Origin("http", "127.0.0.1", 8081));

  private final Chromium chromium;

  ConsoleJourneyTest(Chromium chromium) {
    this.chromium = chromium;
  }

  private static void picture(Page page, String name) {
    if (!PICTURES.isEmpty()) {
      page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(PICTURES, "journey-" + name + ".png")));
    }
  }

  /** Answers the provider's authorization endpoint by a page on which the person signs in. */
  private static void provide(Page page, TestAdmin admin, Person person) {
    page.route(FakePersonLogins.ISSUER + "/**", route -> signIn(route, admin, person));
    page.route("**/console/login/person**", ConsoleJourneyTest::leave);
  }

  /** Shows where a redirect leads: Playwright routes requests, but not those that follow a redirect. */
  private static void leave(Route route) {
    String location = route.fetch(new Route.FetchOptions().setMaxRedirects(0)).headers().get("location");
    route.fulfill(new Route.FulfillOptions().setContentType("text/html").setBody(link(Objects.requireNonNull(location), "To the provider")));
  }

  private static String link(String address, String text) {
    return "<a href=\"" + address.replace("&", "&amp;") + "\">" + text + "</a>";
  }

  private static void signIn(Route route, TestAdmin admin, Person person) {
    Map<String, String> request = new HashMap<>();
    Parameters.parse(URI.create(route.request().url()).getRawQuery()).all().forEach(sent -> request.put(sent.name(), sent.value()));
    String code = admin.logins.issue(request, FakePersonLogins.login(person, admin.time.instant()));
    String back =
        "http://127.0.0.1:" + admin.port() + URI.create(Objects.requireNonNull(request.get("redirect_uri"))).getPath() + "?"
            + ConsoleBrowser.form("code", code, "state", Objects.requireNonNull(request.get("state")), "iss", FakePersonLogins.ISSUER);
    route.fulfill(new Route.FulfillOptions().setContentType("text/html").setBody(link(back, "Sign in as " + person.name())));
  }

  private static void click(Page page, String text) {
    page.getByText(text).first().click();
  }

  @Test
  void theFirstAdministratorSetsUpGivesARoleAfterAnotherLoginAndSignsOut(@TempDir Path folder) {
    try (TestAdmin admin = new TestAdmin(folder); BrowserContext browser = chromium.profile()) {
      Person alice = admin.logins.add("alice");
      admin.logins.add("carol");
      String link = SetUpLink.offer(LOGIN, admin.grants(), admin.time.instant(), RandomGenerator.of("SecureRandom")).orElseThrow();
      Page page = browser.newPage();
      provide(page, admin, alice);
      page.navigate(link.replace(":8081", ":" + admin.port()));
      assertThat(page.url()).as("the code is in no address any more").endsWith("/console/set-up");
      picture(page, "set-up");
      page.locator("#person").fill("alice");
      page.keyboard().press("Enter");
      click(page, "Sign in as alice");
      page.waitForURL("**/console/");
      assertThat(page.locator("nav.menu").textContent()).contains("(demo/alice)");

      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Administrators")).click();
      picture(page, "administrators");
      page.locator("#person").fill("carol");
      page.locator("#role").selectOption("operator");
      click(page, "Give the role …");
      page.waitForURL("**/grant?**");
      assertThat(page.locator("main").textContent()).contains("carol (carol-id) becomes an administrator", "operator", "all realms");
      picture(page, "grant");
      admin.time.advance(Duration.ofMinutes(11));
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Give the role")).click();
      assertThat(page.locator("h1").textContent()).isEqualTo("Please sign in again");
      assertThat(admin.grants().all("demo")).hasSize(1);
      picture(page, "again");
      page.locator(".button", new Page.LocatorOptions().setHasText("Sign in again")).click();
      click(page, "To the provider");
      click(page, "Sign in as alice");
      assertThat(page.locator("h1").textContent()).isEqualTo("You are signed in");
      assertThat(page.locator("main dl").textContent()).contains("carol-id", "operator");
      picture(page, "resume");
      click(page, "Yes, do it now");
      page.waitForURL("**/administrators?done=granted");
      assertThat(page.locator("main").textContent()).contains("The role was given.", "carol");
      assertThat(admin.grants().all("demo")).hasSize(2);
      picture(page, "granted");

      page.locator("li", new Page.LocatorOptions().setHasText("alice-id")).getByText("Take all").click();
      assertThat(page.locator("main").textContent()).contains("This is yourself.");
      picture(page, "own");
      click(page, "Cancel");
      click(page, "Sign out");
      page.waitForURL("**/console/login");
      page.navigate("http://127.0.0.1:" + admin.port() + "/console/administrators");
      assertThat(page.url()).endsWith("/console/login");
    }
  }

  @Test
  void ofTwoAdministratorsAtOnceTheSecondSeesWhatTheFirstChanged(@TempDir Path folder) throws IOException, ConfigurationInvalid {
    try (StoredAdmin stored = new StoredAdmin(folder);
        BrowserContext one = chromium.profileWithoutScript();
        BrowserContext other = chromium.profile()) {
      String entries = "/console/realms/demo/entries";
      Page first = logIn(one, stored.admin);
      Page second = logIn(other, stored.admin);
      open(first, stored.admin, entries + "/remove?kind=routes&id=%2F");
      picture(first, "remove");
      open(second, stored.admin, "/console/realms/demo/add/proxied");
      second.locator("#name").fill("wiki");
      second.locator("#path").fill("/wiki/");
      second.locator("#upstream").fill("http://127.0.0.1:9003");
      click(second, "Check, and show what changes");
      click(second, "Add now");
      assertThat(second.locator("main").textContent()).contains("The app is known here");
      click(first, "Remove now");
      assertThat(first.locator("main").textContent()).contains("nothing was removed", "What was changed in between", "http://127.0.0.1:9003");
      assertThat(stored.realmFile()).contains("path: /\n");
      picture(first, "conflict");
      click(first, "Remove now");
      first.waitForURL("**" + entries + "?kind=routes&done=removed");
      assertThat(first.locator("ul.rows").last().textContent()).contains("wiki");
      assertThat(stored.realmFile()).contains("wiki").doesNotContain("path: /\n");
      picture(first, "removed");
    }
  }

  private static void open(Page page, TestAdmin admin, String path) {
    page.navigate("http://127.0.0.1:" + admin.port() + path);
  }

  private static Page logIn(BrowserContext browser, TestAdmin admin) {
    Page page = browser.newPage();
    open(page, admin, "/console/");
    page.locator("#key").fill(admin.key);
    page.keyboard().press("Enter");
    page.waitForURL("**/console/");
    return page;
  }
}

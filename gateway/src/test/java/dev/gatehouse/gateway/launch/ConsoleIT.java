package dev.gatehouse.gateway.launch;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.gatehouse.gateway.browser.Axe;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The console of the demo in a real browser, in the hands of bob. One story: each test goes on where the last ended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(600)
@ExtendWith(WithChromium.class)
class ConsoleIT {

  /** A folder for pictures that somebody looks at; none by default. */
  private static final String PICTURES = System.getProperty("console.pictures", "");

  /** These are no pages that somebody stays at: files, redirects, and the document of a frame. */
  private static final Set<String> NO_PAGES =
      Set.of(
          "/console/assets/{file}", "/console/audit/export", "/console/charts/csv", "/console/charts/live", "/console/login/callback",
          "/console/login/person", "/console/realms/{realm}/people/data/export", "/console/realms/{realm}/theme/preview",
          "/console/realms/{realm}/tokens/reports/csv",
          // These need what the demo does not have; ConsoleChromiumTest looks at them.
          "/console/nodes/drain", "/console/realms/{realm}/clients/remove", "/console/realms/{realm}/people/access/end", "/console/set-up",
          "/console/realms/{realm}/tokens/register");

  /** The key of a text that does not exist is shown in its place; actions in the audit log have names like it. */
  private static final Pattern UNTRANSLATED = Pattern.compile("\\bconsole\\.[a-z]\\S*");

  private static final String PASSPHRASE = "correct horse battery";

  private final Chromium chromium;
  private DemoProcess demo;
  private Person bob;
  private String reference = "";
  private String testLogin = "";

  ConsoleIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeAll
  void start(@TempDir Path folder) {
    demo = DemoProcess.start(folder);
    bob = new Person(chromium.profile());
  }

  @AfterAll
  void stop() {
    bob.close();
    demo.close();
  }

  private String console(String path) {
    return "http://localhost:" + demo.admin() + "/console/" + path;
  }

  private String app(String path) {
    return "http://app.localhost:" + demo.app() + path;
  }

  private String identityProvider() {
    return "http://idp.localhost:" + demo.idp() + "/realms/demo";
  }

  private static String of(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static void picture(Page page, String name) {
    if (!PICTURES.isEmpty()) {
      page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(PICTURES, name + ".png")));
    }
  }

  @Test
  @Order(1)
  void bobOpensTheConsoleWithHisAccount() {
    bob.open(console(""));
    picture(bob.page(), "login");
    bob.follow("Sign in with your account");
    bob.signIn("bob", "demo");
    bob.sees("Overview");
    assertThat(bob.page().locator("nav.menu")).containsText("demo/bob");
    picture(bob.page(), "overview");
  }

  @Test
  @Order(2)
  void theReferenceOfAnErrorPageLeadsToTheReason() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(app("/manager/"));
      alice.signIn("alice", "demo");
      alice.page().locator(".reference code").waitFor();
      reference = alice.page().locator(".reference code").first().textContent().strip();
    }
    bob.open(console("request"));
    bob.page().getByLabel("Reference").fill(reference);
    bob.page().waitForCondition(
        () -> {
          bob.press("Find");
          return bob.text("ROLE_MISSING").count() > 0;
        });
    for (String shown : List.of("alice", "manager", "employee", "Denied", "has none of the roles")) {
      assertThat(bob.page().locator("main")).containsText(shown);
    }
    picture(bob.page(), "request");
  }

  @Test
  @Order(3)
  void theAnswerOfAnIdentityProviderIsInspectedSavedAndCheckedAgain() throws IOException {
    // A session has no password to give: an answer with one could not be saved.
    bob.open(console("realms/demo/partner?id=" + of(identityProvider())));
    bob.press("Test login");
    bob.sees("Test login");
    testLogin = bob.page().url();
    picture(bob.page(), "test-login-waiting");
    Page partner = bob.page().context().waitForPage(() -> bob.follow("Sign in at the partner"));
    assertThat(partner.getByText("Every check passed.")).isVisible();
    partner.close();

    assertThat(bob.text("Every check passed.")).isVisible();
    assertThat(bob.page().locator("main")).containsText("employee");
    picture(bob.page(), "test-login");
    bob.page().getByLabel("Passphrase").fill(PASSPHRASE);
    Download saved = bob.page().waitForDownload(() -> bob.press("Save the answer"));
    String file = Files.readString(saved.path());
    bob.open(console("realms/demo/test-login/replay"));
    bob.page().getByLabel("Saved answer").fill(file);
    bob.page().getByLabel("Passphrase").fill(PASSPHRASE);
    bob.press("Check");
    assertThat(bob.text("Nothing differs from the time when it was saved.")).isVisible();
    picture(bob.page(), "replay");
    assertThat(bob.cookie(app("/"), "gh_app")).as("a session at the app").isEmpty();
  }

  @Test
  @Order(4)
  void whatAPartnerIsToldIsOneStepAwayFromThePartner() {
    bob.open(console("realms/demo/partner?id=" + of(app("/.gatehouse/saml/metadata"))));
    bob.follow("What a partner is told …");
    bob.page().getByLabel("User name or id").fill("alice");
    bob.press("Show");
    assertThat(bob.text("alice@example.org")).isVisible();
    assertThat(bob.page().locator("main")).containsText("only right after a login with it");
    picture(bob.page(), "release");
  }

  @Test
  @Order(5)
  void anEntryIsRemovedAndTheWayBackIsShown() {
    bob.open(console("realms/demo/entries?kind=clients"));
    bob.page().locator("a.danger").last().click();
    picture(bob.page(), "entry-remove");
    bob.press("Remove now");
    assertThat(bob.page().locator(".alert.good")).isVisible();
    bob.open(console("revisions/1/rollback"));
    picture(bob.page(), "rollback");
    assertThat(bob.page().locator("main")).containsText("demo-legacy");
  }

  @Test
  @Order(6)
  void aLongJobShowsItsProgress() {
    bob.open(console("jobs"));
    bob.press("Verify the audit log");
    bob.sees("Verification of the audit log");
    assertThat(bob.page().locator(".badge.good").first()).isVisible();
    picture(bob.page(), "job");
  }

  @Test
  @Order(6)
  void somebodyWhoTriedWrongPasswordsIsUnlocked() {
    try (Person carol = new Person(chromium.profile())) {
      carol.open(identityProvider() + "/account");
      carol.signIn("alice", "wrong");
      carol.signIn("alice", "wrong again");
      assertThat(carol.page().locator("#wrong")).isVisible();
    }
    bob.open(console("realms/demo/people/access?name=alice"));
    assertThat(bob.text("Passwords: 2.")).isVisible();
    picture(bob.page(), "person");
    bob.follow("Unlock …");
    bob.sees("Unlock a person");
    assertThat(bob.page().locator("main")).containsText("WRONG_PASSWORD: 2");
    picture(bob.page(), "unlock");
    bob.press("Unlock now");
    assertThat(bob.text("The person is unlocked.")).isVisible();
    assertThat(bob.text("Passwords: 0.")).isVisible();
  }

  /** Each page of the reference has a path here, so that a new one cannot be forgotten. */
  private List<String> pages(String jobs) throws IOException {
    String application = of(app("/.gatehouse/saml/metadata"));
    List<String> paths = new ArrayList<>(List.of(jobs, testLogin.substring(console("").length())));
    paths.addAll(
        List.of(
            "", "audit", "realms", "people", "nodes", "upstreams", "upstreams/drain?server=127.0.0.1:" + (demo.idp() + 5), "administrators",
            "administrators/grant?person=alice&role=operator&days=7", "administrators/revoke?person=" + grantedPerson(), "request?id=" + reference,
            "jobs", "jobs/audit-archive", "charts?series=requests&by=route", "charts?series=logins&by=method", "revisions", "revisions/1",
            "revisions/2", "revisions/1/rollback", "login"));
    for (String page :
        List.of(
            "", "/partners", "/partner?id=" + application, "/partner?id=" + of(identityProvider()), "/providers/import", "/partners/import",
            "/clients", "/entries", "/entries?kind=routes", "/entries/remove?kind=clients&id=demo-client", "/cache", "/cache/purge?tag=x",
            "/maintenance?route=app", "/maintenance/switch?route=app&to=on", "/routes", "/route?name=manager", "/keys",
            "/keys/step?use=IDP_SIGNING&step=prepare", "/connect?kind=routes&id=app", "/theme", "/test-login/replay", "/add", "/add/saml",
            "/add/openid", "/add/proxied", "/add/form-fill", "/people?name=alice", "/people/release?name=alice&partner=" + application,
            "/people/data?name=alice", "/people/access?name=alice", "/people/end?name=alice", "/authorizations", "/tokens",
            "/tokens/one?serial=" + DemoToken.SERIAL, "/tokens/person?name=carol", "/tokens/reports?report=enabled", "/tokens/trusts")) {
      paths.add("realms/demo" + page);
    }
    List<String> visited = paths.stream().map(path -> "/console/" + path.replaceFirst("\\?.*", "")).toList();
    List<String> documented =
        Files.readAllLines(Path.of("../docs/reference/endpoints.md")).stream()
            .filter(line -> line.matches("\\| `/console/[^|]*\\| GET.*"))
            .map(line -> line.replaceFirst("^\\| `([^`]+)`.*", "$1"))
            .filter(page -> !NO_PAGES.contains(page))
            .toList();
    assertThat(documented)
        .hasSizeGreaterThan(40)
        .allMatch(page -> visited.stream().anyMatch(path -> path.matches(page.replaceAll("\\{\\w+}", "[^/]+"))));
    return paths;
  }

  private String grantedPerson() {
    bob.open(console("administrators"));
    String href = Objects.requireNonNull(bob.page().locator("main a.danger").first().getAttribute("href"));
    return href.replaceFirst(".*[?&]person=([^&]*).*", "$1");
  }

  @Test
  @Order(7)
  void everyPageIsAccessibleKeepsItsPolicyAndFitsAPhone() throws IOException {
    bob.open(console("jobs"));
    String job = Objects.requireNonNull(bob.page().locator("main ul.rows a").first().getAttribute("href")).replaceFirst("^/console/", "");
    List<String> found = new ArrayList<>();
    List<String> paths = pages(job);
    try (BrowserContext german = chromium.germanProfile()) {
      german.addCookies(bob.page().context().cookies());
      Page page = german.newPage();
      List<String> complaints = new ArrayList<>();
      // A page that asks for the focus may be shown in the frame of "Appearance", where it does not get it; a key has no user name.
      page.onConsoleMessage(
          message -> Stream.of(message.text()).filter(text -> !text.matches("(?s)(Blocked autofocusing|.DOM. Password forms).*")).forEach(complaints::add));
      for (String path : paths) {
        complaints.clear();
        page.setViewportSize(1280, 800);
        int status = page.navigate(console(path)).status();
        if (status != 200) {
          found.add(path + " " + status);
          continue;
        }
        if (!List.of("audit", "request").contains(path.replaceFirst("\\?.*", ""))) {
          Matcher key = UNTRANSLATED.matcher(page.locator("main").textContent());
          key.results().forEach(one -> found.add(path + " has no text " + one.group()));
        }
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)");
        Axe.load(page);
        String name = path.replaceAll("\\W+", "-").replaceAll("^(.{50}).*", "$1");
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
          page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
          Axe.violations(page).forEach(one -> found.add(path + " " + scheme + " " + one));
          picture(page, scheme + "-" + name);
        }
        page.setViewportSize(360, 740);
        Object width = page.evaluate("document.documentElement.scrollWidth");
        if (!width.equals(360)) {
          found.add(path + " is " + width + " wide on a phone");
        }
        complaints.forEach(complaint -> found.add(path + " " + complaint));
        picture(page, "PHONE-" + name);
      }
    }
    assertThat(found).isEmpty();
  }
}

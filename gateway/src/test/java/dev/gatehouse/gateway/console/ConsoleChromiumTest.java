package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.TokenDesk.Change;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.otp.replica.OtpOverview;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.token.TokenDeskFixture;
import dev.gatehouse.gateway.browser.Axe;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.WithChromium;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser, without script, by keyboard and on a phone. */
@Timeout(300)
@ExtendWith(WithChromium.class)
class ConsoleChromiumTest {

  /** A folder for pictures that somebody looks at; none by default. */
  private static final String PICTURES = System.getProperty("console.pictures", "");

  private final Chromium chromium;
  @TempDir Path data;
  private JsonLinesAuditLog log;
  private AuditSearch search;
  private final TokenDeskFixture tokens = new TokenDeskFixture();
  private TestAdmin admin;

  ConsoleChromiumTest(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeEach
  void start() {
    TestTime time = new TestTime();
    Path directory = data.resolve("audit");
    log = new JsonLinesAuditLog(directory, Optional.of(data.resolve("head")), 1 << 20, Duration.ofDays(30), time);
    Context context = new Context("demo", "192.0.2.7", Optional.of("k7qf2m8cwb3d"));
    log.record(new AuditEvent.LoginRefused(context, "<b>alice</b>", "password", "THROTTLED_ACCOUNT"));
    log.record(new AuditEvent.LoginSucceeded(context, "p-1", "alice", "password", "s"));
    search =
        AuditSearch.of(new AuditIndex(directory, new AuditSegments(directory, Optional.empty()), log, Duration.ofDays(30), time, () -> false));
    admin =
        new TestAdmin(
            data, search,
            beans -> {
              beans.registerBean(AdminResource.RegisteredClients.class, HostileNames.Clients::new);
              beans.registerBean(LiveNodes.class, HostileNames.Nodes::new);
              beans.registerBean(OtpOverview.Source.class, () -> () -> Optional.of(HostileNames.otpServers()));
              tokens.register(beans);
            });
    tokens.add("t-1", "t-2");
    tokens.desk.change("demo", tokens.desk.find("demo", "t-1").orElseThrow(), new Change.Assign("alice"));
    admin.appSessions.add("s1", "alice");
    admin.idpSessions.add("s2", "alice");
    ChartsPageTest.fill(admin);
    admin.grant(admin.logins.add("bob"), "admin");
    admin.grant(admin.logins.people.getLast(), "helpdesk@demo");
    admin.grant(admin.logins.add("carol"), "viewer@demo");
    admin.authorizations.add("a1", "alice", "wiki", "openid", "mail");
    admin.link("https://club.example/metadata", "alice", "e3b0c44298fc1c149afbf4c8996fb924");
    admin.appSecrets.add("a11ce", "payroll", "password");
    for (String url : List.of("ldap://one", "ldap://two")) {
      byte[] text = ("directory:\n  urls: " + url + "\n").getBytes(StandardCharsets.UTF_8);
      admin.revisions().add(new FileTree(new TreeMap<>(Map.of("realms/demo.yaml", new FileTree.File(text, false)))), "ops", url);
    }
  }

  @AfterEach
  void stop() {
    admin.close();
    search.close();
    log.close();
  }

  private Page logIn(BrowserContext browser) {
    Page page = browser.newPage();
    page.navigate("http://127.0.0.1:" + admin.port() + "/console/");
    picture(page, "login");
    page.locator("#key").fill(admin.key);
    page.keyboard().press("Enter");
    page.waitForURL("**/console/");
    return page;
  }

  private static void picture(Page page, String name) {
    if (!PICTURES.isEmpty()) {
      page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(PICTURES, name + ".png")));
    }
  }

  @Test
  void anAdministratorEndsTheSessionsOfAPersonAndLogsOutWithoutScript() {
    try (BrowserContext browser = chromium.profileWithoutScript()) {
      Page page = logIn(browser);
      assertThat(page.locator("h1").textContent()).isEqualTo("Overview");
      picture(page, "overview");
      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("People")).click();
      page.locator("#name").fill("alice");
      page.keyboard().press("Enter");
      page.waitForURL("**/people?name=alice");
      assertThat(page.locator("ul.rows > li").count()).isEqualTo(2);
      picture(page, "sessions");
      page.getByText("End all sessions").click();
      assertThat(page.content()).contains("This ends all sessions of alice");
      picture(page, "end");
      page.getByText("End now").click();
      assertThat(page.content()).contains("Sessions ended: 2.");
      assertThat(admin.appSessions.sessions).isEmpty();
      page.getByText("Sign out").click();
      page.waitForURL("**/console/login");
      page.navigate("http://127.0.0.1:" + admin.port() + "/console/people");
      assertThat(page.url()).endsWith("/console/login");
    }
  }

  private static List<String> paths() {
    String route = TestRealms.demo().gateway().routes().getFirst().name();
    return List.of(
        "", "realms", "realms/demo", "realms/demo/partners", "realms/demo/clients", "realms/demo/routes",
        "realms/demo/partner?id=" + TestRealms.SP_ENTITY, "realms/demo/route?name=" + route, "people", "realms/demo/people?name=alice",
        "realms/demo/people/end?name=alice", "revisions", "revisions/2", "audit", "realms/demo/add", "realms/demo/add/saml",
        "realms/demo/add/openid", "realms/demo/add/proxied", "realms/demo/add/form-fill",
        "realms/demo/connect?kind=routes&id=" + route, "realms/demo/theme", "realms/none", "charts?by=method", "jobs", "request",
        "realms/demo/keys", "realms/demo/partners/import", "realms/demo/providers/import", "realms/demo/test-login/replay",
        "realms/demo/people/data?name=alice", "realms/demo/people/release?name=alice", "administrators", "administrators/grant?person=carol&role=operator&days=7",
        "upstreams", "nodes", "nodes/drain?index=0", "nodes/drain?index=1", "realms/demo/authorizations", "realms/demo/people/access?name=alice", "realms/demo/cache",
        "realms/demo/people/access/end?what=authorization&id=a1&name=alice", "realms/demo/clients/remove?" + ConsoleBrowser.form("id", HostileNames.TEXT),
        "realms/demo/maintenance?route=" + route, "realms/demo/tokens", "realms/demo/tokens/one?serial=t-1",
        "realms/demo/tokens/one?serial=t-2", "realms/demo/tokens/person?name=alice", "realms/demo/tokens/register", "realms/demo/tokens/reports?report=enabled", "realms/demo/tokens/trusts");
  }

  /** Pages that ConsoleIT does not see, which gives all others to axe, or that show here what nobody should have as a name. */
  private static List<String> pagesOfThisTestAlone() {
    return List.of(
        "login", "set-up", "audit", "people", "nodes", "nodes/drain?index=0", "nodes/drain?index=1", "realms/none", "realms/demo/clients",
        "realms/demo/clients/remove?" + ConsoleBrowser.form("id", HostileNames.TEXT), "realms/demo/tokens/register",
        "realms/demo/people/access/end?what=authorization&id=a1&name=alice");
  }

  @Test
  void noPageBreaksItsPolicyOrIsWiderThanAPhone() {
    List<String> complaints = new ArrayList<>();
    try (BrowserContext browser = chromium.germanProfile()) {
      Page page = logIn(browser);
      // A page that asks for the focus may be shown in the frame of "Appearance", where it does not get it.
      page.onConsoleMessage(message -> Stream.of(message.text()).filter(text -> !text.startsWith("Blocked autofocusing")).forEach(complaints::add));
      page.setViewportSize(360, 740);
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
      for (String path : paths()) {
        complaints.clear();
        int status = page.navigate("http://127.0.0.1:" + admin.port() + "/console/" + path).status();
        assertThat(status).as(path).isEqualTo(path.equals("realms/none") ? 404 : 200);
        assertThat(page.evaluate("document.documentElement.scrollWidth")).as(path).isEqualTo(360);
        assertThat(page.evaluate("typeof htmx")).as(path).isEqualTo("object");
        if (status == 200) {
          assertThat(complaints).as(path).isEmpty();
        }
        picture(page, "phone-" + path.replaceAll("\\W+", "-"));
      }
    }
  }

  @Test
  void axeFindsNothingInLightAndDark() throws IOException {
    List<String> violations = new ArrayList<>();
    try (BrowserContext browser = chromium.profile()) {
      Page page = logIn(browser);
      for (String path : pagesOfThisTestAlone()) {
        page.navigate("http://127.0.0.1:" + admin.port() + "/console/" + path);
        if (path.equals("audit")) {
          page.waitForCondition(() -> page.reload().ok() && page.locator("#found li").count() == 2);
        }
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)");
        Axe.load(page);
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
          page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
          picture(page, scheme.name().toLowerCase(Locale.ROOT) + "-" + path.replaceAll("\\W+", "-"));
          Axe.violations(page).forEach(one -> violations.add(scheme + " " + path + " " + one));
        }
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  void aListIsSearchedWhileSomebodyTypesAndAnEndedSessionLeadsToTheLogin() {
    try (BrowserContext browser = chromium.profile()) {
      Page page = logIn(browser);
      page.navigate("http://127.0.0.1:" + admin.port() + "/console/realms/demo/partners");
      int all = page.locator("#found li").count();
      assertThat(all).isGreaterThan(1);
      page.evaluate("window.same = true");
      page.locator("input[type=search]").pressSequentially("nothing has this name");
      page.waitForCondition(() -> page.locator("#found li").count() == 0);
      assertThat(page.url()).endsWith("?q=nothing%20has%20this%20name");
      assertThat(page.evaluate("window.same")).as("the page was not loaded anew").isEqualTo(true);
      assertThat(page.evaluate("document.activeElement.name")).isEqualTo("q");
      assertThat(page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)").toString()).doesNotContain("nothing has");
      browser.clearCookies();
      page.locator("input[type=search]").fill("");
      page.waitForURL("**/console/login");
    }
  }

  @Test
  void theKeyboardSkipsTheNavigation() {
    try (BrowserContext browser = chromium.profile()) {
      Page page = logIn(browser);
      page.keyboard().press("Tab");
      assertThat(page.evaluate("document.activeElement.className")).isEqualTo("skip");
      assertThat(page.locator(".skip").isVisible()).isTrue();
      page.keyboard().press("Enter");
      assertThat(page.evaluate("document.activeElement.id")).isEqualTo("content");
    }
  }

  @Test
  void theLiveChartIsDrawnAndGoesOn() throws IOException {
    List<String> complaints = new ArrayList<>();
    admin.analytics().follow();
    try (BrowserContext browser = chromium.germanProfile()) {
      Page page = logIn(browser);
      page.onConsoleMessage(message -> complaints.add(message.text()));
      page.navigate("http://127.0.0.1:" + admin.port() + "/console/charts?series=cache");
      page.locator("#live canvas").waitFor();
      assertThat(page.locator("#live-now").textContent()).isEqualTo("75");
      page.waitForFunction(
          "() => { const c = document.querySelector('#live canvas');"
              + " return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(value => value > 0) }");
      picture(page, "charts-live");
      page.waitForResponse(response -> response.url().contains("/console/charts/live") && response.ok(), () -> {});
      page.navigate("http://127.0.0.1:" + admin.port() + "/console/charts?by=method");
      picture(page, "charts-light");
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
      page.locator("#live canvas").waitFor();
      picture(page, "charts-dark");
      page.locator("summary").first().click();
      assertThat(page.locator("details table tbody tr").count()).isEqualTo(59);
    }
    assertThat(complaints).isEmpty();
  }
}

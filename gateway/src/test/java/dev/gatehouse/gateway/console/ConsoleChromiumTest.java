package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.WithChromium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  private TestAdmin admin;

  ConsoleChromiumTest(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeEach
  void start() {
    admin = new TestAdmin(data);
    admin.appSessions.add("s1", "alice");
    admin.idpSessions.add("s2", "alice");
    ChartsPageTest.fill(admin);
  }

  @AfterEach
  void stop() {
    admin.close();
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

  @Test
  void noPageBreaksItsPolicyOrIsWiderThanAPhone() {
    List<String> complaints = new ArrayList<>();
    String route = TestRealms.demo().gateway().routes().getFirst().name();
    try (BrowserContext browser = chromium.germanProfile()) {
      Page page = logIn(browser);
      page.onConsoleMessage(message -> complaints.add(message.text()));
      page.setViewportSize(360, 740);
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
      for (String path :
          List.of(
              "", "realms", "realms/demo", "realms/demo/partners", "realms/demo/clients", "realms/demo/routes",
              "realms/demo/partner?id=" + TestRealms.SP_ENTITY, "realms/demo/route?name=" + route, "people", "realms/demo/people?name=alice", "realms/demo/people/end?name=alice", "revisions", "charts?series=requests",
              "charts?by=method")) {
        assertThat(page.navigate("http://127.0.0.1:" + admin.port() + "/console/" + path).status()).as(path).isEqualTo(200);
        assertThat(page.evaluate("document.documentElement.scrollWidth")).as(path).isEqualTo(360);
        picture(page, "phone-" + path.replaceAll("\\W+", "-"));
      }
    }
    assertThat(complaints).isEmpty();
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

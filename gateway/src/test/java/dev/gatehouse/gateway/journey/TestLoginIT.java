package dev.gatehouse.gateway.journey;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An administrator tests the login with an identity provider, saves the answer, and asks what a partner is told. */
@ExtendWith({WithChromium.class, Journey.class})
class TestLoginIT {

  /** The system property names the folder for pictures of the pages; none are taken without it. */
  private static final String PICTURES = System.getProperty("console.pictures", "");

  private static final String PASSPHRASE = "correct horse battery";

  private final World world;
  private final Chromium chromium;

  TestLoginIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  private static void picture(Page page, String name) {
    if (!PICTURES.isEmpty()) {
      for (ColorScheme scheme : new ColorScheme[] {ColorScheme.DARK, ColorScheme.LIGHT}) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        Path file = Path.of(PICTURES, name + "-" + scheme.name().toLowerCase(java.util.Locale.ROOT) + ".png");
        page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(file));
      }
    }
  }

  private void opensTheConsole(Person ops) {
    ops.open(world.console("login"));
    ops.page().locator("#key").fill(world.administratorKey("inspector"));
    ops.page().keyboard().press("Enter");
    ops.isAt(world.console(""));
  }

  @Test
  void theAnswerOfAnIdentityProviderIsInspectedSavedAndCheckedAgain() throws IOException {
    try (Person ops = new Person(chromium.profile())) {
      // A session has no password to give: an answer with one could not be saved.
      ops.open(world.idp("/account"));
      ops.signIn("alice", "demo");
      opensTheConsole(ops);
      ops.open(world.console("realms/demo/partner?id=" + world.idp("")));
      ops.press("Test login");
      ops.sees("Test login");
      picture(ops.page(), "test-login-waiting");
      Page partner = ops.page().context().waitForPage(() -> ops.follow("Sign in at the partner"));
      assertThat(partner.getByText("Every check passed.")).isVisible();
      partner.close();

      assertThat(ops.text("Every check passed.")).isVisible();
      assertThat(ops.page().locator("main")).containsText("employee");
      picture(ops.page(), "test-login");
      ops.page().setViewportSize(390, 844);
      assertThat(ops.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
      picture(ops.page(), "test-login-phone");

      ops.page().getByLabel("Passphrase").fill(PASSPHRASE);
      Download saved = ops.page().waitForDownload(() -> ops.press("Save the answer"));
      String file = Files.readString(saved.path());
      ops.open(world.console("realms/demo/test-login/replay"));
      ops.page().getByLabel("Saved answer").fill(file);
      ops.page().getByLabel("Passphrase").fill(PASSPHRASE);
      ops.press("Check");
      assertThat(ops.text("Nothing differs from the time when it was saved.")).isVisible();
      picture(ops.page(), "replay");
      ops.open(world.app("/.gatehouse/account"));
      assertThat(ops.page().url()).as("there is no session at the app").doesNotStartWith(world.console(""));
    }
  }

  @Test
  void aPartnerIsToldWhatTheConsoleShows() {
    try (Person ops = new Person(chromium.profile())) {
      opensTheConsole(ops);
      ops.open(world.console("realms/demo/people/release?name=alice"));
      ops.page().getByLabel("Entity ID or client ID").fill(world.app("/.gatehouse/saml/metadata"));
      ops.press("Show");
      assertThat(ops.text("alice@example.com")).isVisible();
      assertThat(ops.page().locator("main")).containsText("only right after a login with it");
      picture(ops.page(), "release");
      ops.page().setViewportSize(390, 844);
      assertThat(ops.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
      picture(ops.page(), "release-phone");
      ops.page().getByLabel("Entity ID or client ID").fill("https://nobody.example");
      ops.press("Show");
      assertThat(ops.text("or no service provider https://nobody.example")).isVisible();
    }
  }
}

package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** People with other languages, without a mouse, or with a small screen. */
@ExtendWith({WithChromium.class, Journey.class})
class ComfortIT {

  private final World world;
  private final Chromium chromium;

  ComfortIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aGermanBrowserGetsGerman() {
    try (Person anna = new Person(chromium.germanProfile())) {
      anna.open(world.app("/manager/"));
      anna.sees("Anmelden");
      assertThat(anna.page().locator("html")).hasAttribute("lang", "de");
      anna.page().getByLabel("Benutzername").fill("alice");
      anna.page().getByLabel("Passwort").fill("demo");
      anna.press("Anmelden");
      anna.isAt(world.app("/manager/"));
      anna.sees("Diese Seite dürfen Sie nicht öffnen");
    }
  }

  @Test
  void theKeyboardAloneSuffices() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.app("/?keyboard"));
      assertThat(alice.page().getByLabel("User name")).isFocused();
      alice.page().keyboard().type("alice");
      alice.page().keyboard().press("Tab");
      alice.page().keyboard().type("wrong");
      alice.page().keyboard().press("Enter");
      assertThat(alice.text("User name and password do not match")).isVisible();
      assertThat(alice.page().getByLabel("Password")).isFocused();
      alice.page().keyboard().type("demo");
      alice.page().keyboard().press("Tab");
      alice.page().keyboard().press("Enter");
      alice.isAt(world.app("/?keyboard"));
    }
  }

  @Test
  void nothingIsCutOffOnASmallScreen() {
    try (Person alice = new Person(chromium.profile())) {
      alice.page().setViewportSize(320, 640);
      alice.open(world.idp("/account"));
      fits(alice);
      alice.signIn("alice", "wrong");
      fits(alice);
      alice.signIn("alice", "demo");
      alice.sees("Your account");
      fits(alice);
      alice.open(world.app("/"));
      alice.sees("Hello, alice");
      fits(alice);
      alice.open(world.app("/manager/"));
      fits(alice);
      alice.open(world.app("/"));
      alice.press("Log out");
      alice.sees("You are signed out");
      fits(alice);
    }
  }

  private static void fits(Person person) {
    Object width = person.page().evaluate("document.documentElement.scrollWidth");
    assertThat((Integer) width).as("width of %s", person.page().url()).isLessThanOrEqualTo(320);
  }
}

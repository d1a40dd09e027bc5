package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Consent: asked for once, remembered, taken back, and denied. */
@ExtendWith({WithChromium.class, Journey.class})
class ConsentIT {

  private final World world;
  private final Chromium chromium;

  ConsentIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void consentIsAskedForOnceAndAgainWhenItWasTakenBack() {
    try (Person bob = new Person(chromium.profile())) {
      bob.open(world.branch("/"));
      bob.signIn("bob", "demo");
      bob.sees("May this app know you?");
      assertThat(bob.text("Branch asks for these details about you:")).isVisible();
      assertThat(bob.page().locator("dl.facts")).containsText("bob@example.org");
      bob.press("Allow and go on");
      bob.isAt(world.branch("/"));
      bob.sees("Hello, bob");

      logsOutAndComesAgain(bob);
      bob.isAt(world.branch("/"));
      bob.sees("Hello, bob");

      bob.open(world.bank("/account"));
      bob.follow("What apps may know");
      bob.sees("What you allowed apps to know");
      assertThat(allowed(bob)).hasCount(1);
      assertThat(allowed(bob)).containsText("Branch");
      allowed(bob).getByRole(AriaRole.BUTTON).click();
      assertThat(bob.text("Taken back.")).isVisible();
      assertThat(allowed(bob)).hasCount(0);

      bob.open(world.branch("/"));
      logsOutAndComesAgain(bob);
      bob.sees("May this app know you?");
      bob.press("Do not allow");
      bob.sees("Your sign-on was declined");
      bob.isBelow(world.branch("/.gatehouse/"));
      assertThat(bob.cookie(world.branch("/"), "gh_app")).isEmpty();
    }
  }

  private void logsOutAndComesAgain(Person bob) {
    bob.press("Log out");
    bob.sees("You are signed out");
    bob.open(world.branch("/"));
    bob.signIn("bob", "demo");
  }

  private static Locator allowed(Person person) {
    return person.page().locator("ul.rows > li");
  }
}

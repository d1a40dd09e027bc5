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

/** The account page: who I am, where I am signed in, and how I end that. */
@ExtendWith({WithChromium.class, Journey.class})
class AccountIT {

  private final World world;
  private final Chromium chromium;

  AccountIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aPersonSeesAllTheirSessionsAndEndsThem() {
    try (Person here = new Person(chromium.profile());
        Person there = new Person(chromium.profile())) {
      endsWhatOtherJourneysLeft(here);
      there.open(world.app("/"));
      there.signIn("bob", "demo");
      there.sees("Hello, bob");

      here.open(world.idp("/account"));
      here.signIn("bob", "demo");
      here.sees("Your account");
      assertThat(here.text("Bob Baker").first()).isVisible();
      assertThat(here.text("bob@example.org")).isVisible();
      assertThat(here.text("employee, manager")).isVisible();
      assertThat(sessions(here)).hasCount(2);
      assertThat(sessions(here).nth(0)).containsText("this browser");
      assertThat(sessions(here).nth(1)).containsText("Apps: Sample app");

      sessions(here).nth(1).getByRole(AriaRole.BUTTON).click();
      assertThat(here.text("That session has ended.")).isVisible();
      assertThat(sessions(here)).hasCount(1);
      there.open(world.idp("/account"));
      there.sees("Sign in");

      there.signIn("bob", "demo");
      there.sees("Your account");
      here.open(world.idp("/account"));
      assertThat(sessions(here)).hasCount(2);
      here.press("End all sessions");
      here.sees("You are signed out");
      assertThat(here.cookie(world.idp("/"), "gh_idp.demo")).isEmpty();
      there.open(world.idp("/account"));
      there.sees("Sign in");
    }
  }

  private void endsWhatOtherJourneysLeft(Person bob) {
    bob.open(world.idp("/account"));
    bob.signIn("bob", "demo");
    bob.press("End all sessions");
    bob.sees("You are signed out");
  }

  private static Locator sessions(Person person) {
    return person.page().locator("ul.rows > li");
  }
}

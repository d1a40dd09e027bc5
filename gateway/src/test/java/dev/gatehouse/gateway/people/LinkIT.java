package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An account of one's own at a service provider, connected by logging in to it once, and disconnected again. */
@ExtendWith({WithChromium.class, Journey.class})
class LinkIT {

  private final World world;
  private final Chromium chromium;

  LinkIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aPersonConnectsTheirAccountOnceAndDisconnectsIt() {
    try (Person bob = new Person(chromium.profile())) {
      bob.open(world.guild("/?bench=7"));
      bob.signIn("bob", "demo");
      bob.sees("Connect your account");
      assertThat(bob.text("Bank has signed you in as Bob Baker.")).isVisible();
      connects(bob, "wrong");
      assertThat(bob.text("User name or password is not right.")).isVisible();
      connects(bob, "demo");
      bob.isAt(world.guild("/?bench=7"));
      bob.sees("Hello, alice");

      bob.press("Log out");
      bob.sees("You are signed out");
      bob.open(world.guild("/"));
      bob.signIn("bob", "demo");
      bob.isAt(world.guild("/"));
      bob.sees("Hello, alice");

      bob.open(world.guild("/.gatehouse/account"));
      bob.sees("Your account");
      Locator connection = bob.page().locator("ul.rows > li");
      assertThat(connection).hasCount(1);
      assertThat(connection).containsText("Bank");
      connection.getByRole(AriaRole.BUTTON).click();
      bob.sees("The connection has been removed");
      bob.follow("Continue");
      bob.sees("Connect your account");
    }
  }

  /** The account that bob has here goes by another name. */
  private static void connects(Person bob, String password) {
    bob.page().getByLabel("User name here").fill("alice");
    bob.page().getByLabel("Password").fill(password);
    bob.press("Connect");
  }
}

package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two identity providers: the page that asks which, its search, and what it remembers. */
@ExtendWith({WithChromium.class, Journey.class})
class DiscoveryIT {

  private final World world;
  private final Chromium chromium;

  DiscoveryIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aPersonSearchesChoosesAndIsTakenThereNextTimeUntilTheyForgetIt() {
    try (Person bob = new Person(chromium.profile())) {
      bob.open(world.market("/?stall=7"));
      bob.sees("Where do you want to sign in?");
      assertThat(choices(bob)).hasText(new String[] {"Bank", "Demo login"});
      searches(bob, "no such");
      assertThat(bob.text("Nothing was found for “no such”.")).isVisible();
      searches(bob, "ban");
      assertThat(choices(bob)).hasText(new String[] {"Bank"});
      choices(bob).click();
      bob.isBelow(world.bank("/saml/sso"));
      bob.signIn("bob", "demo");
      bob.isAt(world.market("/?stall=7"));
      bob.sees("Hello, bob");

      comesAgain(bob);
      bob.sees("Where do you want to sign in?");
      assertThat(section(bob, "Last chosen")).hasText(new String[] {"Bank"});
      assertThat(section(bob, "Others")).hasText(new String[] {"Demo login"});
      bob.page().getByLabel("Always take me there from this browser, without asking").check();
      section(bob, "Last chosen").click();
      bob.signIn("bob", "demo");
      bob.sees("Hello, bob");

      comesAgain(bob);
      bob.isBelow(world.bank("/saml/sso"));
      bob.open(world.market("/.gatehouse/discovery"));
      assertThat(bob.text("You are always taken to Bank from this browser.")).isVisible();
      bob.press("Forget my choices");
      assertThat(bob.text("Last chosen")).hasCount(0);
      bob.open(world.market("/"));
      bob.sees("Where do you want to sign in?");
    }
  }

  private void comesAgain(Person bob) {
    bob.press("Log out");
    bob.sees("You are signed out");
    bob.open(world.market("/"));
  }

  private static void searches(Person person, String text) {
    person.page().getByLabel("Search by name").fill(text);
    person.press("Search");
  }

  private static Locator choices(Person person) {
    return person.page().locator("ul.choices button");
  }

  private static Locator section(Person person, String heading) {
    return person
        .page()
        .locator("section")
        .filter(new Locator.FilterOptions().setHasText(heading))
        .locator("ul.choices button");
  }
}

package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One login, several service providers, and one logout that tells them all, or says honestly whom it could not tell.
 */
@ExtendWith({WithChromium.class, Journey.class})
class SeveralAppsIT {

  private final World world;
  private final Chromium chromium;

  SeveralAppsIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void everyAppIsToldAndTheReceiptNamesEach() {
    try (Person alice = new Person(chromium.profile())) {
      opensAppAndWiki(alice);
      alice.open(world.idp("/logout"));
      alice.press("Sign out");
      alice.sees("You are signed out");
      assertThat(line(alice, "Sample app")).containsText("signed out");
      assertThat(line(alice, "Wiki")).containsText("signed out");
      bothAppsAskForALogin(alice);
    }
  }

  @Test
  void aLogoutThatBeginsAtOneAppEndsTheOther() {
    try (Person alice = new Person(chromium.profile())) {
      opensAppAndWiki(alice);
      alice.press("Log out");
      alice.sees("You are signed out");
      alice.isBelow(world.wiki("/"));
      bothAppsAskForALogin(alice);
    }
  }

  @Test
  void withoutScriptEveryAppIsToldAsWell() {
    try (Person alice = new Person(chromium.profileWithoutScript())) {
      alice.open(world.app("/"));
      alice.signIn("alice", "demo");
      alice.press("Continue");
      alice.sees("Hello, alice");
      alice.open(world.idp("/logout"));
      alice.press("Sign out");
      alice.sees("You are signed out");
      assertThat(line(alice, "Sample app")).containsText("signed out");
      alice.open(world.app("/"));
      alice.sees("Sign in");
    }
  }

  @Test
  void whoeverDoesNotAnswerIsNamedWithALink() {
    try (Person alice = new Person(chromium.profile())) {
      opensAppAndWiki(alice);
      alice.open(world.archive().url("/"));
      alice.sees("Welcome to the archive");

      alice.open(world.idp("/logout"));
      alice.press("Sign out");
      alice.sees("You are not signed out everywhere");
      assertThat(line(alice, "Sample app")).containsText("signed out");
      assertThat(line(alice, "Wiki")).containsText("signed out");
      assertThat(line(alice, "Old archive")).containsText("no answer");

      Locator again = alice.page().getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Old archive"));
      assertThat(again).hasCount(1);
      again.click();
      alice.isBelow(world.archive().url("/slo?SAMLRequest="));
      bothAppsAskForALogin(alice);
    }
  }

  @Test
  void anAppThatAskedForTheLogoutIsToldThatItWasPartial() {
    try (Person alice = new Person(chromium.profile())) {
      opensAppAndWiki(alice);
      alice.open(world.archive().url("/"));
      alice.sees("Welcome to the archive");
      alice.open(world.app("/"));

      alice.press("Log out");
      alice.sees("You are not signed out everywhere");
      assertThat(line(alice, "Old archive")).containsText("no answer");
      alice.follow("Continue");
      alice.sees("You are signed out, but not everywhere");
      alice.isBelow(world.app("/.gatehouse/saml/slo"));
      bothAppsAskForALogin(alice);
    }
  }

  private void opensAppAndWiki(Person alice) {
    alice.open(world.app("/"));
    alice.signIn("alice", "demo");
    alice.sees("Hello, alice");
    alice.open(world.wiki("/"));
    alice.isAt(world.wiki("/"));
    alice.sees("Hello, alice");
  }

  private void bothAppsAskForALogin(Person alice) {
    alice.open(world.app("/"));
    alice.sees("Sign in");
    alice.open(world.wiki("/"));
    alice.sees("Sign in");
    assertThat(alice.cookie(world.idp("/"), "gh_idp.demo")).isEmpty();
  }

  private static Locator line(Person person, String app) {
    return person.page().locator("ul.rows > li").filter(new Locator.FilterOptions().setHasText(app));
  }
}

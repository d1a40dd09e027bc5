package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Apps with a login form of their own, which people do not see. */
@ExtendWith({Journey.class, WithChromium.class})
class OldAppIT {

  private final World world;
  private final Chromium chromium;

  OldAppIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void theOldAppKnowsAPersonWhoHasNeverSeenItsForm() {
    try (Person alice = new Person(chromium.profile())) {
      List<String> sent = new CopyOnWriteArrayList<>();
      alice.page().onRequest(request -> sent.add(request.url() + " " + request.postData()));
      alice.open(world.app("/legacy/"));
      alice.signIn("alice", "demo");
      alice.sees("Welcome, alice");
      alice.isAt(world.app("/legacy/"));
      // The form was sent by the gateway: this browser never did, nor has it any address with the password in it.
      assertThat(sent).filteredOn(request -> request.startsWith(world.app(""))).noneMatch(r -> r.contains("password=demo"));
      assertThat(sent).noneMatch(request -> request.substring(0, request.indexOf(' ')).contains("password"));

      alice.open(world.app("/legacy-script/"));
      alice.sees("Welcome, alice");

      alice.open(world.app("/legacy/"));
      alice.press("Sign out of the old application");
      alice.sees("Signed out");
      alice.follow("Sign in again");
      alice.sees("Welcome, alice");
    }
  }

  @Test
  void whatTheAppAsksForIsStoredOnce() {
    try (Person bob = new Person(chromium.profile())) {
      bob.open(world.app("/"));
      bob.signIn("bob", "demo");
      bob.sees("Hello, bob");
      bob.open(world.app("/archive/"));
      bob.sees("Sign-in data for applications");
      // Without a mouse.
      bob.page().getByLabel("User name").focus();
      bob.page().keyboard().type("b.archive");
      bob.page().keyboard().press("Tab");
      bob.page().keyboard().type("wrong");
      bob.page().keyboard().press("Enter");

      assertThat(bob.text("The application did not accept what is stored.")).isVisible();
      assertThat(bob.page().content()).doesNotContain("wrong\"").doesNotContain("b.archive");
      bob.page().getByLabel("Password").fill("archive");
      bob.press("Store");
      bob.sees("Welcome, b.archive");

      bob.open(world.app("/.gatehouse/secrets"));
      bob.page().locator("button[name=remove]").click();
      assertThat(bob.text("It has been deleted.")).isVisible();
    }
  }

  @Test
  void afterTheLogoutTheBackButtonShowsNothingProtected() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.app("/"));
      alice.signIn("alice", "demo");
      alice.sees("Hello, alice");
      alice.open(world.app("/legacy/"));
      alice.sees("Welcome, alice");
      alice.open(world.app("/"));
      alice.press("Log out");
      assertThat(alice.text("You are signed out").first()).isVisible();
      for (int back = 0; back < 3; back++) {
        alice.page().goBack();
        assertThat(alice.page().content()).doesNotContain("Welcome, alice").doesNotContain("Hello, alice");
      }
      alice.open(world.app("/legacy/"));
      assertThat(alice.page().getByLabel("Password")).isVisible();
      alice.isBelow(world.idp(""));
    }
  }
}

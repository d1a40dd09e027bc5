package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A second step at login: how it is set up, used, and got past with a recovery code. */
@ExtendWith({WithChromium.class, Journey.class})
class TwoStepIT {

  private final World world;
  private final Chromium chromium;

  TwoStepIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aPersonSetsUpAnAppAndSignsInWithItsCodesOrARecoveryCode() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.bank("/account"));
      alice.signIn("alice", "demo");
      alice.follow("Two-step sign-in");
      alice.sees("Two-step sign-in");
      alice.press("Set it up");
      alice.sees("Set up two-step sign-in");
      assertThat(
              alice
                  .page()
                  .getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName("QR code for your authenticator app")))
          .isVisible();
      alice.text("Cannot scan the picture?").click();
      AuthenticatorApp app = AuthenticatorApp.typedIn(alice.page().locator(".key code").textContent());
      enters(alice, app.code(Instant.now().minus(Duration.ofHours(1))), "Set up");
      assertThat(alice.text("Not accepted. Please enter the code that the new entry in your app shows now")).isVisible();
      alice.page().getByLabel("Name of this device").fill("Alice's phone");
      String used = app.code(Instant.now());
      enters(alice, used, "Set up");

      alice.sees("Your recovery codes");
      List<String> recovery = alice.page().locator("ul.codes code").allTextContents();
      assertThat(recovery).hasSizeGreaterThan(5).doesNotHaveDuplicates();
      alice.follow("I have kept them");
      alice.sees("Two-step sign-in");
      assertThat(alice.page().locator("ul.rows > li")).containsText(new String[] {"Alice's phone"});

      beginsToSignInAgain(alice);
      enters(alice, used, "Continue");
      assertThat(alice.text("Not accepted. Wait for the next code")).isVisible();
      // The next one, as a clock that is ahead shows it: nobody waits half a minute.
      enters(alice, app.code(Instant.now().plus(AuthenticatorApp.STEP)), "Continue");
      alice.sees("Your account");

      beginsToSignInAgain(alice);
      enters(alice, recovery.getFirst(), "Continue");
      alice.sees("Your account");
      beginsToSignInAgain(alice);
      enters(alice, recovery.getFirst(), "Continue");
      assertThat(alice.text("Not accepted. Wait for the next code")).isVisible();
    }
  }

  private void beginsToSignInAgain(Person alice) {
    alice.open(world.bank("/account"));
    alice.press("Sign out");
    alice.sees("You are signed out");
    alice.open(world.bank("/account"));
    alice.signIn("alice", "demo");
    alice.sees("Second step");
  }

  private static void enters(Person person, String code, String button) {
    person.page().locator("#code").fill(code);
    person.press(button);
  }
}

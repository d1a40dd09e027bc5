package dev.gatehouse.gateway.launch;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.VirtualAuthenticator;
import dev.gatehouse.gateway.browser.WithChromium;
import dev.gatehouse.gateway.people.AuthenticatorApp;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo's {@code /strong/}: who came by password alone takes the second step on the way, by an app or a passkey, and nobody else sees
 * the page.
 */
@ExtendWith(WithChromium.class)
class StepUpIT {

  private static final String BEHIND = "Behind a second factor";

  private final Chromium chromium;

  StepUpIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @Test
  void aPasswordOpensTheStartPageAndASecondStepTheStrongOne(@TempDir Path folder) {
    try (DemoProcess demo = DemoProcess.start(folder); Person bob = new Person(chromium.profile())) {
      String app = "http://app.localhost:" + demo.app();
      bob.open(app + "/");
      bob.signIn("bob", "demo");
      bob.sees("Hello, bob");

      bob.open(app + "/strong/");
      bob.sees("Set up two-step sign-in");
      bob.text("Cannot scan the picture?").click();
      AuthenticatorApp phone = AuthenticatorApp.typedIn(bob.page().locator(".key code").textContent());
      bob.page().locator("#code").fill(phone.code(Instant.now()));
      bob.press("Set up");
      bob.sees("Your recovery codes");
      bob.follow("I have kept them");
      bob.sees(BEHIND);
      bob.isAt(app + "/strong/");

      VirtualAuthenticator laptop = VirtualAuthenticator.plugIn(bob, VirtualAuthenticator.Kind.INTERNAL);
      addPasskey(bob, demo, "Laptop");
      JsonObject ofLaptop = laptop.pullOut();
      VirtualAuthenticator key = VirtualAuthenticator.plugIn(bob, VirtualAuthenticator.Kind.USB);
      addPasskey(bob, demo, "Key");

      bob.open(app + "/");
      bob.press("Log out");
      assertThat(bob.text("You are signed out").first()).isVisible();
      bob.page().goBack();
      assertThat(bob.page().content()).doesNotContain(BEHIND).doesNotContain("Hello, bob");
      bob.open(app + "/strong/");
      assertThat(bob.page().getByLabel("Password")).isVisible();

      // A key that knows nobody is a second step, until a copy of it seems to be about.
      bob.signIn("bob", "demo");
      bob.press("Use a passkey");
      bob.sees("A passkey was added to your account");
      bob.press("It was me: go on");
      bob.sees(BEHIND);
      bob.open(app + "/");
      bob.press("Log out");
      JsonObject copied = key.pullOut();
      copied.addProperty("signCount", 0);
      key.plugInAgain(copied);
      bob.open(app + "/strong/");
      bob.signIn("bob", "demo");
      bob.press("Use a passkey");
      assertThat(bob.text("The passkey was not accepted.").first()).isVisible();
      key.pullOut();

      // The device's own passkey is both steps: the field for the name offers it, and nothing is typed.
      laptop.plugInAgain(ofLaptop);
      bob.open(app + "/strong/");
      bob.sees(BEHIND);
    }
  }

  /** After two steps a passkey counts as both. */
  private static void addPasskey(Person bob, DemoProcess demo, String name) {
    bob.open("http://idp.localhost:" + demo.idp() + "/realms/demo/account");
    bob.follow("Passkeys");
    bob.page().getByLabel("A name for the new passkey").fill(name);
    bob.press("Add a passkey");
    assertThat(bob.text("The passkey was added.")).isVisible();
    assertThat(bob.text("Counts like a password").first()).isHidden();
  }
}

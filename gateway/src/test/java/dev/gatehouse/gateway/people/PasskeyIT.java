package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.VirtualAuthenticator;
import dev.gatehouse.gateway.browser.WithChromium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Passkeys with Chromium's virtual authenticator. */
@ExtendWith({WithChromium.class, Journey.class})
class PasskeyIT {

  private static final String NOTICE = "A passkey was added to your account";

  private final World world;
  private final Chromium chromium;

  PasskeyIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aPersonAddsAPasskeyAndSignsInByIt() {
    try (Person bob = new Person(chromium.profile());
        Person plain = new Person(chromium.profileWithoutScript())) {
      VirtualAuthenticator.plugIn(bob, VirtualAuthenticator.Kind.INTERNAL);
      bob.open(world.idp("/account"));
      bob.signIn("bob", "demo");
      bob.sees("Your account");
      bob.follow("Passkeys");
      bob.sees("Passkeys");
      bob.page().getByLabel("A name for the new passkey").fill("Laptop");
      bob.press("Add a passkey");
      assertThat(bob.text("The passkey was added.")).isVisible();
      assertThat(bob.text("Counts like a password").first()).isVisible();

      // He is told of it at another login, which needs no scripts.
      plain.open(world.idp("/account"));
      plain.signIn("bob", "demo");
      plain.sees(NOTICE);
      plain.open(world.idp("/account"));
      plain.sees("Your account");
      plain.lose("gh_idp.demo");
      plain.open(world.idp("/account"));
      plain.signIn("bob", "demo");
      plain.sees(NOTICE);
      plain.press("It was me: go on");
      plain.sees("Your account");

      bob.lose("gh_idp.demo");
      // The field for the name offers the passkey, and this authenticator takes every offer. What another browser put away is told here, too.
      bob.open(world.idp("/login"));
      bob.sees(NOTICE);
      bob.press("It was me: go on");
      bob.sees("Your account");
      bob.follow("Passkeys");
      bob.press("Remove the selected passkey");
      assertThat(bob.text("The passkey was removed.")).isVisible();
    }
  }

  @Test
  void afterAPasswordAPasskeyIsOfferedUntilAnAnswer() {
    try (Person bob = new Person(chromium.profile());
        Person plain = new Person(chromium.profileWithoutScript())) {
      // Without scripts the page can be left, and nothing else.
      plain.open(world.quick("/account"));
      plain.signIn("alice", "demo");
      plain.sees("Sign in without a password next time?");
      assertThat(plain.text("Passkeys need JavaScript")).isVisible();
      plain.press("Not now");
      plain.sees("Your account");
      plain.lose("gh_idp.quick");
      plain.open(world.quick("/account"));
      plain.signIn("alice", "demo");
      plain.sees("Your account");

      VirtualAuthenticator.plugIn(bob, VirtualAuthenticator.Kind.INTERNAL);
      bob.open(world.quick("/account"));
      bob.signIn("bob", "demo");
      bob.sees("Sign in without a password next time?");
      assertThat(bob.text("Passkeys need JavaScript")).isHidden();
      bob.press("Add a passkey");
      bob.sees("Your account");
      bob.lose("gh_idp.quick");
      bob.open(world.quick("/login"));
      bob.sees(NOTICE);
      bob.press("It was me: go on");
      bob.sees("Your account");
    }
  }

  /** The browser is told what to do, because a virtual authenticator shows no dialog that somebody could close. */
  @Test
  void whoClosesTheDialogIsOfferedPasskeysAgain() {
    try (Person bob = new Person(chromium.profile())) {
      bob.page()
          .addInitScript(
              """
              window.offers = 0;
              PublicKeyCredential.isConditionalMediationAvailable = async () => true;
              navigator.credentials.get = asked => new Promise((resolve, reject) => {
                const close = () => reject(new DOMException('closed', 'NotAllowedError'));
                if (asked.mediation !== 'conditional') {
                  close();
                  return;
                }
                window.offers++;
                window.closeOffer = close;
                asked.signal.addEventListener('abort', close);
                if (window.offers === 3) {
                  close();
                }
              });
              """);
      bob.open(world.idp("/login"));
      bob.page().waitForFunction("() => window.offers === 1");
      bob.press("Sign in with a passkey");
      bob.page().waitForFunction("() => window.offers === 2");
      // A passkey was chosen in the field for the name, and not used.
      bob.page().waitForTimeout(1500);
      bob.page().evaluate("window.closeOffer()");
      bob.page().waitForFunction("() => window.offers === 3");
      // What fails at once, as this one does, is not tried without end.
      bob.page().waitForTimeout(1500);
      assertEquals(3, bob.page().evaluate("window.offers"));
    }
  }

  @Test
  void withoutScriptsThePasswordFormStays() {
    try (Person bob = new Person(chromium.profileWithoutScript())) {
      bob.open(world.idp("/account"));
      assertThat(bob.page().getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in with a passkey"))).isHidden();
      bob.signIn("bob", "demo");
      bob.sees("Your account");
    }
  }
}

package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages that another site sends by POST, without our cookies, and sign-on that begins at the identity provider. */
@ExtendWith({WithChromium.class, Journey.class})
class PartnerSiteIT {

  private final World world;
  private final Chromium chromium;

  PartnerSiteIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void anAuthnRequestByPostFromAnotherSiteMeetsTheOpenSession() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.idp("/account"));
      alice.signIn("alice", "demo");
      alice.sees("Your account");

      int before = world.archive().responses().size();
      alice.open(world.archive().url("/"));
      alice.sees("Welcome to the archive");
      assertThat(alice.text("You asked for shelf 7.")).isVisible();
      assertThat(world.archive().responses())
          .hasSize(before + 1)
          .last()
          .asString()
          .contains("urn:oasis:names:tc:SAML:2.0:status:Success", "alice");
    }
  }

  @Test
  void anAuthnRequestByPostLeadsThroughTheLoginWithoutScriptToo() {
    try (Person alice = new Person(chromium.profileWithoutScript())) {
      alice.open(world.archive().url("/"));
      alice.press("Open the archive");
      alice.sees("Sign in");
      assertThat(alice.text("to continue to Old archive")).isVisible();
      alice.signIn("alice", "demo");
      alice.press("Continue");
      alice.sees("Welcome to the archive");
      assertThat(alice.text("You asked for shelf 7.")).isVisible();
    }
  }

  @Test
  void signOnThatBeginsAtTheIdentityProviderAsksForALoginOnce() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.idp(init("/whoami")));
      alice.sees("Sign in");
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/whoami"));
      assertThat(alice.text("\"user\":\"alice\"")).isVisible();

      alice.open(world.idp(init("/?again")));
      alice.isAt(world.app("/?again"));
      alice.sees("Hello, alice");
    }
  }

  private String init(String relayState) {
    String sp = URLEncoder.encode(world.app("/.gatehouse/saml/metadata"), StandardCharsets.UTF_8);
    return "/saml/init?sp=" + sp + "&RelayState=" + URLEncoder.encode(relayState, StandardCharsets.UTF_8);
  }
}

package dev.gatehouse.gateway.people;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions of the identity provider that are bound to the browser of their login: a copied cookie gives no single sign-on elsewhere. */
@ExtendWith({WithChromium.class, Journey.class})
class LoginDeviceIT {

  private static final String BOUND = "gh_bound.safe";

  /** Requests that were under way at the registration need no proof. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(11);

  private final World world;
  private final Chromium chromium;

  LoginDeviceIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aCopiedCookieOfTheLoginOpensNothingElsewhereWhileTheOwnerGoesOn() throws InterruptedException {
    try (Chromium trusting = Chromium.trusting(world.certificate());
        Person alice = new Person(trusting.strictProfile());
        Person thief = new Person(trusting.strictProfile())) {
      // The page that makes the key stands between the login and the app.
      String login = world.safeLogin(false, "/account");
      alice.open(world.safe("/first"));
      alice.signIn("alice", "demo");
      alice.isAt(world.safe("/first"));
      assertThat(alice.cookie(login, BOUND)).isPresent();
      // Another session, over TLS: Chromium keeps its key itself.
      String account = world.safeLogin(true, "/account");
      alice.open(account);
      alice.signIn("alice", "demo");
      alice.isAt(account);
      Thread.sleep(UNDER_WAY);

      thief.steal(alice.cookie(login, "gh_idp.safe").orElseThrow());
      thief.open(world.safe("/"));
      thief.sees("Sign in");
      thief.open(login);
      thief.sees("Sign in");
      thief.steal(alice.cookie(account, "__Host-gh_idp.safe").orElseThrow());
      thief.open(account);
      thief.sees("Sign in");

      // Single sign-on into the app by the page's key, after its proof is over.
      alice.lose("gh_app");
      alice.lose(BOUND);
      alice.open(world.safe("/second"));
      alice.isAt(world.safe("/second"));
      assertThat(alice.cookie(login, BOUND)).isPresent();

      // With a key of its own the browser renews the cookie before it asks: no page of ours, at another address, stands between.
      alice.lose("__Host-" + BOUND);
      assertThat(alice.open(account).request().redirectedFrom()).isNull();
      alice.isAt(account);
      assertThat(alice.cookie(account, "__Host-" + BOUND)).isPresent();
    }
  }

  @Test
  void withoutScriptThePersonGoesOnByAButton() {
    try (Person alice = new Person(chromium.profileWithoutScript())) {
      alice.open(world.safe("/"));
      alice.signIn("alice", "demo");
      alice.press("Continue without script");
      alice.press("Continue");
      alice.isAt(world.safe("/"));
    }
  }
}

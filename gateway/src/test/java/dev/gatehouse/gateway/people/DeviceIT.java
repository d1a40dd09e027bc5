package dev.gatehouse.gateway.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.Cookie;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that are bound to the browser of their login. */
@ExtendWith({WithChromium.class, Journey.class})
class DeviceIT {

  private static final String OVER_TLS = "__Host-gh_bound";
  private static final String PLAIN = "gh_bound";

  /** Requests that were under way at the registration need no proof. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(11);

  private final World world;
  private final Chromium chromium;

  DeviceIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void chromiumBindsTheSessionToAKeyOfItsOwnAndACookieAloneIsOfNoUse() throws InterruptedException {
    try (Chromium trusting = Chromium.trusting(world.certificate());
        Person alice = new Person(trusting.strictProfile());
        Person thief = new Person(trusting.strictProfile())) {
      alice.open(world.secureApp("/vault/"));
      alice.signIn("alice", "demo");
      alice.isAt(world.secureApp("/vault/"));
      String bound = awaited(alice, world.secureApp("/"), OVER_TLS);
      Cookie stolen = alice.cookie(world.secureApp("/"), "__Host-gh_app").orElseThrow();
      Thread.sleep(UNDER_WAY);

      thief.steal(stolen);
      thief.open(world.secureApp("/vault/"));
      thief.sees("Sign in");

      alice.lose(OVER_TLS);
      alice.open(world.secureApp("/vault/?later"));
      alice.isAt(world.secureApp("/vault/?later"));
      assertThat(awaited(alice, world.secureApp("/"), OVER_TLS)).isNotEqualTo(bound);

      // A link of another site.
      alice.lose(OVER_TLS);
      alice.open(world.bank("/login"));
      alice.page().evaluate("to => { location.href = to; }", world.secureApp("/vault/?link"));
      alice.isAt(world.secureApp("/vault/?link"));
      awaited(alice, world.secureApp("/"), OVER_TLS);
    }
  }

  @Test
  void aPageOfOursMakesAKeyWhereTheBrowserHasNone() throws InterruptedException {
    try (Person alice = new Person(chromium.profile()); Person thief = new Person(chromium.profile())) {
      alice.open(world.app("/"));
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/"));
      alice.open(world.app("/.gatehouse/device/proof?return=/vault/"));
      alice.isAt(world.app("/vault/"));
      awaited(alice, world.app("/"), PLAIN);
      Thread.sleep(UNDER_WAY);

      thief.steal(alice.cookie(world.app("/"), "gh_app").orElseThrow());
      thief.open(world.app("/vault/"));
      thief.sees("Sign in");

      alice.lose(PLAIN);
      alice.open(world.app("/vault/?later"));
      alice.isAt(world.app("/vault/?later"));
      awaited(alice, world.app("/"), PLAIN);
    }
  }

  @Test
  void withoutScriptThePersonGoesOnByAButton() {
    try (Person alice = new Person(chromium.profileWithoutScript())) {
      alice.open(world.app("/"));
      alice.signIn("alice", "demo");
      alice.press("Continue");
      alice.isAt(world.app("/"));
      alice.open(world.app("/.gatehouse/device/proof?return=/vault/"));
      alice.press("Continue without script");
      alice.isAt(world.app("/vault/"));
    }
  }

  private static String awaited(Person person, String url, String name) throws InterruptedException {
    Instant end = Instant.now().plusSeconds(8);
    while (Instant.now().isBefore(end) && person.cookie(url, name).isEmpty()) {
      Thread.sleep(Duration.ofMillis(100));
    }
    return person.cookie(url, name).orElseThrow(() -> new AssertionError("no cookie " + name)).value;
  }
}

package dev.gatehouse.gateway.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.Cookie;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Origins of one realm, here http and its https twin, share a session and end it together. */
@ExtendWith({WithChromium.class, Journey.class})
class OtherOriginIT {

  private final World world;
  private final Chromium chromium;

  OtherOriginIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void oneLoginOpensBothAndOneLogoutClosesBoth() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.secureApp("/?twin"));
      alice.signIn("alice", "demo");
      alice.isAt(world.secureApp("/?twin"));
      alice.sees("Hello, alice");
      Optional<Cookie> cookie = alice.cookie(world.secureApp("/"), "__Host-gh_app");
      assertThat(cookie).hasValueSatisfying(own -> assertThat(own.secure).isTrue());

      alice.open(world.app("/?home"));
      alice.isAt(world.app("/?home"));
      alice.sees("Hello, alice");

      alice.press("Log out");
      alice.sees("You are signed out");
      alice.open(world.secureApp("/?twin"));
      alice.sees("Sign in");
    }
  }

  @Test
  void loggingOutAtTheTwinEndsTheHomeToo() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.app("/?home"));
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/?home"));
      alice.open(world.secureApp("/?twin"));
      alice.isAt(world.secureApp("/?twin"));

      alice.press("Log out");
      alice.sees("You are signed out");
      alice.open(world.app("/?home"));
      alice.sees("Sign in");
    }
  }
}

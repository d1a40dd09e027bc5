package dev.gatehouse.gateway.journey;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three minutes on the login page. Chromium sends a cookie that says nothing of SameSite along with another site's POST
 * for two minutes after it was set (Lax+POST); a sign-on that lives on that breaks for whoever looks for a password.
 */
@ExtendWith({WithChromium.class, Journey.class})
class SlowPersonIT {

  private static final Duration LONG_ENOUGH = Duration.ofMinutes(3);

  private final World world;
  private final Chromium chromium;

  SlowPersonIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void threeMinutesOnTheLoginPageDoNotMatter() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.app("/?slowly"));
      alice.sees("Sign in");
      alice.page().waitForTimeout(LONG_ENOUGH.toMillis());
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/?slowly"));
      assertThat(alice.text("Hello, alice")).isVisible();
    }
  }
}

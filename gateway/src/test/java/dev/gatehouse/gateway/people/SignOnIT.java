package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** From a protected page over the login form and back, what one sees there, and out again. */
@ExtendWith({WithChromium.class, Journey.class})
class SignOnIT {

  private final World world;
  private final Chromium chromium;

  SignOnIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void aPersonOpensAProtectedPageLogsInSeesItAndLogsOut() {
    try (Person alice = new Person(chromium.profile())) {
      alice.open(world.app("/?shelf=7&q=a%20b"));
      alice.sees("Sign in");
      alice.isBelow(world.idp("/saml/sso"));
      assertThat(alice.text("to continue to Sample app")).isVisible();

      alice.signIn("alice", "wrong");
      alice.sees("Sign in");
      assertThat(alice.text("User name and password do not match")).isVisible();
      assertThat(alice.page().getByLabel("User name")).hasValue("alice");
      assertThat(alice.page().getByLabel("Password")).hasValue("");

      alice.signIn("alice", "demo");
      alice.isAt(world.app("/?shelf=7&q=a%20b"));
      alice.sees("Hello, alice");
      keepsItsCookiesToItself(alice);

      Response whoAmI = alice.open(world.app("/whoami"));
      assertThat(whoAmI.text())
          .startsWith("{\"user\":\"alice\",\"roles\":[\"employee\"],\"headers\":{")
          .contains("\"Remote-User\":\"alice\"")
          .contains("\"Remote-Groups\":\"employee\"")
          .doesNotContain("gh_app");

      Response denied = alice.open(world.app("/manager/"));
      assertThat(denied.status()).isEqualTo(403);
      alice.sees("You may not open this page");
      assertThat(alice.page().locator(".reference code")).hasText(Pattern.compile("\\S{8,}"));

      logsOut(alice);
    }
  }

  private void keepsItsCookiesToItself(Person alice) {
    for (var cookie :
        List.of(
            alice.cookie(world.app("/"), "gh_app").orElseThrow(),
            alice.cookie(world.idp("/"), "gh_idp.demo").orElseThrow())) {
      assertThat(cookie.httpOnly).as(cookie.name).isTrue();
      assertThat(cookie.sameSite).as(cookie.name).isEqualTo(SameSiteAttribute.LAX);
    }
    assertThat(alice.page().evaluate("document.cookie")).isEqualTo("");
  }

  private void logsOut(Person alice) {
    alice.open(world.app("/"));
    alice.press("Log out");
    alice.sees("You are signed out");
    alice.isBelow(world.app("/.gatehouse/saml/slo"));
    assertThat(alice.cookie(world.app("/"), "gh_app")).isEmpty();
    assertThat(alice.cookie(world.idp("/"), "gh_idp.demo")).isEmpty();

    alice.page().goBack();
    alice.sees("Sign in");
    assertThat(alice.text("Hello, alice")).hasCount(0);
    alice.open(world.app("/"));
    alice.sees("Sign in");
  }

  @Test
  void aManagerOpensTheManagersPage() {
    try (Person bob = new Person(chromium.profile())) {
      bob.open(world.app("/manager/"));
      bob.signIn("bob", "demo");
      bob.isAt(world.app("/manager/"));
      bob.sees("For managers");
    }
  }

  @Test
  void withoutScriptTheSamePagesAreReachedByButtons() {
    try (Person alice = new Person(chromium.profileWithoutScript())) {
      alice.open(world.app("/whoami?plain"));
      alice.signIn("alice", "wrong");
      assertThat(alice.text("User name and password do not match")).isVisible();
      alice.signIn("alice", "demo");
      alice.sees("One moment");
      alice.press("Continue");
      alice.isAt(world.app("/whoami?plain"));
      assertThat(alice.text("\"user\":\"alice\"")).isVisible();

      assertThat(alice.open(world.app("/manager/")).status()).isEqualTo(403);
      alice.open(world.app("/"));
      alice.press("Log out");
      alice.sees("You are signed out");
      alice.open(world.app("/"));
      alice.sees("Sign in");
    }
  }

  @Test
  void twoTabsThatAskAtTheSameTimeBothArrive() {
    try (Person alice = new Person(chromium.profile())) {
      Page other = alice.newTab();
      alice.open(world.app("/?tab=1"));
      other.navigate(world.app("/?tab=2"));
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/?tab=1"));
      Person.signIn(other, "alice", "demo");
      assertThat(other).hasURL(world.app("/?tab=2"));
      assertThat(other.getByText("Hello, alice")).isVisible();
    }
  }

  @Test
  void reloadingTheWayBackDoesNoHarm() {
    try (Person alice = new Person(chromium.profile())) {
      List<String> visited = new CopyOnWriteArrayList<>();
      alice.page().onRequest(request -> visited.add(request.url()));
      alice.open(world.app("/?wanted"));
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/?wanted"));

      List<String> saved =
          visited.stream().filter(url -> url.startsWith(world.app("/.gatehouse/saml/acs?"))).toList();
      assertThat(saved).as("the Response came from another site, so it was saved: %s", visited).hasSize(1);
      alice.open(saved.getFirst());
      alice.isAt(world.app("/?wanted"));
      alice.sees("Hello, alice");
    }
  }
}

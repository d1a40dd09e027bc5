package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Response;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody fills in a form, and needs a login when they send it. */
@ExtendWith({WithChromium.class, Journey.class})
class InterruptedPostIT {

  private final World world;
  private final Chromium chromium;

  InterruptedPostIT(World world, Chromium chromium) {
    this.world = world;
    this.chromium = chromium;
  }

  @Test
  void itIsRefusedWithALinkThatComesBackToTheForm() {
    int before = world.forms().received().size();
    try (Person alice = new Person(chromium.profile())) {
      assertThat(sends(alice, "/open-forms/plain", "plain words").status()).isEqualTo(409);
      alice.sees("Please sign in first");
      alice.follow("Sign in");
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/open-forms/plain"));
      alice.sees("Write a comment");
      assertThat(world.forms().received()).hasSize(before);

      alice.page().getByLabel("Comment").fill("plain words again");
      alice.press("Publish");
      alice.sees("Thank you");
      assertThat(world.forms().received()).hasSize(before + 1).last().isEqualTo("comment=plain+words+again");
    }
  }

  @Test
  void whereTheRouteKeepsItItIsSentOnceAfterAConfirmingClick() {
    int before = world.forms().received().size();
    try (Person alice = new Person(chromium.profile())) {
      assertThat(sends(alice, "/open-forms/kept", "kept & sent").status()).isEqualTo(409);
      alice.sees("Please sign in first");
      assertThat(alice.text("What you entered has been kept")).isVisible();
      alice.follow("Sign in");
      alice.signIn("alice", "demo");
      alice.sees("Send what you entered?");
      assertThat(alice.text("/kept-forms/comment")).isVisible();
      assertThat(world.forms().received()).hasSize(before);
      String question = alice.page().url();

      alice.press("Send it");
      alice.sees("Thank you");
      assertThat(world.forms().received()).hasSize(before + 1).last().isEqualTo("comment=kept+%26+sent");

      alice.open(question);
      assertThat(alice.page().getByText("Send it")).hasCount(0);
      assertThat(world.forms().received()).as("never twice").hasSize(before + 1);
    }
  }

  @Test
  void whatWasKeptCanBeDiscarded() {
    List<String> before = world.forms().received();
    try (Person alice = new Person(chromium.profile())) {
      sends(alice, "/open-forms/kept", "better not");
      alice.follow("Sign in");
      alice.signIn("alice", "demo");
      alice.follow("Do not send");
      alice.isAt(world.app("/"));
      assertThat(world.forms().received()).isEqualTo(before);
    }
  }

  private Response sends(Person person, String form, String comment) {
    person.open(world.app(form));
    person.page().getByLabel("Comment").fill(comment);
    return person.page().waitForResponse(
        response -> response.request().method().equals("POST"), () -> person.press("Publish"));
  }
}

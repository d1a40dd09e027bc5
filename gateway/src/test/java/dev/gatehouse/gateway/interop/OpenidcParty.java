package dev.gatehouse.gateway.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import org.junit.jupiter.api.Test;

/**
 * Our OpenID provider and Apache's mod_auth_openidc: code with PKCE, refresh, logout from its side, from ours by the
 * back channel, and from an app behind our gateway that was signed in by SAML.
 */
abstract class OpenidcParty {

  private final Guild guild;
  private final Chromium chromium;

  OpenidcParty(Guild guild, Chromium chromium) {
    this.guild = guild;
    this.chromium = chromium;
  }

  @Test
  void aCodeWithPkceSignsInAndItsTokenIsRefreshed() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person);
      String first = fact(person, "token").textContent();
      person.follow("Refresh");
      person.isAt(guild.library("/books/"));
      assertThat(fact(person, "user")).hasText("alice");
      assertThat(fact(person, "token").textContent()).isNotEqualTo(first);
    }
  }

  @Test
  void aLogoutThatBeginsAtTheLibraryEndsTheSessionAtTheProvider() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person);
      person.follow("Log out");
      person.sees("You have left");
      person.open(guild.library("/books/"));
      person.sees("Sign in");
    }
  }

  @Test
  void aLogoutAtTheProviderReachesTheLibraryByTheBackChannel() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person);
      person.open(guild.idp("/logout"));
      person.press("Sign out");
      person.sees("You are signed out");
      assertThat(guild.receipt(person, "Guild library")).containsText("signed out");
      person.open(guild.library("/books/"));
      person.sees("Sign in");
    }
  }

  @Test
  void oneLogoutEndsWhatBeganBySamlAndByOpenIdAlike() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person);
      person.open(guild.intranet("/"));
      person.isAt(guild.intranet("/"));
      person.press("Log out");
      person.sees("You are signed out");
      assertThat(person.text("has ended its own and those of the other sites")).isVisible();
      person.open(guild.library("/books/"));
      person.sees("Sign in");
    }
  }

  private void signsIn(Person person) {
    person.open(guild.library("/books/"));
    assertThat(person.text("to continue to Guild library")).isVisible();
    person.signIn("alice", "demo");
    person.isAt(guild.library("/books/"));
    assertThat(fact(person, "user")).hasText("alice");
    assertThat(fact(person, "email")).hasText("alice@example.org");
  }

  private static Locator fact(Person person, String id) {
    return person.page().locator("#" + id);
  }
}

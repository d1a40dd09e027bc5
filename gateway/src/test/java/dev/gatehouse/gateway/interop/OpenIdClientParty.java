package dev.gatehouse.gateway.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import org.junit.jupiter.api.Test;

/**
 * Our OpenID provider and openid-client 6: code with PKCE, PAR, JAR, DPoP, device, refresh, client credentials,
 * introspection, revocation, registration, logout. What it validates (issuer, nonce, hashes, signatures) it
 * validates itself.
 */
abstract class OpenIdClientParty {

  private final Guild guild;
  private final Chromium chromium;

  OpenIdClientParty(Guild guild, Chromium chromium) {
    this.guild = guild;
    this.chromium = chromium;
  }

  @Test
  void aCodeWithPkceBringsTokensThatAreRefreshedUntilThePersonLogsOut() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person, "/start?client=basic", "Guild hall");
      assertThat(fact(person, "token_type")).hasText("bearer");
      person.follow("Refresh");
      person.sees("Refreshed");
      assertThat(fact(person, "rotated")).hasText("true");
      assertThat(fact(person, "name")).hasText("alice");

      person.follow("Log out");
      person.sees("You have left");
      assertThat(fact(person, "state")).hasText("bye");
      person.open(guild.hall("/start?client=basic"));
      person.sees("Sign in");
    }
  }

  @Test
  void aPushedRequestByAClientWithAKeyBringsAnOpaqueTokenAndAnIdTokenByEs256() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person, "/start?client=keyed&via=par", "Guild hall with a key");
    }
  }

  @Test
  void aSignedRequestObjectIsTheRequest() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person, "/start?client=keyed&via=jar", "Guild hall with a key");
    }
  }

  @Test
  void aPublicClientGetsTokensThatAreBoundToItsDpopKey() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person, "/start?client=app&dpop", "Guild app");
      assertThat(fact(person, "token_type")).hasText("dpop");
      person.follow("Refresh");
      person.sees("Refreshed");
      // A bound token stays good (FAPI 2.0 Security Profile, 5.3.2.1): a lost answer loses nothing.
      assertThat(fact(person, "rotated")).hasText("false");
    }
  }

  @Test
  void aPublicClientWithoutItsDpopKeyIsRefused() {
    try (Person person = new Person(chromium.profile())) {
      person.open(guild.hall("/start?client=app"));
      person.signIn("alice", "demo");
      person.sees("Refused");
      assertThat(fact(person, "error")).hasText("invalid_dpop_proof");
    }
  }

  @Test
  void whoIsNotLoggedInIsNotAskedWherePromptIsNone() {
    try (Person person = new Person(chromium.profile())) {
      person.open(guild.hall("/start?client=basic&prompt=none"));
      person.sees("Refused");
      assertThat(fact(person, "error")).hasText("login_required");
    }
  }

  @Test
  void aClientsOwnTokenIsActiveUntilItIsRevoked() {
    for (String client : new String[] {"basic", "post", "keyed"}) {
      try (Person person = new Person(chromium.profile())) {
        person.open(guild.hall("/credentials?client=" + client));
        person.sees("Own token");
        assertThat(fact(person, "active")).hasText("true");
        assertThat(fact(person, "revoked")).hasText("true");
      }
    }
  }

  @Test
  void aDeviceIsSignedInOnTheScreenOfTheBrowser() {
    try (Person person = new Person(chromium.profile())) {
      person.open(guild.hall("/device"));
      String code = fact(person, "user_code").textContent();
      String complete = fact(person, "complete").textContent();
      assertThat(complete).startsWith(guild.idp("/device"));
      person.open(complete);
      person.signIn("bob", "demo");
      // The code is in the link, but whether it is this device the person says.
      person.sees("Connect a device");
      assertThat(person.page().getByLabel("Code")).hasValue(code);
      person.press("Continue");
      person.sees("Is this your device?");
      assertThat(person.text("Guild hall wants to be connected")).isVisible();
      person.press("Connect");
      person.sees("The device is connected");
      person.open(guild.hall("/device/done"));
      person.sees("The device is signed in");
      assertThat(fact(person, "name")).hasText("bob");
    }
  }

  @Test
  void aClientRegistersItselfAndSignsAPersonIn() {
    try (Person person = new Person(chromium.profile())) {
      person.open(guild.hall("/register"));
      person.sees("Registered");
      person.open(guild.hall("/start?client=registered"));
      person.signIn("alice", "demo");
      person.sees("Do you allow this app access?");
      assertThat(person.text("Registered guest asks for:")).isVisible();
      person.press("Allow and go on");
      person.sees("Signed in");
      assertThat(fact(person, "name")).hasText("alice");
    }
  }

  private void signsIn(Person person, String path, String app) {
    person.open(guild.hall(path));
    assertThat(person.text("to continue to " + app)).isVisible();
    person.signIn("alice", "demo");
    person.sees("Signed in");
    assertThat(fact(person, "name")).hasText("alice");
    assertThat(fact(person, "email")).hasText("alice@example.org");
    assertThat(fact(person, "refreshable")).hasText("true");
  }

  private static Locator fact(Person person, String id) {
    return person.page().locator("#" + id);
  }
}

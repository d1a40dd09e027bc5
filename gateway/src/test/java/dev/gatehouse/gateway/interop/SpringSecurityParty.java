package dev.gatehouse.gateway.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/**
 * Our OpenID provider and Spring Security: its OAuth client with PKCE, its resource server with RFC 9068's JWTs and
 * with introspection, logout from its side, and from ours by the back channel.
 */
abstract class SpringSecurityParty {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Guild guild;
  private final Chromium chromium;

  SpringSecurityParty(Guild guild, Chromium chromium) {
    this.guild = guild;
    this.chromium = chromium;
  }

  @Test
  void anAccessTokenOpensTheApiAndAnIdTokenDoesNot() throws Exception {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person);
      HttpResponse<String> accepted = get("/api/me", fact(person, "token").textContent());
      assertThat(accepted.statusCode()).as(accepted.body() + accepted.headers()).isEqualTo(200);
      assertThat(accepted.body()).as("our name for the person").isEqualTo(fact(person, "sub").textContent());

      HttpResponse<String> refused = get("/api/me", fact(person, "id-token").textContent());
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
          .contains("invalid_token", "typ");
    }
  }

  @Test
  void anOpaqueTokenOpensTheStockUntilItIsRevoked() throws Exception {
    String token = guild.shop().porterToken();
    HttpResponse<String> accepted = get("/stock/me", token);
    assertThat(accepted.statusCode()).as(accepted.body() + accepted.headers()).isEqualTo(200);
    assertThat(accepted.body()).isEqualTo("porter");

    revoke(token);
    HttpResponse<String> refused = get("/stock/me", token);
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
        .contains("invalid_token", "token isn't active");
  }

  @Test
  void aLogoutThatBeginsAtTheShopEndsTheSessionAtTheProvider() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person);
      person.press("Log out");
      person.sees("You have left");
      person.isAt(guild.shop("/left"));
      person.open(guild.shop("/"));
      person.sees("Sign in");
    }
  }

  @Test
  void aLogoutAtTheProviderEndsTheSessionAtTheShop() {
    try (Person person = new Person(chromium.profile())) {
      signsIn(person);
      person.open(guild.idp("/logout"));
      person.press("Sign out");
      person.sees("You are signed out");
      assertThat(guild.receipt(person, "Guild shop")).containsText("signed out");
      person.open(guild.shop("/"));
      person.sees("Sign in");
    }
  }

  private void signsIn(Person person) {
    person.open(guild.shop("/"));
    assertThat(person.text("to continue to Guild shop")).isVisible();
    person.signIn("alice", "demo");
    person.sees("Counter");
    assertThat(fact(person, "user")).hasText("alice");
    assertThat(fact(person, "email")).hasText("alice@example.org");
  }

  private static Locator fact(Person person, String id) {
    return person.page().locator("#" + id);
  }

  private HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
    URI address = URI.create(guild.shop(path));
    return HTTP.send(
        HttpRequest.newBuilder(address).header("Authorization", "Bearer " + token).build(), BodyHandlers.ofString());
  }

  private void revoke(String token) throws IOException, InterruptedException {
    String porter = Base64.getEncoder().encodeToString("porter:a-porter-secret".getBytes(StandardCharsets.US_ASCII));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(guild.idp("/oauth/revoke")))
            .header("Authorization", "Basic " + porter)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("token=" + token))
            .build();
    assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }
}

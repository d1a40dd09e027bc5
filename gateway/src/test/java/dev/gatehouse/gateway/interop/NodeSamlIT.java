package dev.gatehouse.gateway.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Our identity provider and node-saml as service provider: both request bindings, encryption, statuses, logout. */
@ExtendWith(WithChromium.class)
class NodeSamlIT {

  @AutoClose private static Club club;

  private final Chromium chromium;

  NodeSamlIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    club = Club.withNodeSaml(data);
  }

  @Test
  void aSignedAuthnRequestByRedirectBringsAttributesAndATransientNameId() {
    try (Person person = new Person(chromium.profile())) {
      person.open(club.forum("/"));
      assertThat(person.text("to continue to Forum")).isVisible();
      person.signIn("alice", "demo");
      person.isAt(club.forum("/"));
      assertThat(fact(person, "uid")).hasText("alice");
      assertThat(fact(person, "mail")).hasText("alice@example.org");
      assertThat(fact(person, "nameIDFormat")).hasText("urn:oasis:names:tc:SAML:2.0:nameid-format:transient");
      assertThat(fact(person, "nameID").textContent()).hasSizeGreaterThan(20).doesNotContain("alice");
    }
  }

  @Test
  void anEncryptedAssertionIsDecryptedAndAPersistentNameIdIsTheSameNextTime() {
    String first = nameIdAtTheVault("alice");
    assertThat(nameIdAtTheVault("alice")).isEqualTo(first);
    assertThat(nameIdAtTheVault("bob")).isNotEqualTo(first);
  }

  private String nameIdAtTheVault(String name) {
    try (Person person = new Person(chromium.profile())) {
      List<String> responses = new CopyOnWriteArrayList<>();
      person.page().onRequest(request -> {
        if (request.url().equals(club.vault("/acs")) && request.postData() != null) {
          responses.add(request.postData());
        }
      });
      person.open(club.vault("/"));
      person.signIn(name, "demo");
      person.isAt(club.vault("/"));
      assertThat(fact(person, "uid")).hasText(name);
      assertThat(responses).hasSize(1);
      String response = Forms.samlResponse(responses.getFirst());
      assertThat(response.contains("EncryptedAssertion")).isTrue();
      assertThat(response.contains(name) || response.contains("AttributeStatement")).isFalse();
      return fact(person, "nameID").textContent();
    }
  }

  @Test
  void aPassiveRequestWithoutASessionIsToldNoPassive() {
    try (Person person = new Person(chromium.profile())) {
      person.open(club.forum("/passive"));
      person.sees("Nobody is logged in");
      person.isAt(club.forum("/acs"));
    }
  }

  @Test
  void aLogoutThatBeginsAtTheForumReachesTheVaultAndTheIntranet() {
    try (Person person = new Person(chromium.profile())) {
      opensEverything(person);
      person.open(club.forum("/"));
      person.follow("Log out");
      person.sees("You have left");
      person.isAt(club.forum("/left"));
      allAskForALogin(person);
    }
  }

  @Test
  void aLogoutThatBeginsAtTheIdentityProviderReachesEverySite() {
    try (Person person = new Person(chromium.profile())) {
      opensEverything(person);
      person.open(club.idp("/logout"));
      person.press("Sign out");
      person.sees("You are signed out");
      allAskForALogin(person);
    }
  }

  private static void opensEverything(Person person) {
    person.open(club.forum("/"));
    person.signIn("bob", "demo");
    person.isAt(club.forum("/"));
    person.open(club.vault("/"));
    person.isAt(club.vault("/"));
    person.open(club.intranet("/"));
    person.isAt(club.intranet("/"));
  }

  private static void allAskForALogin(Person person) {
    for (String page : List.of(club.forum("/"), club.vault("/"), club.intranet("/"))) {
      person.open(page);
      person.sees("Sign in");
    }
  }

  private static Locator fact(Person person, String id) {
    return person.page().locator("#" + id);
  }
}

package dev.gatehouse.gateway.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Request;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our identity provider and Apache's mod_auth_mellon as service provider: metadata, login, attributes, NameIDs, and
 * logout from both sides. Each person of a test is a different one of the 100,000.
 *
 * <p>Mellon finds the session of a LogoutRequest by its NameID, so that it may come in a frame, without mellon's
 * cookie.
 */
@ExtendWith(WithChromium.class)
class MellonIT {

  @AutoClose private static Company company;

  private final Chromium chromium;

  MellonIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    company = Company.start(data);
  }

  @Test
  void aSignedAuthnRequestByRedirectBringsAttributesAndATransientNameId() {
    try (Person person = new Person(chromium.profile())) {
      List<Request> requests = requestsToTheIdentityProvider(person);
      person.open(company.library("/books/?shelf=7"));
      person.sees("Sign in");
      assertThat(person.text("to continue to Library")).isVisible();
      assertThat(requests)
          .anyMatch(isSignOn("GET").and(r -> r.url().contains("&SigAlg=") && r.url().contains("&Signature=")));

      person.signIn(ManyPeople.name(4711), "demo");
      person.isAt(company.library("/books/?shelf=7"));
      person.sees("Books");
      assertThat(fact(person, "user")).hasText("user004711");
      assertThat(fact(person, "uid")).hasText("user004711");
      assertThat(fact(person, "mail")).hasText("user004711@example.org");
      assertThat(fact(person, "groups")).hasText("group1");
      assertThat(fact(person, "name-id").textContent()).hasSizeGreaterThan(20).doesNotContain("user");
    }
  }

  @Test
  void aPersistentNameIdIsTheSameNextTimeAndAnAuthnRequestByPostArrivesAsWell() {
    String first = nameIdAtTheShop(ManyPeople.name(100_000));
    assertThat(first).hasSizeGreaterThan(20).doesNotContain("100000");
    assertThat(nameIdAtTheShop(ManyPeople.name(100_000))).isEqualTo(first);
    assertThat(nameIdAtTheShop(ManyPeople.name(99_999))).isNotEqualTo(first);
  }

  private String nameIdAtTheShop(String name) {
    try (Person person = new Person(chromium.profile())) {
      List<Request> requests = requestsToTheIdentityProvider(person);
      person.open(company.shop("/books/"));
      person.signIn(name, "demo");
      person.isAt(company.shop("/books/"));
      assertThat(requests).anyMatch(isSignOn("POST"));
      assertThat(fact(person, "user")).hasText(name);
      return fact(person, "name-id").textContent();
    }
  }

  @Test
  void anEmailNameIdIsTheAddressOfThePerson() {
    try (Person person = new Person(chromium.profile())) {
      person.open(company.newsletter("/books/"));
      person.signIn(ManyPeople.name(1), "demo");
      person.isAt(company.newsletter("/books/"));
      assertThat(fact(person, "user")).hasText("user000001@example.org");
      assertThat(fact(person, "name-id")).hasText("user000001@example.org");
    }
  }

  @Test
  void signOnMayBeginAtTheIdentityProvider() {
    try (Person person = new Person(chromium.profile())) {
      String target = company.library("/books/?unasked");
      String sp = encoded(company.library("/mellon/metadata"));
      person.open(company.idp("/saml/init?sp=" + sp + "&RelayState=" + encoded(target)));
      person.signIn(ManyPeople.name(2), "demo");
      person.isAt(target);
      assertThat(fact(person, "uid")).hasText("user000002");
    }
  }

  @Test
  void aLogoutThatBeginsAtOneLibraryReachesTheIdentityProviderAndTheOtherApps() {
    try (Person person = new Person(chromium.profile())) {
      opensEverything(person, ManyPeople.name(3));
      person.open(company.library("/books/"));
      person.follow("Log out");
      person.sees("You have left");
      person.isAt(company.library("/left/"));
      allAskForALogin(person);
    }
  }

  @Test
  void aLogoutThatBeginsAtTheIdentityProviderReachesEveryLibrary() {
    try (Person person = new Person(chromium.profile())) {
      opensEverything(person, ManyPeople.name(4));
      person.open(company.idp("/logout"));
      person.press("Sign out");
      person.sees("You are signed out");
      for (String app : List.of("Library", "Newsletter", "Intranet")) {
        assertThat(line(person, app)).containsText("signed out");
      }
      allAskForALogin(person);
    }
  }

  @Test
  void aLogoutThatBeginsAtOurGatewayReachesEveryLibrary() {
    try (Person person = new Person(chromium.profile())) {
      opensEverything(person, ManyPeople.name(5));
      person.open(company.intranet("/"));
      person.press("Log out");
      person.sees("You are signed out");
      person.isBelow(company.intranet("/"));
      allAskForALogin(person);
    }
  }

  private static void opensEverything(Person person, String name) {
    person.open(company.library("/books/"));
    person.signIn(name, "demo");
    person.isAt(company.library("/books/"));
    person.open(company.newsletter("/books/"));
    person.isAt(company.newsletter("/books/"));
    person.open(company.intranet("/"));
    person.isAt(company.intranet("/"));
    person.sees("Hello, " + name);
  }

  private static void allAskForALogin(Person person) {
    for (String page : List.of(company.library("/books/"), company.newsletter("/books/"), company.intranet("/"))) {
      person.open(page);
      person.sees("Sign in");
    }
  }

  private static Locator fact(Person person, String id) {
    return person.page().locator("#" + id);
  }

  private static Locator line(Person person, String app) {
    return person.page().locator("ul.rows > li").filter(new Locator.FilterOptions().setHasText(app));
  }

  private static List<Request> requestsToTheIdentityProvider(Person person) {
    List<Request> requests = new CopyOnWriteArrayList<>();
    person.page().onRequest(requests::add);
    return requests;
  }

  private static Predicate<Request> isSignOn(String method) {
    return request -> request.method().equals(method) && request.url().startsWith(company.idp("/saml/sso"));
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}

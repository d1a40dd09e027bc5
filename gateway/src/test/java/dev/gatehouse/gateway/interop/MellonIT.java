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
 * Our identity provider and Apache's mod_auth_mellon as service provider: metadata, login by POST and Artifact,
 * attributes, NameIDs, and logout from both sides by Redirect and SOAP. Each person of a test is a different one of the
 * 10,000.
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
      List<Request> requests = requests(person);
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
    String first = nameIdAtTheShop(ManyPeople.name(ManyPeople.COUNT));
    assertThat(first).hasSizeGreaterThan(20).doesNotContain(ManyPeople.name(ManyPeople.COUNT));
    assertThat(nameIdAtTheShop(ManyPeople.name(ManyPeople.COUNT))).isEqualTo(first);
    assertThat(nameIdAtTheShop(ManyPeople.name(ManyPeople.COUNT - 1))).isNotEqualTo(first);
  }

  private String nameIdAtTheShop(String name) {
    try (Person person = new Person(chromium.profile())) {
      List<Request> requests = requests(person);
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

  @Test
  void aResponseReachesMellonAsAnArtifactWhichItResolves() {
    try (Person person = new Person(chromium.profile())) {
      List<Request> requests = requests(person);
      person.open(company.vault("/books/?box=7"));
      person.signIn(ManyPeople.name(6), "demo");
      person.isAt(company.vault("/books/?box=7"));
      assertThat(fact(person, "uid")).hasText("user000006");
      assertThat(requests)
          .anyMatch(r -> r.url().startsWith(company.vault("/mellon/artifactResponse?SAMLart=")))
          .noneMatch(r -> r.url().startsWith(company.vault("/mellon/postResponse")));
    }
  }

  @Test
  void anArtifactThatMellonHasResolvedIsWorthNothingToThoseWhoSawIt() {
    try (Person person = new Person(chromium.profile());
        Person thief = new Person(chromium.profile())) {
      List<Request> requests = requests(person);
      person.open(company.vault("/books/"));
      person.signIn(ManyPeople.name(7), "demo");
      person.isAt(company.vault("/books/"));
      String seen =
          requests.stream().map(Request::url).filter(url -> url.contains("SAMLart=")).findFirst().orElseThrow();

      thief.open(seen);
      String sp = company.vault("/mellon/metadata");
      assertThat(company.log()).contains("refused ArtifactResolve from " + sp + ": REPLAYED the artifact was resolved");
      thief.open(company.vault("/books/"));
      thief.sees("Sign in");
    }
  }

  @Test
  void aLogoutAtTheIdentityProviderReachesMellonBySoapBehindTheBrowsersBack() {
    try (Person person = new Person(chromium.profile())) {
      opensTheVault(person, ManyPeople.name(8));
      List<Request> requests = requests(person);
      person.open(company.idp("/logout"));
      person.press("Sign out");
      person.sees("You are signed out");
      assertThat(line(person, "Vault")).containsText("signed out");
      assertThat(requests).noneMatch(r -> r.url().startsWith(company.vault("/mellon/logout")));
      person.open(company.vault("/books/"));
      person.sees("Sign in");
    }
  }

  @Test
  void aSessionThatEndsWithoutItsBrowserEndsAtMellonBySoap() {
    try (Person there = new Person(chromium.profile());
        Person here = new Person(chromium.profile())) {
      opensTheVault(there, ManyPeople.name(9));
      here.open(company.idp("/account"));
      here.signIn(ManyPeople.name(9), "demo");
      here.press("End all sessions");
      here.sees("You are signed out");
      there.open(company.vault("/books/"));
      there.sees("Sign in");
    }
  }

  /** Mellon asks by Redirect in any case: {@code am_init_logout_request} of 0.18 knows no other binding. */
  @Test
  void aLogoutThatBeginsAtMellonByRedirectReachesAnotherBySoap() {
    try (Person person = new Person(chromium.profile())) {
      opensTheVault(person, ManyPeople.name(10));
      person.open(company.library("/books/"));
      person.isAt(company.library("/books/"));
      List<Request> requests = requests(person);
      person.follow("Log out");
      person.sees("You have left");
      assertThat(requests)
          .anyMatch(r -> r.url().startsWith(company.idp("/saml/slo?SAMLRequest=")))
          .noneMatch(r -> r.url().startsWith(company.vault("/mellon/logout")));
      person.open(company.vault("/books/"));
      person.sees("Sign in");
    }
  }

  private static void opensTheVault(Person person, String name) {
    person.open(company.vault("/books/"));
    person.signIn(name, "demo");
    person.isAt(company.vault("/books/"));
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

  private static List<Request> requests(Person person) {
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

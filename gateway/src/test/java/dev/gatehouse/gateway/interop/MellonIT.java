package dev.gatehouse.gateway.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Request;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.interop.Apache.Host;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.FreePorts;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our identity provider and Apache's mod_auth_mellon as service provider, against an OpenLDAP of 100,000 people: metadata,
 * login, attributes, NameIDs, and logout from both sides. Each person of a test is a different one of the 100,000.
 */
@ExtendWith(WithChromium.class)
@TestInstance(Lifecycle.PER_CLASS)
class MellonIT {

  private static final String TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  private static final String PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
  private static final String EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

  private final Chromium chromium;
  private final List<Integer> ports = FreePorts.take(3);
  private final List<AutoCloseable> started = new CopyOnWriteArrayList<>();

  MellonIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeAll
  void start(@TempDir Path data) throws Exception {
    Apache.requireInstalled();
    Slapd.requireInstalled();
    Path ldif = ManyPeople.writeTo(data.resolve("people.ldif"));
    Slapd directory = begun(Slapd.start(ldif));
    SampleApp sample = begun(SampleApp.start(0));
    Map<String, String> environment =
        Map.of(
            "DATA", data.resolve("node").toString(),
            "PORT", String.valueOf(ports.get(0)),
            "ADMIN_PORT", String.valueOf(ports.get(1)),
            "APACHE_PORT", String.valueOf(ports.get(2)),
            "DIRECTORY_PORT", String.valueOf(directory.port()),
            "SAMPLE_PORT", String.valueOf(sample.port()));
    Path logs = Files.createDirectories(Path.of("target/interop"));
    ServerProcess node = begun(BuiltNode.run(Path.of("src/test/resources/interop"), logs, environment));
    String ours = metadata();
    begun(
        Apache.start(
            logs,
            ports.get(2),
            List.of(
                new Host("127.0.0.3", TRANSIENT, "uid", ours),
                new Host("127.0.0.4", PERSISTENT, "uid", withoutRedirect(ours)),
                new Host("127.0.0.5", EMAIL, "NAME_ID", ours))));
    for (String library : List.of(library(""), shop(""), newsletter(""))) {
      String known = "Metadata of " + library + "/mellon/metadata in realm company taken over";
      node.await(() -> node.output().contains(known), Duration.ofMinutes(2));
    }
  }

  @AfterAll
  void end() throws Exception {
    for (AutoCloseable server : started.reversed()) {
      server.close();
    }
  }

  @Test
  void aSignedAuthnRequestByRedirectBringsAttributesAndATransientNameId() {
    try (Person person = new Person(chromium.profile())) {
      List<Request> requests = requestsToTheIdentityProvider(person);
      person.open(library("/books/?shelf=7"));
      person.sees("Sign in");
      assertThat(person.text("to continue to Library")).isVisible();
      assertThat(requests)
          .anyMatch(isSignOn("GET").and(r -> r.url().contains("&SigAlg=") && r.url().contains("&Signature=")));

      person.signIn(ManyPeople.name(4711), "demo");
      person.isAt(library("/books/?shelf=7"));
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
      person.open(shop("/books/"));
      person.signIn(name, "demo");
      person.isAt(shop("/books/"));
      assertThat(requests).anyMatch(isSignOn("POST"));
      assertThat(fact(person, "user")).hasText(name);
      return fact(person, "name-id").textContent();
    }
  }

  @Test
  void anEmailNameIdIsTheAddressOfThePerson() {
    try (Person person = new Person(chromium.profile())) {
      person.open(newsletter("/books/"));
      person.signIn(ManyPeople.name(1), "demo");
      person.isAt(newsletter("/books/"));
      assertThat(fact(person, "user")).hasText("user000001@example.org");
      assertThat(fact(person, "name-id")).hasText("user000001@example.org");
    }
  }

  @Test
  void signOnMayBeginAtTheIdentityProvider() {
    try (Person person = new Person(chromium.profile())) {
      String target = library("/books/?unasked");
      person.open(idp("/saml/init?sp=" + encoded(library("/mellon/metadata")) + "&RelayState=" + encoded(target)));
      person.signIn(ManyPeople.name(2), "demo");
      person.isAt(target);
      assertThat(fact(person, "uid")).hasText("user000002");
    }
  }

  @Test
  void aLogoutThatBeginsAtOneLibraryReachesTheIdentityProviderAndTheOtherApps() {
    try (Person person = new Person(chromium.profile())) {
      opensEverything(person, ManyPeople.name(3));
      person.open(library("/books/"));
      person.follow("Log out");
      person.sees("You have left");
      person.isAt(library("/left/"));
      allAskForALogin(person);
    }
  }

  @Test
  void aLogoutThatBeginsAtTheIdentityProviderReachesEveryLibrary() {
    try (Person person = new Person(chromium.profile())) {
      opensEverything(person, ManyPeople.name(4));
      person.open(idp("/logout"));
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
      person.open(intranet("/"));
      person.press("Log out");
      person.sees("You are signed out");
      person.isBelow(intranet("/"));
      allAskForALogin(person);
    }
  }

  private void opensEverything(Person person, String name) {
    person.open(library("/books/"));
    person.signIn(name, "demo");
    person.isAt(library("/books/"));
    person.open(newsletter("/books/"));
    person.isAt(newsletter("/books/"));
    person.open(intranet("/"));
    person.isAt(intranet("/"));
    person.sees("Hello, " + name);
  }

  private void allAskForALogin(Person person) {
    for (String page : List.of(library("/books/"), newsletter("/books/"), intranet("/"))) {
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

  private List<Request> requestsToTheIdentityProvider(Person person) {
    List<Request> requests = new CopyOnWriteArrayList<>();
    person.page().onRequest(requests::add);
    return requests;
  }

  private Predicate<Request> isSignOn(String method) {
    return request -> request.method().equals(method) && request.url().startsWith(idp("/saml/sso"));
  }

  /** As any partner would fetch it. */
  private String metadata() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest get = HttpRequest.newBuilder(URI.create(idp("/saml/metadata"))).timeout(Duration.ofSeconds(60)).build();
      return client.send(get, BodyHandlers.ofString()).body();
    }
  }

  /** Leaves mellon, which prefers Redirect, no choice but POST. */
  private static String withoutRedirect(String metadata) {
    String reduced =
        metadata.replaceAll("<(\\w+:)?SingleSignOnService [^>]*HTTP-Redirect[^>]*>(</(\\w+:)?SingleSignOnService>)?", "");
    assertThat(reduced).isNotEqualTo(metadata).contains("SingleSignOnService");
    return reduced;
  }

  private String idp(String path) {
    return "http://127.0.0.2:" + ports.get(0) + "/realms/company" + path;
  }

  private String intranet(String path) {
    return "http://127.0.0.6:" + ports.get(0) + path;
  }

  private String library(String path) {
    return "http://127.0.0.3:" + ports.get(2) + path;
  }

  private String shop(String path) {
    return "http://127.0.0.4:" + ports.get(2) + path;
  }

  private String newsletter(String path) {
    return "http://127.0.0.5:" + ports.get(2) + path;
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private <T extends AutoCloseable> T begun(T server) {
    started.add(server);
    return server;
  }
}

package dev.gatehouse.gateway.interop;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Request;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keycloak as identity provider of our gateway (encrypted assertions; artifacts), and as broker of our identity
 * provider by SAML and by OpenID Connect; logout from either side.
 */
@ExtendWith(WithChromium.class)
class KeycloakIT {

  private static final Pattern ID_TOKEN = Pattern.compile("\"id_token\":\"([^\"]+)\"");

  /** An identity provider of a realm of Keycloak's, which is ours. */
  private enum Broker {
    CLUB("town", "Town"),
    SEALED("town", "Town, sealed"),
    OPEN("village", "Village");

    private final String realm;
    private final String app;

    Broker(String realm, String app) {
      this.realm = realm;
      this.app = app;
    }

    String alias() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Where Keycloak's own client gets its answers. */
    String hall() {
      return keycloak("/hall");
    }

    String keycloak(String path) {
      return club.keycloak("/realms/" + realm + path);
    }
  }

  @AutoClose private static Club club;

  private final Chromium chromium;

  KeycloakIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    club = Club.withKeycloak(data);
  }

  @Test
  void anEncryptedAssertionOfKeycloaksLogsInAtOurGatewayAndOutAgain() {
    try (Person person = new Person(chromium.profile())) {
      List<String> posted = posted(person, club.guests("/.gatehouse/saml/acs"));
      person.open(club.guests("/"));
      logInAtKeycloak(person);
      person.isAt(club.guests("/"));
      person.sees("Hello, carol");
      assertThat(posted).hasSize(1);
      assertThat(Forms.samlResponse(posted.getFirst()).contains("EncryptedAssertion")).isTrue();

      person.press("Log out");
      person.sees("You are signed out");
      person.open(club.guests("/"));
      assertThat(person.page().locator("#kc-login")).isVisible();
    }
  }

  @Test
  void anArtifactOfKeycloaksIsResolved() {
    try (Person person = new Person(chromium.profile())) {
      List<String> arrived = new CopyOnWriteArrayList<>();
      person.page().onRequest(request -> arrived.add(seen(request)));
      person.open(club.errands("/"));
      logInAtKeycloak(person);
      person.isAt(club.errands("/"));
      person.sees("Hello, carol");
      assertThat(arrived)
          .anyMatch(seen -> seen.startsWith(club.errands("/.gatehouse/saml/acs")) && seen.contains("SAMLart="))
          .noneMatch(seen -> seen.startsWith(club.errands("/.gatehouse/saml/acs")) && seen.contains("SAMLResponse="));
    }
  }

  @Test
  void aLogoutAtOurGatewayEndsTheSessionAtKeycloakBySoap() {
    try (Person person = new Person(chromium.profile())) {
      person.open(club.errands("/"));
      logInAtKeycloak(person);
      person.isAt(club.errands("/"));
      List<String> arrived = new CopyOnWriteArrayList<>();
      person.page().onRequest(request -> arrived.add(seen(request)));
      person.press("Log out");
      person.sees("You are signed out");
      assertThat(arrived).noneMatch(seen -> seen.startsWith(club.keycloak("/")));
      asksForALogin(person, club.guests("/"));
    }
  }

  /** By the browser where its client says so, and else by SOAP. */
  @Test
  void aLogoutThatBeginsAtKeycloakEndsTheSessionsAtOurGateway() {
    try (Person person = new Person(chromium.profile())) {
      opensTheGuestRoom(person);
      person.open(club.errands("/"));
      person.isAt(club.errands("/"));
      List<String> arrived = new CopyOnWriteArrayList<>();
      person.page().onRequest(request -> arrived.add(seen(request)));
      person.page().navigate(club.keycloak("/realms/city/protocol/openid-connect/logout"));
      person.page().locator("#kc-logout").click();
      person.sees("You are logged out");
      assertThat(arrived)
          .anyMatch(seen -> seen.startsWith(club.guests("/.gatehouse/saml/slo SAMLRequest=")))
          .noneMatch(seen -> seen.startsWith(club.errands("/.gatehouse/")));
      asksForALogin(person, club.guests("/"));
      asksForALogin(person, club.errands("/"));
    }
  }

  @Test
  void aSessionThatAnAdministratorOfKeycloaksEndsIsOverAtOurGatewayWithoutItsBrowser() throws Exception {
    try (Person person = new Person(chromium.profile())) {
      person.open(club.errands("/"));
      logInAtKeycloak(person);
      person.isAt(club.errands("/"));
      club.keycloak().endSessionsOf("carol");
      asksForALogin(person, club.errands("/"));
      assertThat(club.keycloak().log()).doesNotContain("fallback on legacy backchannel logout");
    }
  }

  @Test
  void keycloakLogsPeopleInByOpenIdConnectAndOutAgain() {
    try (Person person = new Person(chromium.profile())) {
      person.open(club.tokens("/"));
      logInAtKeycloak(person);
      person.isAt(club.tokens("/"));
      person.sees("Hello, carol");

      person.press("Log out");
      person.sees("You are signed out");
      asksForALogin(person, club.tokens("/"));
    }
  }

  @Test
  void aSessionThatKeycloakEndsIsOverHereByItsLogoutToken() throws Exception {
    try (Person person = new Person(chromium.profile())) {
      person.open(club.tokens("/"));
      logInAtKeycloak(person);
      person.isAt(club.tokens("/"));
      club.keycloak().endSessionsOf("carol");
      asksForALogin(person, club.tokens("/"));
    }
  }

  @Test
  void anAccessTokenOfKeycloaksOpensOurApi() throws Exception {
    String token = club.keycloak().accessToken();
    assertThat(call("/whoami", token).body()).contains("service-account-gatehouse");
    assertThat(call("/echo", token).statusCode()).isEqualTo(200);
    assertThat(call("/whoami", token.substring(0, token.length() - 8) + "AAAAAAAA").statusCode()).isEqualTo(401);
    assertThat(call("/", token).statusCode()).as("no session comes of it").isNotEqualTo(200);
  }

  private static HttpResponse<String> call(String path, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(club.tokens(path))).header("Authorization", "Bearer " + token).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofString());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CLUB", "OPEN"})
  void keycloakBrokersOurPeopleAndTheirLogout(Broker broker) throws Exception {
    try (Person person = new Person(chromium.profile())) {
      asksForTheHall(person, broker, "");
      assertThat(person.text("to continue to " + broker.app)).isVisible();
      person.signIn("alice", "demo");
      String token = idToken(broker, code(person, broker));
      assertThat(claims(token)).contains("\"preferred_username\":\"alice\"").contains("\"email\":\"alice@example.org\"");

      person.page().navigate(
          broker.keycloak("/protocol/openid-connect/logout")
              + "?id_token_hint=" + token + "&post_logout_redirect_uri=" + broker.hall());
      person.page().waitForURL(url -> url.startsWith(broker.hall()));
      person.open(club.idp("/account"));
      person.sees("Sign in");
    }
  }

  /** SAML's by the browser, OpenID Connect's by the back channel. */
  @ParameterizedTest
  @EnumSource(names = {"CLUB", "OPEN"})
  void aLogoutAtOurIdentityProviderEndsTheSessionThatKeycloakBrokered(Broker broker) {
    try (Person person = new Person(chromium.profile())) {
      asksForTheHall(person, broker, "");
      person.signIn("alice", "demo");
      code(person, broker);
      asksForTheHall(person, broker, "&prompt=none");
      code(person, broker);

      person.open(club.idp("/logout"));
      person.press("Sign out");
      person.sees("You are signed out");
      assertThat(person.page().locator("ul.rows > li")).containsText(new String[] {"signed out"});
      asksForTheHall(person, broker, "&prompt=none");
      assertThat(answer(person, broker, "error")).isEqualTo("login_required");
    }
  }

  @Test
  void keycloakDecryptsWhatWeEncryptedForIt() throws Exception {
    try (Person person = new Person(chromium.profile())) {
      List<String> posted = posted(person, club.keycloak("/realms/town/broker/sealed/endpoint"));
      asksForTheHall(person, Broker.SEALED, "");
      assertThat(person.text("to continue to " + Broker.SEALED.app)).isVisible();
      person.signIn("bob", "demo");
      String token = idToken(Broker.SEALED, code(person, Broker.SEALED));
      assertThat(claims(token)).contains("\"preferred_username\":\"bob\"").contains("\"email\":\"bob@example.org\"");
      assertThat(posted).hasSize(1);
      assertThat(Forms.samlResponse(posted.getFirst()))
          .contains("EncryptedAssertion")
          // Encrypted text in base64 may have these three letters in a row by chance.
          .doesNotContain(">bob<", "bob@");
    }
  }

  private static void opensTheGuestRoom(Person person) {
    person.open(club.guests("/"));
    logInAtKeycloak(person);
    person.isAt(club.guests("/"));
    person.sees("Hello, carol");
  }

  private static void asksForALogin(Person person, String page) {
    person.open(page);
    assertThat(person.page().locator("#kc-login")).isVisible();
  }

  /** Of Keycloak's realm, with the people of that one of its identity providers. */
  private static void asksForTheHall(Person person, Broker broker, String more) {
    person.page().navigate(
        broker.keycloak("/protocol/openid-connect/auth")
            + "?client_id=hall&response_type=code&scope=openid&kc_idp_hint=" + broker.alias()
            + "&redirect_uri=" + broker.hall() + more);
  }

  private static String code(Person person, Broker broker) {
    return answer(person, broker, "code");
  }

  private static String answer(Person person, Broker broker, String parameter) {
    person.page().waitForURL(url -> url.startsWith(broker.hall()));
    return Parameters.parse(URI.create(person.page().url()).getRawQuery()).one(parameter).orElseThrow();
  }

  private static void logInAtKeycloak(Person person) {
    person.page().locator("#username").fill("carol");
    person.page().locator("#password").fill("demo");
    person.page().locator("#kc-login").click();
  }

  private static String seen(Request request) {
    String body = request.postData();
    return body == null ? request.url() : request.url() + " " + body;
  }

  private static List<String> posted(Person person, String url) {
    List<String> bodies = new CopyOnWriteArrayList<>();
    person
        .page()
        .onRequest(
            request -> {
              String body = request.postData();
              if (body != null && request.url().equals(url)) {
                bodies.add(body);
              }
            });
    return bodies;
  }

  private static String idToken(Broker broker, String code) throws Exception {
    HttpRequest exchange =
        HttpRequest.newBuilder(URI.create(broker.keycloak("/protocol/openid-connect/token")))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "grant_type=authorization_code&client_id=hall&code=" + code + "&redirect_uri=" + broker.hall()))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      Matcher token = ID_TOKEN.matcher(client.send(exchange, BodyHandlers.ofString()).body());
      assertThat(token.find()).isTrue();
      return token.group(1);
    }
  }

  private static String claims(String token) {
    return new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), StandardCharsets.UTF_8);
  }
}

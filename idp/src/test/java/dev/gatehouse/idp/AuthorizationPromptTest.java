package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.ContractsConfig.Totp;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnContexts;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The login that satisfies an authorization request, and what a person must do first (OpenID Connect Core 3.1.2.1 and
 * 5.5.1.1, RFC 9470; cases 36, 37 and 40 of the attackers' list).
 */
final class AuthorizationPromptTest {

  private static final String NO_SESSION = "login_required: no session answers this request";

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));
  private final TestBrowser browser = OAuthApp.signedIn(idp, "alice");

  @Test
  void withoutASessionNoPromptIsLoginRequired() {
    assertThat(OAuthApp.error(app.ask(idp.browser(), "prompt", "none"))).isEqualTo(NO_SESSION);
    assertThat(OAuthApp.code(app.ask(browser, "prompt", "none"))).isNotEmpty();
  }

  @Test
  void anOldLoginDoesNotFit() {
    idp.time.advance(Duration.ofSeconds(61));
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none", "max_age", "60"))).isEqualTo(NO_SESSION);
    assertThat(OAuthApp.code(app.ask(browser, "prompt", "none", "max_age", "61"))).isNotEmpty();
    EdgeReply form = browser.follow(app.ask(browser, "max_age", "60"));
    idp.time.advance(Duration.ofSeconds(90));
    String code = OAuthApp.code(browser.follow(browser.login(form, "alice", "demo")));
    JsonNode idToken = idToken(code);
    assertThat(idToken.path("auth_time").asLong()).isEqualTo(idp.time.instant().getEpochSecond());
  }

  @Test
  void aMaxAgeOfNothingIsANewLogin() {
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none", "max_age", "0"))).isEqualTo(NO_SESSION);
    idp.time.advance(Duration.ofSeconds(1));
    assertThat(form(app.ask(browser, "max_age", "0"))).isNotEmpty();
    app.defaultMaxAge = Optional.of(Duration.ofSeconds(10));
    idp.realms.set(OAuthApp.realm(app));
    idp.time.advance(Duration.ofSeconds(11));
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none"))).isEqualTo(NO_SESSION);
  }

  @Test
  void promptLoginAsksThoughThereIsASessionAndGivesANewOne() {
    String before = browser.cookies.get("gh_idp.demo");
    idp.time.advance(Duration.ofSeconds(1));
    EdgeReply form = browser.follow(app.ask(browser, "prompt", "login"));
    assertThat(form.text()).contains("name=\"password\"");
    // Only the login makes it continue.
    String pending = TestBrowser.attribute(form.text(), "action").replaceAll(".*pending=", "");
    assertThat(browser.get(OAuthApp.AUTHORIZE + "?pending=" + pending).headers().first("Location").orElse(""))
        .contains("/login?pending=");
    idp.time.advance(Duration.ofSeconds(1));
    assertThat(OAuthApp.code(browser.follow(browser.login(form, "bob", "demo")))).isNotEmpty();
    assertThat(browser.cookies.get("gh_idp.demo")).as("no fixation: a new id").isNotEqualTo(before);
  }

  @Test
  void selectAccountLetsSomebodyElseIn() {
    idp.time.advance(Duration.ofSeconds(1));
    EdgeReply form = browser.follow(app.ask(browser, "prompt", "select_account"));
    idp.time.advance(Duration.ofSeconds(1));
    String code = OAuthApp.code(browser.follow(browser.login(form, "bob", "demo")));
    assertThat(idToken(code).path("sub").asString()).isNotEqualTo(subject("alice"));
  }

  @Test
  void aHintOfSomebodyElseIsNotAnsweredByWhoIsThere() {
    String hint = idTokenOf("bob");
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none", "id_token_hint", hint)))
        .isEqualTo("login_required: somebody else is logged in");
    idp.time.advance(Duration.ofSeconds(1));
    EdgeReply form = browser.follow(app.ask(browser, "id_token_hint", hint));
    idp.time.advance(Duration.ofSeconds(1));
    assertThat(OAuthApp.error(browser.follow(browser.login(form, "alice", "demo"))))
        .isEqualTo("login_required: somebody else is logged in");
    idp.time.advance(Duration.ofSeconds(1));
    EdgeReply again = browser.follow(app.ask(browser, "id_token_hint", hint));
    idp.time.advance(Duration.ofSeconds(1));
    assertThat(OAuthApp.code(browser.follow(browser.login(again, "bob", "demo")))).isNotEmpty();
  }

  @Test
  void aHintOfWhoIsThereIsAnswered() {
    String hint = idTokenOf("alice");
    idp.time.advance(Duration.ofMinutes(20));
    assertThat(OAuthApp.code(app.ask(browser, "prompt", "none", "id_token_hint", hint))).as("though it expired").isNotEmpty();
  }

  @Test
  void aForgedHintIsRefused() {
    String hint = idTokenOf("bob");
    String[] parts = hint.split("\\.");
    String forged = parts[0] + "." + idTokenOf("alice").split("\\.")[1] + "." + parts[2];
    assertThat(OAuthApp.error(app.ask(browser, "id_token_hint", forged)))
        .isEqualTo("invalid_request: id_token_hint is no ID token of ours");
    String unsigned = "eyJhbGciOiJub25lIn0." + parts[1] + ".";
    assertThat(OAuthApp.error(app.ask(browser, "id_token_hint", unsigned)))
        .isEqualTo("invalid_request: id_token_hint is no ID token of ours");
  }

  @Test
  void aHintOfAnotherClientIsRefused() {
    OAuthApp other = new OAuthApp();
    other.id = "other";
    idp.realms.set(OAuthApp.realm(app, other));
    String hint = other.exchange(idp, OAuthApp.code(other.ask(browser))).path("id_token").asString();
    assertThat(OAuthApp.error(app.ask(browser, "id_token_hint", hint)))
        .isEqualTo("invalid_request: id_token_hint is of another client");
  }

  @Test
  void theClaimSubMeansOnePerson() {
    String claims = "{\"id_token\":{\"sub\":{\"value\":\"" + subject("bob") + "\"}}}";
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none", "claims", claims)))
        .isEqualTo("login_required: somebody else is logged in");
    TestBrowser bob = OAuthApp.signedIn(idp, "bob");
    assertThat(OAuthApp.code(app.ask(bob, "prompt", "none", "claims", claims))).isNotEmpty();
  }

  @Test
  void anAcrThatIsWishedForIsAnsweredAsItWasAsked() {
    assertThat(acr("acr_values", "password")).isEqualTo("password");
    assertThat(acr("acr_values", AuthnContexts.PASSWORD_PROTECTED_TRANSPORT))
        .isEqualTo(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT);
    assertThat(acr("acr_values", "1 2")).as("nobody knows these").isEqualTo(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT);
    assertThat(acr()).isEqualTo(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT);
  }

  @Test
  void anAcrThatIsWishedForMakesThePersonStepUp() {
    EdgeReply step = browser.follow(app.ask(browser, "acr_values", "mfa"));
    assertThat(step.headers().first("Location").orElse("") + step.text()).contains("login/set-up");
    assertThat(OAuthApp.error(app.ask(browser, "acr_values", "mfa", "prompt", "none"))).isEqualTo(NO_SESSION);
    app.defaultAcrValues = List.of("mfa");
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none"))).isEqualTo(NO_SESSION);
  }

  @Test
  void whatTheRealmCannotOfferTurnsNobodyAwayUnlessItIsEssential() {
    ContractsConfig without =
        new ContractsConfig(false, SecondFactor.OFF, new Totp(Optional.empty(), 6), Optional.empty());
    idp.realms.set(OAuthApp.realm(TestRealms.change(TestRealms.demo()).contracts(without).realm(), app));
    assertThat(acr("acr_values", "mfa")).isEqualTo(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT);
    for (String value : List.of("mfa", "gold")) {
      String essential = "{\"id_token\":{\"acr\":{\"essential\":true,\"values\":[\"" + value + "\"]}}}";
      assertThat(OAuthApp.error(app.ask(browser, "claims", essential)))
          .isEqualTo("unmet_authentication_requirements: no login here reaches what is asked for");
    }
    assertThat(acr("claims", "{\"id_token\":{\"acr\":{\"essential\":true,\"values\":[\"gold\",\"password\"]}}}"))
        .isEqualTo("password");
  }

  @Test
  void theClientsLeastContractHoldsWhateverItAsksFor() {
    app.contract = Optional.of("totp");
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none"))).isEqualTo(NO_SESSION);
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none", "acr_values", "password"))).isEqualTo(NO_SESSION);
  }

  private void offerTokensAndPasskeys() {
    ContractsConfig all =
        new ContractsConfig(
            false, SecondFactor.OPTIONAL, new Totp(Optional.empty(), 6), Optional.empty(), Optional.empty(),
            Optional.of(new ContractsConfig.Passkeys("idp.localhost")), Optional.of(TokenLogin.USUAL));
    idp.realms.set(OAuthApp.realm(TestRealms.change(TestRealms.demo()).contracts(all).realm(), app));
  }

  /** A browser with a session by these contracts, each at its own level. */
  private TestBrowser sessionBy(LoginContract... contracts) {
    return sessionOf(Stream.of(contracts).map(contract -> new AuthnEvent(idp.time.instant(), contract, contract.least())).toList());
  }

  private TestBrowser sessionOf(List<AuthnEvent> passed) {
    Realm realm = idp.realms.find("demo").orElseThrow();
    EdgeRequest http =
        new EdgeRequest(
            "GET", Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/", "", Headers.empty(), new byte[0], InetAddress.ofLiteral("192.0.2.7"));
    TestBrowser in = idp.browser();
    idp.context
        .getBean(IdpSessions.class)
        .open(new RealmRequest(realm, realm.idp().orElseThrow(), http), FakeDirectory.ALICE, passed)
        .cookies()
        .forEach(cookie -> in.cookies.put(cookie.split("=", 2)[0], cookie.split("=", 2)[1].split(";", 2)[0]));
    return in;
  }

  /** How a login was made, as an app hears it: {@code acr amr}. */
  private String heard(TestBrowser in, String... changes) {
    JsonNode idToken = idToken(OAuthApp.code(app.ask(in, changes)));
    return idToken.path("acr").asString() + " " + idToken.path("amr");
  }

  @Test
  void appsHearOfTokensAndPasskeysByAcrAndAmr() {
    offerTokensAndPasskeys();
    String token = "[\"otp\",\"pin\",\"mfa\"]";
    assertThat(heard(sessionBy(LoginContract.TOKEN), "acr_values", "token")).isEqualTo("token " + token);
    assertThat(heard(sessionBy(LoginContract.TOKEN))).isEqualTo(AuthnContexts.TIME_SYNC_TOKEN + " " + token);
    assertThat(heard(sessionBy(LoginContract.PASSWORD, LoginContract.TOKEN), "acr_values", "mfa"))
        .isEqualTo("mfa [\"pwd\",\"otp\",\"pin\",\"mfa\"]");
    assertThat(heard(sessionBy(LoginContract.PASSWORD, LoginContract.TOTP), "acr_values", "mfa"))
        .isEqualTo("mfa [\"pwd\",\"otp\",\"mfa\"]");
    assertThat(heard(sessionBy(LoginContract.PASSKEY), "acr_values", "phr")).isEqualTo("phr [\"hwk\",\"user\",\"mfa\"]");
    assertThat(heard(sessionBy(LoginContract.PASSKEY))).isEqualTo(AuthnContexts.PHISHING_RESISTANT + " [\"hwk\",\"user\",\"mfa\"]");
    assertThat(heard(sessionBy(LoginContract.SYNCED_PASSKEY), "acr_values", "phr")).isEqualTo("phr [\"swk\",\"user\",\"mfa\"]");
    assertThat(heard(sessionBy(LoginContract.PASSWORD, LoginContract.SECURITY_KEY), "acr_values", "phr"))
        .isEqualTo("phr [\"pwd\",\"hwk\",\"user\",\"mfa\"]");
  }

  /** How the same session is described to a client that asks for this, with the time: {@code acr amr auth_time}, from its beginning. */
  private String heardWithTime(Instant beginning, String... changes) {
    JsonNode idToken = idToken(OAuthApp.code(app.ask(browser, changes)));
    long seconds = idToken.path("auth_time").asLong() - beginning.getEpochSecond();
    return idToken.path("acr").asString() + " " + idToken.path("amr") + " " + seconds;
  }

  @Test
  void theMethodsAreThoseOfTheAuthenticationThatAuthTimeNames() {
    offerTokensAndPasskeys();
    Instant beginning = idp.time.instant();
    idp.time.advance(Duration.ofMinutes(15));
    RaisedSession.by(LoginContract.TOTP, idp, browser);
    assertThat(heardWithTime(beginning, "acr_values", "password"))
        .as("the step came later, and for another client")
        .isEqualTo("password [\"pwd\"] 0");
    assertThat(heardWithTime(beginning, "acr_values", "mfa"))
        .as("a code counts only together with the password")
        .isEqualTo("mfa [\"pwd\",\"otp\",\"mfa\"] 900");
    assertThat(heardWithTime(beginning)).isEqualTo(AuthnContexts.TIME_SYNC_TOKEN + " [\"pwd\",\"otp\",\"mfa\"] 900");

    idp.time.advance(Duration.ofMinutes(10));
    RaisedSession.by(LoginContract.PASSKEY, idp, browser);
    assertThat(heardWithTime(beginning, "acr_values", "phr"))
        .as("a passkey is based on nothing that came before")
        .isEqualTo("phr [\"hwk\",\"user\",\"mfa\"] 1500");
    assertThat(heardWithTime(beginning, "acr_values", "password")).isEqualTo("password [\"pwd\"] 0");
  }

  @Test
  void withMaxAgeNoMethodIsNamedThatWasUsedBefore() {
    offerTokensAndPasskeys();
    Instant beginning = idp.time.instant();
    idp.time.advance(Duration.ofMinutes(15));
    RaisedSession.by(LoginContract.TOKEN, idp, browser);
    assertThat(heardWithTime(beginning, "prompt", "none", "max_age", "60"))
        .isEqualTo(AuthnContexts.TIME_SYNC_TOKEN + " [\"otp\",\"pin\",\"mfa\"] 900");
  }

  @Test
  void allStepsOfOneLoginAreNamedWhicheverOfThemCounts() {
    offerTokensAndPasskeys();
    Instant first = idp.time.instant();
    idp.time.advance(Duration.ofSeconds(20));
    Instant second = idp.time.instant();
    TestBrowser both =
        sessionOf(
            List.of(
                new AuthnEvent(first, LoginContract.PASSWORD, AuthnLevel.PASSWORD),
                new AuthnEvent(second, LoginContract.TOTP, AuthnLevel.SECOND_FACTOR)));
    assertThat(heard(both, "acr_values", "password")).isEqualTo("password [\"pwd\",\"otp\",\"mfa\"]");
  }

  @Test
  void aPasskeyThatAPasswordEnrolledIsNoMoreThanThat() {
    offerTokensAndPasskeys();
    TestBrowser weak = sessionOf(List.of(new AuthnEvent(idp.time.instant(), LoginContract.PASSKEY, AuthnLevel.PROTECTED_PASSWORD)));
    assertThat(heard(weak)).isEqualTo(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT + " [\"hwk\",\"user\"]");
    assertThat(OAuthApp.error(app.ask(weak, "prompt", "none", "acr_values", "phr"))).isEqualTo(NO_SESSION);
  }

  @Test
  void aClientWhoseLeastContractIsATokenOrAPasskeyGetsNothingLess() {
    app.contract = Optional.of("token");
    offerTokensAndPasskeys();
    assertThat(OAuthApp.error(app.ask(sessionBy(LoginContract.PASSWORD), "prompt", "none"))).isEqualTo(NO_SESSION);
    assertThat(heard(sessionBy(LoginContract.TOKEN), "prompt", "none")).startsWith(AuthnContexts.TIME_SYNC_TOKEN);
    app.contract = Optional.of("passkey");
    offerTokensAndPasskeys();
    assertThat(OAuthApp.error(app.ask(sessionBy(LoginContract.TOKEN), "prompt", "none"))).isEqualTo(NO_SESSION);
    assertThat(heard(sessionBy(LoginContract.PASSKEY), "prompt", "none")).startsWith(AuthnContexts.PHISHING_RESISTANT);
  }

  @Test
  void aPersonWhoIsGoneIsNotAnswered() {
    idp.directory.remove(FakeDirectory.ALICE);
    idp.time.advance(Duration.ofSeconds(31));
    assertThat(OAuthApp.error(app.ask(browser, "prompt", "none"))).isEqualTo(NO_SESSION);
  }

  private String acr(String... changes) {
    return idToken(OAuthApp.code(app.ask(browser, changes))).path("acr").asString();
  }

  private String form(EdgeReply reply) {
    return TestBrowser.field(browser.follow(reply).text(), "csrf");
  }

  private String idTokenOf(String person) {
    return app.exchange(idp, OAuthApp.code(app.ask(OAuthApp.signedIn(idp, person)))).path("id_token").asString();
  }

  private String subject(String person) {
    return OAuthApp.claims(idTokenOf(person)).path("sub").asString();
  }

  private JsonNode idToken(String code) {
    return OAuthApp.claims(app.exchange(idp, code).path("id_token").asString());
  }
}

package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.LogoutPropagated;
import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.session.SessionToken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Participants that are notified from server to server: at a logout, and whenever a session ends without a browser. */
final class BackChannelLogoutTest {

  private static final Endpoint APP_REDIRECT = new Endpoint(Binding.REDIRECT, Idp.APP_SLO, Optional.empty());
  private static final Endpoint APP_SOAP = new Endpoint(Binding.SOAP, Idp.APP_SLO + "/soap", Optional.empty());

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();
  private String appIndex = "";

  @BeforeEach
  void signIn() {
    idp.partners.withLogout(Idp.APP, Logout.SOAP, APP_REDIRECT, APP_SOAP);
    idp.partners.withoutLogout(Idp.WIKI);
    appIndex = signIn(browser, "alice");
  }

  private String signIn(TestBrowser in, String name) {
    in.login(in.get("/realms/demo/login"), name, "demo");
    return Idp.response(in.get(Idp.redirect(idp.authnRequest(Idp.APP))))
        .assertions()
        .getFirst()
        .authnStatement()
        .orElseThrow()
        .sessionIndex()
        .orElseThrow();
  }

  private EdgeReply logOut() {
    String csrf = TestBrowser.field(browser.get("/realms/demo/logout").text(), "csrf");
    return browser.post("/realms/demo/logout", Map.of("csrf", csrf));
  }

  private List<String> outcomes() {
    return idp.audit.events(LogoutPropagated.class).stream().map(LogoutPropagated::outcome).toList();
  }

  private void wasTold(LogoutReason reason) {
    assertThat(idp.backChannel.sent).singleElement()
        .satisfies(
            notice -> {
              assertThat(notice.partner()).isEqualTo(Idp.APP);
              assertThat(notice.sessionIndexes()).containsExactly(appIndex);
              assertThat(notice.reason()).isEqualTo(reason);
            });
  }

  /** The attempt runs on another thread. */
  private void awaitOutcomes(String... expected) {
    Eventually.holds(() -> outcomes().size() >= expected.length);
    assertThat(outcomes()).containsExactly(expected);
  }

  @Test
  void aPartnerThatPrefersSoapNeedsNoFrame() {
    EdgeReply redirected = logOut();
    wasTold(LogoutReason.USER);
    assertThat(browser.follow(redirected).text())
        .contains("every app that you used has confirmed it")
        .doesNotContain("<iframe");
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void whoIsNotReachedIsNamedAndToldInTheBackground() {
    idp.backChannel.answers(Idp.APP, new LogoutDeliveryResult.Unreachable("no answer within 5000 ms"));
    EdgeReply redirected = logOut();
    assertThat(browser.follow(redirected).text())
        .contains("not signed out everywhere", "The app", "not reachable, will be notified again")
        .contains("We continue to notify")
        .contains("Sign out of The app now")
        .doesNotContain("5000 ms");
    idp.backChannel.answers(Idp.APP, new LogoutDeliveryResult.Done());
    idp.time.advance(Duration.ofSeconds(10));
    idp.tend();
    assertThat(browser.follow(redirected).text()).contains("every app that you used has confirmed it");
    assertThat(outcomes()).containsExactly("unreachable", "done");
  }

  @Test
  void whoRefusesIsNamedAndAskedAgain() {
    idp.backChannel.answers(Idp.APP, new LogoutDeliveryResult.Failed(SamlStatus.RESPONDER));
    EdgeReply redirected = logOut();
    assertThat(browser.follow(redirected).text()).contains("could not sign out, will be asked again");
    assertThat(idp.waitingLogouts().page("demo", "", 10)).singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.partner()).isEqualTo(Idp.APP);
              assertThat(waiting.person()).isEqualTo("a11ce");
              assertThat(waiting.tries()).isEqualTo(1);
              assertThat(waiting.problem()).contains(SamlStatus.RESPONDER);
              assertThat(waiting.next()).isEqualTo(idp.time.instant().plusSeconds(10));
              assertThat(waiting.giveUpAt()).as("when the app's own session ends").isAfter(waiting.next());
            });
    assertThat(idp.waitingLogouts().count("demo")).isEqualTo(1);
    assertThat(idp.waitingLogouts().count("other")).isZero();
  }

  @Test
  void aPartnerOfItsOwnThatCouldNotTellAllIsNamed() {
    idp.backChannel.answers(Idp.APP, new LogoutDeliveryResult.Partial());
    EdgeReply redirected = logOut();
    assertThat(browser.follow(redirected).text()).contains("could not sign out").doesNotContain("We go on");
    assertThat(outcomes()).containsExactly("failed");
  }

  @Test
  void theMetadataOfAPartnerMayBeMendedLater() {
    idp.backChannel.answers(Idp.APP, new LogoutDeliveryResult.Unreachable("its metadata has expired"));
    idp.partners.spoil(Idp.APP);
    assertThat(browser.follow(logOut()).text()).contains("not reachable, will be notified again");
    assertThat(idp.waitingLogouts().count("demo")).isEqualTo(1);
  }

  @Test
  void theBackChannelTakesOverFromABrowserThatBringsNoAnswer() {
    idp.partners.withLogout(Idp.APP, Logout.FRONT, APP_REDIRECT, APP_SOAP);
    EdgeReply redirected = logOut();
    assertThat(browser.follow(redirected).text()).contains("<iframe");
    assertThat(idp.backChannel.sent).isEmpty();
    idp.time.advance(Duration.ofSeconds(5));
    idp.tend();
    assertThat(browser.follow(redirected).text()).contains("not reachable, will be notified again");
    assertThat(idp.backChannel.sent).isEmpty();
    idp.time.advance(Duration.ofSeconds(10));
    idp.tend();
    wasTold(LogoutReason.USER);
    assertThat(browser.follow(redirected).text()).contains("every app that you used has confirmed it");
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void whoAnsweredInTheBrowserIsNotToldTwice() {
    idp.partners.withLogout(Idp.APP, Logout.FRONT, APP_REDIRECT, APP_SOAP);
    Partner.answers(idp, browser, browser.follow(logOut()), SamlStatus.success());
    idp.time.advance(Duration.ofMinutes(10));
    idp.tend();
    assertThat(idp.backChannel.sent).isEmpty();
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void whoRefusesInTheBrowserIsAskedByServerAtOnce() {
    idp.partners.withLogout(Idp.APP, Logout.FRONT, APP_REDIRECT, APP_SOAP);
    EdgeReply redirected = logOut();
    Partner.answers(idp, browser, browser.follow(redirected), SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.REQUEST_DENIED));
    awaitOutcomes("done");
    wasTold(LogoutReason.USER);
    assertThat(browser.follow(redirected).text()).contains("every app that you used has confirmed it");
  }

  @Test
  void whoDoesNotKnowThePersonHasNothingToEnd() {
    idp.partners.withLogout(Idp.APP, Logout.FRONT, APP_REDIRECT);
    Partner.answers(
        idp, browser, browser.follow(logOut()), SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.UNKNOWN_PRINCIPAL));
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void aSessionThatIsIdleTooLongIsEndedAtTheAppsOnce() {
    idp.time.advance(Duration.ofMinutes(30));
    idp.tend();
    wasTold(LogoutReason.GLOBAL_TIMEOUT);
    idp.tend();
    assertThat(idp.backChannel.sent).hasSize(1);
    assertThat(idp.audit.events(SessionEnded.class)).extracting(SessionEnded::cause).containsExactly("expired");
    assertThat(outcomes()).containsExactly("done");
  }

  @Test
  void aSessionThatIsUsedIsNotTakenForExpired() {
    idp.time.advance(Duration.ofMinutes(20));
    browser.get("/realms/demo/account");
    idp.time.advance(Duration.ofMinutes(20));
    idp.tend();
    assertThat(idp.backChannel.sent).isEmpty();
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
  }

  @Test
  void manyThatExpireTogetherAreAllEnded() {
    for (int i = 0; i < 600; i++) {
      signIn(idp.browser(), "bob");
    }
    idp.time.advance(Duration.ofMinutes(30));
    idp.tend();
    assertThat(idp.backChannel.sent).hasSize(601).extracting(LogoutNotice::sessionIndexes).doesNotHaveDuplicates();
    assertThat(idp.audit.events(SessionEnded.class)).hasSize(601);
  }

  @Test
  void whatAnAdministratorEndsIsEndedAtTheApps() {
    String session = idp.sessions().ofPerson("demo", "alice").getFirst().id();
    assertThat(idp.sessions().end("other", session, "root")).isFalse();
    assertThat(idp.sessions().end("demo", session, "root")).isTrue();
    awaitOutcomes("done");
    wasTold(LogoutReason.ADMIN);
  }

  @Test
  void anAppWithoutBackChannelCannotBeToldByAnAdministrator() {
    idp.partners.withLogout(Idp.APP, Logout.FRONT, APP_REDIRECT);
    String session = idp.sessions().ofPerson("demo", "alice").getFirst().id();
    idp.sessions().end("demo", session, "root");
    assertThat(outcomes()).containsExactly("unreachable");
    assertThat(idp.backChannel.sent).isEmpty();
  }

  @Test
  void whatIEndOnTheAccountPageOfAnotherBrowserIsEndedAtItsApps() {
    TestBrowser phone = idp.browser();
    phone.login(phone.get("/realms/demo/login"), "alice", "demo");
    String csrf = TestBrowser.field(phone.get("/realms/demo/account").text(), "csrf");
    String other = new SessionToken(browser.cookies.getOrDefault("gh_idp.demo", "")).id().value();
    phone.post("/realms/demo/account", Map.of("action", "end", "session", other, "csrf", csrf));
    awaitOutcomes("done");
    wasTold(LogoutReason.USER);
  }

  @Test
  void aNewPasswordEndsTheOtherSessionsAtTheirApps() {
    TestBrowser phone = idp.browser();
    phone.login(phone.get("/realms/demo/login"), "alice", "demo");
    EdgeReply form = phone.get("/realms/demo/password");
    phone.post(
        TestBrowser.attribute(form.text(), "action"),
        Map.of(
            "old", "demo", "new", "new-password", "again", "new-password",
            "csrf", TestBrowser.field(form.text(), "csrf")));
    awaitOutcomes("done");
    wasTold(LogoutReason.USER);
  }

  @Test
  void whoIsGoneFromTheDirectoryIsLoggedOutOfTheApps() {
    idp.directory.remove(FakeDirectory.ALICE);
    idp.time.advance(Duration.ofSeconds(60));
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
    awaitOutcomes("done");
    wasTold(LogoutReason.ADMIN);
  }

  /** A service provider that demands a fresh login; the form accepts any name. */
  private void logInAnew(String name) {
    idp.time.advance(Duration.ofMinutes(1));
    EdgeReply form = browser.follow(browser.get(Idp.redirect(Requests.asking(idp.authnRequest(Idp.APP), true, false))));
    Idp.response(browser.follow(browser.login(form, name, "demo")));
    assertThat(idp.audit.events(SessionEnded.class)).extracting(SessionEnded::cause).containsExactly("replaced");
  }

  @Test
  void whenAnotherPersonLogsInHereTheAppsOfTheFirstHearOfIt() {
    logInAnew("bob");
    awaitOutcomes("done");
    wasTold(LogoutReason.USER);
  }

  @Test
  void whenTheSamePersonLogsInAgainTheAppsStay() {
    logInAnew("alice");
    idp.tend();
    assertThat(idp.backChannel.sent).isEmpty();
    idp.time.advance(Duration.ofMinutes(31));
    idp.tend();
    assertThat(idp.backChannel.sent).as("the new session has the app").hasSize(1);
    assertThat(outcomes()).containsExactly("done");
  }
}

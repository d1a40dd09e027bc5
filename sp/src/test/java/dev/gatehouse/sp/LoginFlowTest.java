package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.sp.session.AppSession;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class LoginFlowTest {

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);

  @Test
  void aNavigationIsSentToTheIdentityProviderWithASignedAuthnRequest() {
    EdgeReply reply = browser.open(SpWorld.HOME + "/files/list?sort=name");

    assertThat(reply.status()).isEqualTo(303);
    AuthnRequest request = world.authnRequest(reply);
    assertThat(request.issuer()).isEqualTo(SamlFixtures.SP);
    assertThat(request.destination()).contains(SamlFixtures.IDP_SSO);
    assertThat(request.delivery().assertionConsumerServiceUrl()).contains(SamlFixtures.SP_ACS);
    assertThat(request.id().length()).as("RelayState is the ID, and at most 80 bytes").isLessThanOrEqualTo(80);
    assertThat(SpWorld.location(reply).getRawQuery()).contains("&RelayState=" + request.id() + "&");
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_pre.demo")).isPresent();
  }

  @Test
  void theWholeLoginWithACrossSitePostIsSavedAndGoesOnByGet() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/files/list?sort=name"));

    EdgeReply saved = browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));

    assertThat(SpWorld.location(saved).toString()).startsWith(SamlFixtures.SP_ACS + "?resume=");
    assertThat(world.opened()).as("nothing is consumed yet").isZero();

    EdgeReply landed = browser.follow(saved);

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/files/list?sort=name");
    AppSession session = world.session(browser, SpWorld.HOME).orElseThrow();
    assertThat(session.account().user()).isEqualTo("alice");
    assertThat(session.account().roles()).containsExactly("employee");
    assertThat(session.account().groups()).containsExactly("staff", "chess");
    assertThat(session.person().value()).isEqualTo(SamlFixtures.IDP + "!alice");
    assertThat(world.audit.events(AuditEvent.AssertionAccepted.class)).singleElement()
        .satisfies(event -> assertThat(event.session()).isEqualTo(session.id().value()));
  }

  @Test
  void oneAttributeMayGiveRolesAndGroups() {
    SpWorld one = new SpWorld(change -> change.sp(LoginFlowTest::rolesAreGroups));
    TestBrowser visitor = new TestBrowser(one);
    AuthnRequest request = one.authnRequest(visitor.open(SpWorld.HOME + "/here"));

    visitor.submitWithCookies(one.posted(one.response(request), Optional.empty()));

    AppSession session = one.session(visitor, SpWorld.HOME).orElseThrow();
    assertThat(session.account().roles()).containsExactly("staff", "chess");
    assertThat(session.account().groups()).containsExactly("staff", "chess");
  }

  private static SpConfig rolesAreGroups(SpConfig sp) {
    return new SpConfig(
        sp.publicUrl(), sp.otherOrigins(), sp.identityProviders(), sp.unsolicited(), sp.session(),
        new SpConfig.SubjectMapping("uid", "groups", "groups"), sp.requestedAttributes(), sp.artifactNodes());
  }

  @Test
  void withTheCookieThereIsNoDetour() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));

    EdgeReply landed = browser.submitWithCookies(world.posted(world.response(request), Optional.empty()));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/here");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void aResponseThatIsSignedAsAWholeIsAcceptedToo() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeRequest post =
        world.posted(world.response(request), Optional.empty(), SamlWriter.Signed.RESPONSE, SamlFixtures.idpP256Key());

    browser.submitWithCookies(post);

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void aSavedLoginMayBeReloadedAfterItWasOpened() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeReply saved = browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));
    String url = SpWorld.location(saved).toString();
    browser.follow(saved);
    Optional<String> cookie = browser.cookie(SpWorld.HOME, "__Host-gh_app");

    world.time.advance(Duration.ofMinutes(20));
    EdgeReply again = browser.get(url, "none");

    assertThat(SpWorld.location(again)).hasToString(SpWorld.HOME + "/here");
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEqualTo(cookie);
    assertThat(world.opened()).isEqualTo(1);
    assertThat(world.refusals()).isEmpty();
  }

  @Test
  void aSavedLoginWaitsForItsBrowserAlthoughTheAssertionHasExpired() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeReply saved = browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));

    world.time.advance(Duration.ofMinutes(55));
    browser.follow(saved);

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void afterAnHourASavedLoginIsGone() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeReply saved = browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));

    world.time.advance(Duration.ofHours(1));
    EdgeReply reply = browser.follow(saved);

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.opened()).isZero();
  }

  /** Its person followed the redirect of somebody who began, and may be persuaded to pass the address of the error page on. */
  @Test
  void aSavedLoginIsDroppedWhenABrowserThatDidNotBeginComesToItsAddress() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    TestBrowser persuaded = new TestBrowser(world, "198.51.100.7");
    EdgeReply saved = persuaded.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));

    assertThat(persuaded.follow(saved).status()).isEqualTo(403);
    assertThat(browser.get(SpWorld.location(saved).toString(), "none").status()).isEqualTo(403);

    assertThat(world.refusals()).containsExactly("OTHER_BROWSER");
    assertThat(world.session(browser, SpWorld.HOME)).isEmpty();
    assertThat(world.opened()).isZero();
  }

  @Test
  void aProgramThatLooksAtTheAddressOfASavedLoginDropsNothing() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeReply saved = browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));

    assertThat(new TestBrowser(world, "198.51.100.7").fetch("GET", SpWorld.location(saved).toString()).status()).isEqualTo(403);
    browser.follow(saved);

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void ofParallelGetsOfOneSavedLoginOneOpensASession() throws Exception {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeReply saved = browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty()));
    EdgeRequest get = browser.request("GET", SpWorld.location(saved).toString(), "none", Map.of());

    List<Callable<EdgeReply>> calls = Collections.nCopies(16, () -> world.serve(get));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int cookies = 0;
      for (Future<EdgeReply> reply : threads.invokeAll(calls)) {
        assertThat(SpWorld.location(reply.get())).hasToString(SpWorld.HOME + "/here");
        cookies +=
            (int) reply.get().headers().all("Set-Cookie").stream().filter(set -> set.startsWith("__Host-gh_app")).count();
      }
      assertThat(cookies).isEqualTo(1);
    }
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void tabsCoexistBecauseTheyShareTheBrowsersValue() {
    AuthnRequest first = world.authnRequest(browser.open(SpWorld.HOME + "/one"));
    AuthnRequest second = world.authnRequest(browser.open(SpWorld.HOME + "/two"));

    EdgeReply one = browser.follow(browser.submitFromElsewhere(world.posted(world.response(first), Optional.empty())));
    EdgeReply two = browser.follow(browser.submitFromElsewhere(world.posted(world.response(second), Optional.empty())));

    assertThat(SpWorld.location(one)).hasToString(SpWorld.HOME + "/one");
    assertThat(SpWorld.location(two)).hasToString(SpWorld.HOME + "/two");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void theLoginPageMayStayOpenForHalfAnHour() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));

    world.time.advance(Duration.ofMinutes(30));
    browser.follow(browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));

    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void scriptsGet401AndOpenNothing() {
    EdgeReply reply = browser.fetch("GET", SpWorld.HOME + "/api/things");

    assertThat(reply.status()).isEqualTo(401);
    assertThat(reply.headers().first("WWW-Authenticate")).isPresent();
    assertThat(reply.headers().first("Set-Cookie")).isEmpty();
    assertThat(browser.fetch("POST", SpWorld.HOME + "/api/things").status()).isEqualTo(401);
    assertThat(browser.fetch("DELETE", SpWorld.HOME + "/api/things").status()).isEqualTo(401);
  }

  @Test
  void anUnusableIdentityProviderIsA503Page() {
    world.partnerIsUsable(false);

    EdgeReply reply = browser.open(SpWorld.HOME + "/here");

    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.headers().first("Location")).isEmpty();
  }

  @Test
  void wrongMethodsAnd404sAndMalformedParameters() {
    assertThat(browser.fetch("PUT", SamlFixtures.SP_ACS).status()).isEqualTo(405);
    assertThat(browser.fetch("PUT", SamlFixtures.SP_ACS).headers().first("Allow")).contains("GET, POST");
    assertThat(browser.open(SamlFixtures.SP_ACS).status()).isEqualTo(405);
    assertThat(browser.open(SpWorld.HOME + "/.gatehouse/nothing").status()).isEqualTo(404);
    assertThat(browser.open(SpWorld.OTHER + "/.gatehouse/saml/metadata").status()).isEqualTo(404);
    assertThat(browser.open(SpWorld.OTHER + "/.gatehouse/saml/acs?resume=x").status()).isEqualTo(404);
    assertThat(browser.open(SpWorld.HOME + "/.gatehouse/login?return=%zz").status()).isEqualTo(400);
    assertThat(browser.open(SpWorld.HOME + "/.gatehouse/login?return=/a&return=/b").status()).isEqualTo(400);
    assertThat(browser.open("https://strange.example/.gatehouse/login").status()).isEqualTo(404);
  }

  @Test
  void anAuditLogThatCannotBeWrittenKeepsTheSessionShut() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/here"));
    EdgeRequest post = world.posted(world.response(request), Optional.empty());
    world.audit.breakDown(true);

    assertThatThrownBy(() -> browser.submitWithCookies(post)).isInstanceOf(AuditUnavailable.class);

    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
  }

  /** Realms may share an identity provider, and browsers choose their cookies. */
  @Test
  void anAnswerToAnotherRealmsRequestIsNone() {
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + "/"));
    String key = browser.cookie(SpWorld.HOME, "__Host-gh_pre.demo").orElseThrow();
    EdgeRequest posted = world.posted(world.response(request), Optional.empty());
    EdgeRequest withCookies =
        new EdgeRequest(
            posted.method(), posted.origin(), posted.path(), posted.query(),
            posted.headers().and("Cookie", "__Host-gh_pre.other=" + key), posted.body(), posted.client());

    EdgeReply reply = world.sp.handle(TestRealms.change(world.realm()).name("other").realm(), withCookies);

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly("IN_RESPONSE_TO");
    assertThat(world.opened()).isZero();
  }
}

package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.TestDevice;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Sessions of the identity provider that are bound to the browser of their login, and what a copied cookie is worth elsewhere. */
final class SessionDeviceTest {

  private static final String COOKIE = "gh_idp.demo";
  private static final String BOUND = "gh_bound.demo";
  private static final String ACCOUNT = "/realms/demo/account";
  private static final String KEYS = "/realms/demo/session/";

  /** Requests that were under way at the registration need no proof. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(10);

  private final Idp idp = idp(SessionAssurance.ENFORCE);
  private final TestDevice laptop = new TestDevice();
  private final TestBrowser alice = idp.browser();
  private final TestBrowser thief = idp.browser();

  private static Idp idp(SessionAssurance assurance) {
    return new Idp(TestRealms.change(TestRealms.demo()).idpAssurance(assurance).realm());
  }

  @Test
  void aLoginLeadsByThePageThatMakesAKeyToItsResponse() {
    EdgeReply form = alice.follow(alice.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply page = alice.follow(alice.login(form, "alice", "demo"));
    assertThat(page.text()).contains("data-mode=\"create\"");
    assertThat(key(alice, laptop.registration(challenge(page))).status()).isEqualTo(200);
    assertThat(Idp.response(alice.get(target(page))).assertions()).hasSize(1);
    assertThat(idp.audit.events(AuditEvent.DeviceBound.class)).extracting(AuditEvent.DeviceBound::kind).containsExactly("web_crypto");
  }

  @Test
  void aCopiedCookieIsRefusedElsewhereWhileTheOwnerGoesOn() {
    signIn(alice, laptop);
    idp.time.advance(UNDER_WAY);
    thief.cookies.put(COOKIE, alice.cookies.get(COOKIE));

    assertThat(TestBrowser.isLoginForm(byForm(thief, idp.authnRequest(Idp.APP)))).isTrue();
    assertThat(thief.get(ACCOUNT).status()).isEqualTo(303);
    EdgeReply page = thief.get(KEYS + "proof?return=" + ACCOUNT);
    assertThat(key(thief, new TestDevice().proof(challenge(page))).text()).contains("not_signed_by_key");
    assertThat(key(thief, new TestDevice().registration(challenge(page))).status()).isEqualTo(400);
    assertThat(thief.cookies).doesNotContainKey(BOUND);
    assertThat(idp.audit.events(AuditEvent.DeviceDiffers.class)).isNotEmpty();

    assertThat(Idp.response(alice.get(Idp.redirect(idp.authnRequest(Idp.WIKI)))).assertions()).hasSize(1);
    assertThat(alice.get(ACCOUNT).text()).contains("Alice");
  }

  @Test
  void withTheCookieOfTheProvedKeyACopyLivesForFiveMinutes() {
    signIn(alice, laptop);
    idp.time.advance(UNDER_WAY);
    thief.cookies.putAll(alice.cookies);
    assertThat(thief.get(ACCOUNT).status()).isEqualTo(200);
    idp.time.advance(BoundCookies.LIFE.minus(UNDER_WAY));
    assertThat(thief.get(ACCOUNT).status()).isEqualTo(303);
    assertThat(TestBrowser.isLoginForm(byForm(thief, idp.authnRequest(Idp.APP)))).isTrue();
  }

  @Test
  void aCookieOfTheKeyThatNamesALaterEndIsNotOurs() {
    signIn(alice, laptop);
    String bound = Objects.requireNonNull(alice.cookies.get(BOUND));
    long end = Long.parseLong(bound.substring(0, bound.indexOf('.')));
    idp.time.advance(BoundCookies.LIFE);
    alice.cookies.put(BOUND, (end + 200) + bound.substring(bound.indexOf('.')));
    assertThat(alice.get(ACCOUNT).status()).isEqualTo(303);
  }

  @Test
  void anotherKindOfBrowserIsRefusedEvenWithBothCookies() {
    signIn(alice, laptop);
    thief.headers = Map.of("Accept", "text/html", "User-Agent", "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0");
    thief.cookies.putAll(alice.cookies);
    assertThat(thief.get(ACCOUNT).status()).isEqualTo(303);
    assertThat(byForm(thief, idp.authnRequest(Idp.APP)).text()).as("no way by the page").contains("name=\"password\"");
    assertThat(idp.audit.events(AuditEvent.DeviceDiffers.class))
        .extracting(AuditEvent.DeviceDiffers::reason, AuditEvent.DeviceDiffers::outcome)
        .containsExactly(tuple("fingerprint_differs", "refused"));
  }

  @Test
  void theOwnerProvesTheKeyAgainOnTheWayToAnAppAndToAPage() {
    signIn(alice, laptop);
    idp.time.advance(BoundCookies.LIFE);
    EdgeReply page = alice.follow(alice.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    assertThat(page.text()).contains("data-mode=\"prove\"");
    assertThat(key(alice, laptop.proof(challenge(page))).status()).isEqualTo(200);
    assertThat(Idp.response(alice.get(target(page))).assertions()).hasSize(1);

    alice.cookies.remove(BOUND);
    page = alice.follow(alice.get("/realms/demo/account/names"));
    assertThat(target(page)).isEqualTo("/realms/demo/account/names");
    assertThat(key(alice, laptop.proof(challenge(page))).status()).isEqualTo(200);
    assertThat(alice.get(target(page)).status()).isEqualTo(200);
    assertThat(idp.audit.events(AuditEvent.DeviceDiffers.class)).as("that the time is over is no event").isEmpty();
  }

  @Test
  void aPassiveRequestWaitsForTheProofTooAndShowsNoFormWithoutIt() {
    signIn(alice, laptop);
    idp.time.advance(BoundCookies.LIFE);
    EdgeReply lost = alice.follow(alice.get(Idp.redirect(passive())));
    assertThat(Idp.response(alice.get(TestBrowser.attribute(lost.text(), "data-login"))).assertions()).isEmpty();

    EdgeReply page = alice.follow(alice.get(Idp.redirect(passive())));
    assertThat(key(alice, laptop.proof(challenge(page))).status()).isEqualTo(200);
    assertThat(Idp.response(alice.get(target(page))).assertions()).hasSize(1);
  }

  private AuthnRequest passive() {
    AuthnRequest plain = idp.authnRequest(Idp.APP);
    AuthnRequest.Authentication passive = new AuthnRequest.Authentication(false, true, Optional.empty(), List.of());
    return new AuthnRequest(
        plain.id(), plain.version(), plain.issueInstant(), plain.issuer(), plain.destination(), plain.delivery(),
        plain.attributeConsumingServiceIndex(), plain.nameIdPolicy(), passive, plain.subject());
  }

  @Test
  void aBrowserThatHasLostItsKeyLogsInAgain() {
    signIn(alice, laptop);
    idp.time.advance(BoundCookies.LIFE);
    EdgeReply page = alice.follow(alice.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply form = alice.get(TestBrowser.attribute(page.text(), "data-login"));
    TestDevice another = new TestDevice();
    page = alice.follow(alice.login(form, "alice", "demo"));
    assertThat(key(alice, another.registration(challenge(page))).status()).isEqualTo(200);
    assertThat(Idp.response(alice.get(target(page))).assertions()).as("the sign-on that waited").hasSize(1);
  }

  @Test
  void aProofCountsOnceAndForItsSessionOnly() {
    signIn(alice, laptop);
    idp.time.advance(BoundCookies.LIFE);
    String challenge = challenge(alice.get(KEYS + "proof?return=" + ACCOUNT));
    String proof = laptop.proof(challenge);
    assertThat(key(alice, proof).status()).isEqualTo(200);
    assertThat(key(alice, proof).text()).contains("challenge_replayed");

    // The same key in another session of the same browser: the challenge was made for one session.
    TestBrowser other = idp.browser();
    signIn(other, laptop);
    idp.time.advance(BoundCookies.LIFE);
    String mine = challenge(alice.get(KEYS + "proof?return=" + ACCOUNT));
    assertThat(key(other, laptop.proof(mine)).text()).contains("foreign_challenge");
    idp.time.advance(Duration.ofMinutes(2));
    assertThat(key(alice, laptop.proof(mine)).text()).contains("challenge_expired");
    other.cookies.put(BOUND, alice.cookies.get(BOUND));
    assertThat(other.get(ACCOUNT).status()).as("the cookie of another session").isEqualTo(303);
  }

  /** The files of a browser were copied, with the key that a script made. */
  @Test
  void aCopiedKeyProvesNothingOnOtherHardwareInAnotherTimeZone() {
    EdgeReply page = afterLogin(alice);
    assertThat(key(alice, laptop.registrationByPage(challenge(page), "Europe/Berlin", "8/16/0")).status()).isEqualTo(200);
    idp.time.advance(BoundCookies.LIFE);
    assertThat(key(alice, laptop.proofByPage(anotherChallenge(), "Asia/Tokyo", "32/32/10")).text()).contains("other_device");
    assertThat(key(alice, laptop.proofByPage(anotherChallenge(), "Asia/Tokyo", "8/16/0")).status()).as("a journey").isEqualTo(200);
    assertThat(key(alice, laptop.proof(anotherChallenge())).status()).as("a page of the version before").isEqualTo(200);
    assertThat(key(alice, laptop.proofByPage(anotherChallenge(), "Asia/Tokyo", "")).text()).as("silence").contains("other_device");
  }

  private String anotherChallenge() {
    return challenge(alice.get(KEYS + "proof?return=" + ACCOUNT));
  }

  @Test
  void twoPagesOfOneBrowserRegisterOneKey() {
    EdgeReply first = afterLogin(alice);
    EdgeReply second = alice.get(KEYS + "proof?return=" + ACCOUNT);
    assertThat(key(alice, laptop.registration(challenge(first))).status()).isEqualTo(200);
    assertThat(key(alice, laptop.registration(challenge(second))).status()).isEqualTo(200);
    assertThat(idp.audit.events(AuditEvent.DeviceBound.class)).hasSize(1);
  }

  @Test
  void ofManyKeysOneIsRegistered() throws Exception {
    afterLogin(alice);
    List<Callable<Integer>> work = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      TestBrowser copy = idp.browser();
      copy.cookies.putAll(alice.cookies);
      String registration = new TestDevice().registration(challenge(copy.get(KEYS + "proof?return=" + ACCOUNT)));
      work.add(() -> key(copy, registration).status());
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> done : threads.invokeAll(work)) {
        statuses.add(done.get());
      }
      assertThat(statuses).containsOnlyOnce(200).allMatch(status -> status == 200 || status == 400);
    }
  }

  @Test
  void withoutAKeyASessionEndsToCountAfterFiveMinutesAndTakesNone() {
    EdgeReply page = afterLogin(alice);
    String challenge = challenge(page);
    assertThat(alice.get(ACCOUNT).status()).isEqualTo(200);
    idp.time.advance(BoundCookies.LIFE);
    assertThat(alice.get(ACCOUNT).status()).isEqualTo(303);
    assertThat(alice.get(KEYS + "proof?return=" + ACCOUNT).headers().first("Location")).contains(ACCOUNT);
    assertThat(key(alice, laptop.registration(challenge)).text()).contains("too_late");
    assertThat(idp.audit.events(AuditEvent.DeviceDiffers.class)).extracting(AuditEvent.DeviceDiffers::reason).contains("key_missing");
  }

  @Test
  void withoutScriptsAButtonLeavesTheFingerprint() {
    EdgeReply page = afterLogin(alice);
    Map<String, String> form = Map.of("return", ACCOUNT, "csrf", TestBrowser.field(page.text(), "csrf"));
    assertThat(alice.post(KEYS + "proof", Map.of("return", ACCOUNT, "csrf", "x")).status()).isEqualTo(403);
    assertThat(alice.post(KEYS + "proof", form).headers().first("Location")).contains(ACCOUNT);
    idp.time.advance(Duration.ofMinutes(20));
    assertThat(alice.get(ACCOUNT).status()).isEqualTo(200);
    assertThat(key(alice, laptop.registration(challenge(page))).status()).isEqualTo(400);
  }

  @Test
  void theButtonUnbindsNothing() {
    EdgeReply page = signIn(alice, laptop);
    thief.cookies.put(COOKIE, alice.cookies.get(COOKIE));
    thief.post(KEYS + "proof", Map.of("return", ACCOUNT, "csrf", TestBrowser.field(page.text(), "csrf")));
    idp.time.advance(UNDER_WAY);
    assertThat(thief.get(ACCOUNT).status()).isEqualTo(303);
  }

  @Test
  void thePageLeadsNowhereElse() {
    afterLogin(alice);
    for (String elsewhere : List.of("https://evil.example/", "//evil.example/", "/realms/other/account", "/realms/demo/%5C..%0d")) {
      assertThat(target(alice.get(KEYS + "proof?return=" + elsewhere.replace("%5C", "%255C").replace("%0d", "%0D"))))
          .startsWith("/realms/demo/");
    }
  }

  @Test
  void theBrowsersOwnKeyReplacesThatOfThePageByItsInvitationOnly() {
    TestBrowser secure = new TestBrowser(idp.dispatch, Origin.of(URI.create("https://idp.localhost:8443")));
    EdgeReply reply = secure.login(secure.get("/realms/demo/login"), "alice", "demo");
    String invited = reply.headers().first("Secure-Session-Registration").orElseThrow();
    EdgeReply page = secure.follow(reply);
    assertThat(key(secure, laptop.registration(challenge(page))).status()).isEqualTo(200);

    TestDevice chip = new TestDevice();
    String later = challenge(secure.get(KEYS + "proof?return=" + ACCOUNT));
    assertThat(proved(secure, "registration", chip.registration(later)).text()).contains("already_bound");
    String challenge = invited.substring(invited.indexOf("challenge=\"") + 11, invited.lastIndexOf('"'));
    EdgeReply registered = proved(secure, "registration", chip.registration(challenge));
    assertThat(registered.text()).contains("\"refresh_url\":\"/realms/demo/session/refresh\"", "\"path\":\"/realms/demo/\"");
    assertThat(secure.get(ACCOUNT).status()).isEqualTo(200);
    assertThat(proved(secure, "registration", new TestDevice().registration(challenge)).text()).contains("already_bound");

    idp.time.advance(BoundCookies.LIFE);
    assertThat(secure.get(KEYS + "proof?return=" + ACCOUNT).status()).as("a page could not prove it").isEqualTo(303);
    EdgeReply asked = secure.post(KEYS + "refresh", Map.of());
    assertThat(asked.status()).isEqualTo(403);
    String fresh = asked.headers().first("Secure-Session-Challenge").orElseThrow();
    fresh = fresh.substring(1, fresh.indexOf('"', 1));
    assertThat(proved(secure, "refresh", laptop.proof(fresh)).text()).contains("not_signed_by_key");
    assertThat(proved(secure, "refresh", chip.proof(fresh)).status()).isEqualTo(200);
    assertThat(secure.get(ACCOUNT).status()).isEqualTo(200);
  }

  @Test
  void elsewhereALogoutEndsTheSessionAndTellsNoName() {
    signIn(alice, laptop);
    idp.time.advance(UNDER_WAY);
    thief.headers = Map.of("Accept", "text/html", "User-Agent", "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0");
    thief.cookies.put(COOKIE, alice.cookies.get(COOKIE));
    EdgeReply question = thief.get("/realms/demo/logout");
    assertThat(question.text()).doesNotContain("alice").contains("Sign out");
    thief.post("/realms/demo/logout", Map.of("csrf", TestBrowser.field(question.text(), "csrf")));
    assertThat(alice.get(ACCOUNT).status()).isEqualTo(303);
    assertThat(idp.audit.events(AuditEvent.SessionEnded.class)).hasSize(1);
  }

  @Test
  void observeAuditsAndRefusesNothing() {
    Idp observing = idp(SessionAssurance.OBSERVE);
    TestBrowser owner = observing.browser();
    EdgeReply next = owner.login(owner.get("/realms/demo/login"), "alice", "demo");
    assertThat(next.headers().first("Location")).as("no page of ours").contains(ACCOUNT);
    TestBrowser copy = observing.browser();
    copy.headers = Map.of("Accept", "text/html", "User-Agent", "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0");
    copy.cookies.putAll(owner.cookies);
    assertThat(copy.get(ACCOUNT).status()).isEqualTo(200);
    assertThat(copy.get(ACCOUNT).status()).isEqualTo(200);
    assertThat(observing.audit.events(AuditEvent.DeviceDiffers.class))
        .as("once in five minutes")
        .extracting(AuditEvent.DeviceDiffers::outcome)
        .containsExactly("observed");
  }

  @Test
  void withoutAssuranceNothingIsCheckedAndSessionsFromThenHaveToBeginAgain() {
    Idp off = idp(SessionAssurance.OFF);
    TestBrowser owner = off.browser();
    owner.login(owner.get("/realms/demo/login"), "alice", "demo");
    TestBrowser copy = off.browser();
    copy.headers = Map.of("Accept", "text/html", "User-Agent", "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0");
    copy.cookies.putAll(owner.cookies);
    assertThat(copy.get(ACCOUNT).status()).isEqualTo(200);
    off.time.advance(BoundCookies.LIFE);

    off.realms.set(TestRealms.change(TestRealms.demo()).idpAssurance(SessionAssurance.ENFORCE).realm());
    assertThat(owner.get(ACCOUNT).status()).isEqualTo(303);
  }

  private EdgeReply afterLogin(TestBrowser browser) {
    return browser.follow(browser.login(browser.get("/realms/demo/login"), "alice", "demo"));
  }

  private EdgeReply signIn(TestBrowser browser, TestDevice device) {
    EdgeReply page = afterLogin(browser);
    assertThat(key(browser, device.registration(challenge(page))).status()).isEqualTo(200);
    return page;
  }

  /** Where a browser without a proof ends: a page that asks for one is left by its link to the form. */
  private EdgeReply byForm(TestBrowser browser, AuthnRequest request) {
    EdgeReply reply = browser.get(Idp.redirect(request));
    return reply.status() == 303 ? browser.get(TestBrowser.attribute(browser.follow(reply).text(), "data-login")) : reply;
  }

  private static EdgeReply key(TestBrowser browser, String proof) {
    return proved(browser, "key", proof);
  }

  private static EdgeReply proved(TestBrowser browser, String path, String proof) {
    Map<String, String> before = browser.headers;
    browser.headers = new LinkedHashMap<>(before);
    browser.headers.put("Secure-Session-Response", proof);
    try {
      return browser.post(KEYS + path, Map.of());
    } finally {
      browser.headers = before;
    }
  }

  private static String challenge(EdgeReply page) {
    return TestBrowser.attribute(page.text(), "data-challenge");
  }

  private static String target(EdgeReply page) {
    return TestBrowser.attribute(page.text(), "data-target");
  }
}

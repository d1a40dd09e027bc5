package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.admin.PasskeyView;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.device.TestDevice;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.passkey.Passkeys.Addition;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.idp.admin.PasskeysResource;
import dev.gatehouse.idp.passkey.SoftAuthenticator;
import dev.gatehouse.idp.session.AuthnContexts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Passkeys as people meet them, from the offer after a password to the login without one. */
final class PasskeyLoginTest {

  private static final String LOGIN = "/realms/demo/login";
  private static final String ACCOUNT = "/realms/demo/account";
  private static final String PASSKEYS = ACCOUNT + "/passkeys";
  private static final String OFFER = PASSKEYS + "/offer";
  private static final String NOTICE = PASSKEYS + "/notice";

  private final SoftAuthenticator phone = new SoftAuthenticator("phone");
  private Idp idp = idp(new ContractsConfig.Passkeys("idp.localhost"), SessionAssurance.OFF);
  private TestBrowser alice = idp.browser();

  /** Whether logins tell of what the test adds; else the person has been told of it. */
  private boolean tells;

  private static Idp idp(ContractsConfig.Passkeys passkeys, SessionAssurance assurance) {
    return new Idp(realm(passkeys, assurance));
  }

  private static Realm realm(ContractsConfig.Passkeys passkeys, SessionAssurance assurance) {
    ContractsConfig contracts =
        new ContractsConfig(
            false, SecondFactor.OPTIONAL, new ContractsConfig.Totp(Optional.empty(), 6), Optional.empty(), Optional.empty(),
            Optional.of(passkeys), Optional.empty());
    return TestRealms.change(TestRealms.demo()).contracts(contracts).idpAssurance(assurance).realm();
  }

  private void enforceDevices() {
    idp = idp(new ContractsConfig.Passkeys("idp.localhost"), SessionAssurance.ENFORCE);
    alice = idp.browser();
  }

  // --- the offer ---

  @Test
  void aLoginByPasswordLeadsByTheOfferToWhatWaits() {
    EdgeReply form = alice.follow(alice.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply offer = alice.follow(alice.login(form, "alice", "demo"));
    assertThat(offer.text()).contains("data-passkey=\"create\"", "Not now", "The app");
    EdgeReply added = add(alice, offer, phone);
    assertThat(Idp.response(alice.follow(added)).assertions()).hasSize(1);
    assertThat(idp.passkeys.of("demo", FakeDirectory.ALICE.id())).hasSize(1);
    assertThat(idp.audit.events(AuditEvent.PasskeyChanged.class)).extracting(AuditEvent.PasskeyChanged::change).containsExactly("enrolled");
  }

  // --- the notice ---

  @Test
  void theNextLoginTellsOfAPasskeyUntilThePersonGoesOnByTheButton() {
    tells = true;
    TestBrowser thief = idp.browser();
    add(thief, thief.follow(signIn(thief)), new SoftAuthenticator("thief"));

    EdgeReply form = alice.follow(alice.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply led = alice.login(form, "alice", "demo");
    assertThat(to(led)).startsWith(NOTICE + "?pending=");
    EdgeReply notice = alice.follow(led);
    assertThat(notice.text())
        .contains("A passkey was added to your account", "If that was not you", "href=\"" + PASSKEYS + "\"", "The app", "<time")
        .doesNotContain("<script", "Phone");
    TestBrowser closed = idp.browser();
    closed.headers = Map.of("Accept-Language", "de");
    assertThat(closed.follow(signIn(closed)).text()).as("nobody pressed the button").contains("wurde ein Passkey hinzugefügt");

    assertThat(alice.post(NOTICE, Map.of("upTo", TestBrowser.field(notice.text(), "upTo"))).status()).as("from another site").isEqualTo(403);
    assertThat(Idp.response(alice.follow(goOn(alice, notice))).assertions()).hasSize(1);
    assertThat(to(signIn(idp.browser()))).isEqualTo(ACCOUNT);
    assertThat(closed.get(NOTICE).text()).as("put away in another browser").contains("wurde ein Passkey hinzugefügt");
  }

  @Test
  void whoAddedAPasskeyDoesNotPutItsNoticeAwayNorWithdrawsIt() {
    tells = true;
    TestBrowser thief = idp.browser();
    add(thief, thief.follow(signIn(thief)), new SoftAuthenticator("thief"));
    long number = idp.passkeys.additions("demo", FakeDirectory.ALICE.id()).getFirst().number();
    // A new login in the same browser goes on in the same session, under another token.
    idp.time.advance(Duration.ofMinutes(11));
    EdgeReply login = thief.follow(act(thief, thief.get(PASSKEYS), Map.of("action", "begin")));
    assertThat(to(thief.follow(thief.login(login, "alice", "demo")))).as("nothing that this browser may put away").isEqualTo(PASSKEYS);
    assertThat(to(thief.get(NOTICE))).isEqualTo(ACCOUNT);
    act(thief, thief.get(PASSKEYS), Map.of("action", "remove", "passkey", new SoftAuthenticator("thief").id()));
    assertThat(idp.passkeys.of("demo", FakeDirectory.ALICE.id())).isEmpty();

    EdgeReply notice = alice.follow(signIn(alice));
    assertThat(notice.text()).contains("A passkey was added to your account");
    String csrf = TestBrowser.field(notice.text(), "csrf");
    add(thief, thief.get(PASSKEYS), new SoftAuthenticator("second"));
    assertThat(to(alice.post(NOTICE, Map.of("csrf", csrf, "upTo", Long.toString(number + 5))))).isEqualTo(ACCOUNT);
    assertThat(idp.passkeys.additions("demo", FakeDirectory.ALICE.id())).as("a number that no page showed")
        .extracting(Addition::isTold).containsExactly(false, false);
    goOn(alice, notice);
    assertThat(alice.get(NOTICE).text()).as("the one that the page did not show").contains("A passkey was added to your account");
  }

  @Test
  void aThiefWithTwoBrowsersDoesNotPutTheNoticeAwayInTheOwnersBrowser() {
    tells = true;
    signIn(alice);
    idp.time.advance(Duration.ofDays(1));
    TestBrowser thief = idp.browser();
    add(thief, thief.follow(signIn(thief)), new SoftAuthenticator("thief"));
    TestBrowser second = idp.browser();
    assertThat(to(goOn(second, second.follow(signIn(second))))).isEqualTo(ACCOUNT);
    assertThat(to(signIn(idp.browser()))).as("put away; this browser knows nobody").isEqualTo(ACCOUNT);

    idp.time.advance(Duration.ofDays(14));
    EdgeReply notice = alice.follow(signIn(alice));
    assertThat(notice.text()).contains("A passkey was added to your account");
    goOn(alice, notice);
    idp.time.advance(Duration.ofDays(1));
    assertThat(to(signIn(alice))).as("once in each").isEqualTo(ACCOUNT);
    assertThat(to(signIn(second))).isEqualTo(ACCOUNT);
    idp.time.advance(Passkeys.TOLD_FOR);
    signIn(thief);
    add(thief, thief.get(PASSKEYS), new SoftAuthenticator("another"));
    assertThat(to(signIn(second))).as("a later one").isEqualTo(NOTICE);
  }

  @Test
  void aLoginWithASecondStepTellsToo() {
    tells = true;
    strongPasskey();
    TestBrowser laptop = idp.browser();
    EdgeReply step = laptop.follow(signIn(laptop));
    String path = TestBrowser.attribute(step.text(), "data-options");
    EdgeReply in = laptop.post(path, Map.of("csrf", TestBrowser.field(step.text(), "csrf"), "response", answer(laptop, path, phone)));
    assertThat(to(in)).isEqualTo(NOTICE);
    TestBrowser passkey = idp.browser();
    assertThat(to(byPasskey(passkey, passkey.get(LOGIN), phone))).isEqualTo(NOTICE);
  }

  private static EdgeReply goOn(TestBrowser in, EdgeReply notice) {
    return in.post(
        TestBrowser.attribute(notice.text(), "action"),
        Map.of("csrf", TestBrowser.field(notice.text(), "csrf"), "upTo", TestBrowser.field(notice.text(), "upTo")));
  }

  @Test
  void theAccountPageTellsOfAPasskeyForSomeWeeksWithoutAnyMail() {
    EdgeReply offer = alice.follow(signIn(alice));
    assertThat(alice.get(ACCOUNT).text()).doesNotContain("A passkey was added");
    add(alice, offer, phone);
    TestBrowser other = idp.browser();
    signIn(other);
    assertThat(other.get(ACCOUNT).text()).contains("A passkey was added to your account", "href=\"" + PASSKEYS + "\"");
    idp.time.advance(Duration.ofDays(31));
    TestBrowser later = idp.browser();
    signIn(later);
    assertThat(later.get(ACCOUNT).text()).contains("Your account").doesNotContain("A passkey was added");
  }

  @Test
  void notNowIsRememberedForThePersonAndNothingElse() {
    EdgeReply offer = alice.follow(signIn(alice));
    assertThat(alice.post(OFFER, Map.of("action", "later")).status()).as("from another site").isEqualTo(403);
    EdgeReply later = alice.post(OFFER, Map.of("action", "later", "csrf", TestBrowser.field(offer.text(), "csrf")));
    assertThat(to(later)).isEqualTo(ACCOUNT);
    assertThat(to(signIn(idp.browser()))).isEqualTo(ACCOUNT);
    assertThat(idp.passkeys.of("demo", FakeDirectory.ALICE.id())).isEmpty();
    TestBrowser bob = idp.browser();
    assertThat(to(bob.login(bob.get(LOGIN), "bob", "demo"))).as("others are asked").isEqualTo(OFFER);
  }

  @Test
  void whoClosesThePageIsAskedAgainAndWhoHasAPasskeyIsNot() {
    assertThat(to(signIn(alice))).isEqualTo(OFFER);
    TestBrowser other = idp.browser();
    assertThat(to(signIn(other))).isEqualTo(OFFER);
    add(other, other.get(OFFER), phone);
    assertThat(to(signIn(idp.browser()))).isEqualTo(ACCOUNT);
    assertThat(to(alice.get(OFFER))).as("answered in another browser").isEqualTo(ACCOUNT);
  }

  @Test
  void nothingIsOfferedWithoutASessionLongAfterTheLoginOrWhereItIsOff() {
    assertThat(to(alice.get(OFFER))).isEqualTo(LOGIN);
    signIn(alice);
    idp.time.advance(Duration.ofMinutes(11));
    assertThat(to(alice.get(OFFER))).isEqualTo(ACCOUNT);
    idp.realms.set(realm(new ContractsConfig.Passkeys("idp.localhost", false, List.of()), SessionAssurance.OFF));
    assertThat(to(signIn(idp.browser()))).isEqualTo(ACCOUNT);
    idp.realms.set(TestRealms.demo());
    assertThat(to(signIn(idp.browser()))).isEqualTo(ACCOUNT);
  }

  @Test
  void aRefusedPasskeyIsToldAndAnswersNothing() {
    EdgeReply offer = alice.follow(signIn(alice));
    EdgeReply refused = alice.post(OFFER, Map.of("action", "add", "csrf", TestBrowser.field(offer.text(), "csrf"), "response", "{}"));
    assertThat(alice.follow(refused).text()).contains("The passkey was not accepted", "Not now");
  }

  // --- logins ---

  @Test
  void aLoginByPasskeyTakesADevicesKeyLikeOneByPassword() {
    enforceDevices();
    EdgeReply key = alice.follow(signIn(alice));
    assertThat(key.text()).contains("data-mode=\"create\"");
    register(alice, key, new TestDevice());
    add(alice, alice.get(TestBrowser.attribute(key.text(), "data-target")), phone);

    TestBrowser laptop = idp.browser();
    EdgeReply form = laptop.follow(laptop.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply page = laptop.follow(byPasskey(laptop, form, phone));
    assertThat(page.text()).contains("data-mode=\"create\"");
    register(laptop, page, new TestDevice());
    assertThat(Idp.response(laptop.get(TestBrowser.attribute(page.text(), "data-target"))).assertions()).hasSize(1);
    assertThat(idp.audit.events(AuditEvent.DeviceBound.class)).hasSize(2);
  }

  @Test
  void aSecondStepByPasskeyTakesADevicesKeyToo() {
    enforceDevices();
    strongPasskey();
    TestBrowser laptop = idp.browser();
    EdgeReply step = laptop.follow(signIn(laptop));
    String path = TestBrowser.attribute(step.text(), "data-options");
    EdgeReply in =
        laptop.post(path, Map.of("csrf", TestBrowser.field(step.text(), "csrf"), "response", answer(laptop, path, phone)));
    assertThat(laptop.follow(in).text()).contains("data-mode=\"create\"");
  }

  @Test
  void whoHasAStrongPasskeyGetsNoSessionByThePasswordAlone() {
    strongPasskey();
    TestBrowser thief = idp.browser();
    EdgeReply step = thief.follow(signIn(thief));
    assertThat(step.text()).contains("data-passkey=\"second\"");
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(to(thief.get("/realms/demo/login/set-up" + query(step)))).as("no app either").contains("/login/second");
  }

  @Test
  void aPartnerThatAsksForAPasskeyGetsOneThatCounts() {
    add(alice, alice.follow(signIn(alice)), phone);
    AuthnRequest asking = Requests.context(idp.authnRequest(Idp.APP), "exact", AuthnContexts.PHISHING_RESISTANT);
    EdgeReply step = alice.follow(alice.get(Idp.redirect(asking)));
    assertThat(step.text()).as("the session's password is not enough, nor is this passkey").doesNotContain("data-passkey=\"second\"", "SAMLResponse");

    idp.passkeys.setLevel("demo", FakeDirectory.ALICE.id(), phone.id(), "SECOND_FACTOR");
    AuthnRequest again = Requests.context(idp.authnRequest(Idp.APP), "exact", AuthnContexts.PHISHING_RESISTANT);
    step = alice.follow(alice.get(Idp.redirect(again)));
    String path = TestBrowser.attribute(step.text(), "data-options");
    EdgeReply in = alice.post(path, Map.of("csrf", TestBrowser.field(step.text(), "csrf"), "response", answer(alice, path, phone)));
    assertThat(
            Idp.response(alice.follow(in)).assertions().getFirst().authnStatement().flatMap(statement -> statement.authnContextClassRef()))
        .contains(AuthnContexts.PHISHING_RESISTANT);
  }

  /** The thief knows the password, and enrols while nobody has anything stronger. */
  @Test
  void aPasskeyOfAThiefIsWorthThePasswordEvenWhenTheOwnerBecomesStrong() {
    SoftAuthenticator stolen = new SoftAuthenticator("thief");
    TestBrowser thief = idp.browser();
    add(thief, thief.follow(signIn(thief)), stolen);

    TestBrowser again = idp.browser();
    assertThat(to(byPasskey(again, again.get(LOGIN), stolen))).isEqualTo(ACCOUNT);
    assertThat(act(again, again.get(PASSKEYS), Map.of("action", "confirm", "passkey", stolen.id())).status()).isEqualTo(303);
    assertThat(idp.passkeys.find("demo", stolen.id()).orElseThrow().isStrong()).as("confirmed by what is no stronger").isFalse();

    enrolApp();
    TestBrowser later = idp.browser();
    EdgeReply step = byPasskey(later, later.get(LOGIN), stolen);
    assertThat(to(step)).as("asked for the owner's app").contains("/login/second?step=");
    EdgeReply page = later.follow(step);
    assertThat(page.text()).doesNotContain("data-passkey=\"second\"");
    assertThat(later.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(to(act(again, again.get(PASSKEYS), Map.of("action", "confirm", "passkey", stolen.id())))).contains("/login");
    assertThat(idp.passkeys.find("demo", stolen.id()).orElseThrow().isStrong()).isFalse();
  }

  @Test
  void afterALoginWithASecondFactorTheOwnerConfirmsAndThenNeedsNothingElse() {
    add(alice, alice.follow(signIn(alice)), phone);
    Authenticator app = enrolApp();
    TestBrowser strong = idp.browser();
    idp.time.advance(Duration.ofSeconds(30));
    code(strong, strong.follow(signIn(strong)), app);
    act(strong, strong.get(PASSKEYS), Map.of("action", "confirm", "passkey", phone.id()));
    assertThat(idp.passkeys.find("demo", phone.id()).orElseThrow().isStrong()).as("a button proves no possession").isFalse();
    assertThat(to(confirm(strong, phone, new SoftAuthenticator("other")))).contains("wrong=passkey");
    assertThat(to(confirm(strong, phone, phone))).contains("done=confirmed");
    assertThat(idp.passkeys.find("demo", phone.id()).orElseThrow().isStrong()).isTrue();
    TestBrowser laptop = idp.browser();
    assertThat(to(byPasskey(laptop, laptop.get(LOGIN), phone))).isEqualTo(ACCOUNT);
    assertThat(laptop.get(ACCOUNT).status()).isEqualTo(200);
  }

  /** The thief's passkey stands in the owner's list, and the owner confirms it by mistake, without having it. */
  @Test
  void whatTheOwnerDoesNotHaveInTheHandIsNotConfirmed() {
    SoftAuthenticator stolen = new SoftAuthenticator("thief");
    TestBrowser thief = idp.browser();
    add(thief, thief.follow(signIn(thief)), stolen);
    signIn(alice);
    add(alice, alice.get(PASSKEYS), phone);
    Authenticator app = enrolApp();
    TestBrowser strong = idp.browser();
    idp.time.advance(Duration.ofSeconds(30));
    code(strong, strong.follow(signIn(strong)), app);
    EdgeReply asked = strong.follow(act(strong, strong.get(PASSKEYS), Map.of("action", "confirm", "passkey", stolen.id())));
    assertThat(asked.text()).contains("data-passkey=\"get\"");
    assertThat(to(confirm(strong, stolen, phone))).as("the owner's own in its place").contains("wrong=passkey");
    assertThat(idp.passkeys.find("demo", stolen.id()).orElseThrow().isStrong()).isFalse();
  }

  private EdgeReply confirm(TestBrowser browser, SoftAuthenticator named, SoftAuthenticator used) {
    EdgeReply page = browser.follow(act(browser, browser.get(PASSKEYS), Map.of("action", "confirm", "passkey", named.id())));
    String path = TestBrowser.attribute(page.text(), "data-options");
    return act(browser, page, Map.of("action", "confirm", "passkey", named.id(), "response", answer(browser, path, used)));
  }

  /** The passkey is everything that the person has: it is enough for changes, and the password alone is not. */
  @Test
  void changesNeedTheStrongPasskeyAgainAndNoApp() {
    strongPasskey();
    idp.time.advance(Duration.ofMinutes(11));
    EdgeReply page = alice.get(PASSKEYS);
    assertThat(page.text()).doesNotContain("data-passkey=\"create\"");
    EdgeReply login = alice.follow(act(alice, page, Map.of("action", "begin")));
    assertThat(to(byPasskey(alice, login, phone))).isEqualTo(PASSKEYS);
    page = alice.get(PASSKEYS);
    assertThat(page.text()).contains("data-passkey=\"create\"");
    add(alice, page, new SoftAuthenticator("tablet"));
    assertThat(idp.passkeys.of("demo", FakeDirectory.ALICE.id())).allMatch(p -> p.isStrong()).hasSize(2);

    idp.time.advance(Duration.ofMinutes(11));
    TestBrowser laptop = idp.browser();
    EdgeReply step = laptop.follow(signIn(laptop));
    String path = TestBrowser.attribute(step.text(), "data-options");
    laptop.post(path, Map.of("csrf", TestBrowser.field(step.text(), "csrf"), "response", answer(laptop, path, phone)));
    assertThat(laptop.get(PASSKEYS).text()).as("after password and passkey").contains("data-passkey=\"create\"");
  }

  /** A login of today does not count for a change, whatever the browser sends. */
  @Test
  void anOldLoginAddsConfirmsAndRemovesNothing() {
    add(alice, alice.follow(signIn(alice)), phone);
    EdgeReply page = alice.get(PASSKEYS);
    String made = new SoftAuthenticator("late").create(challenge(alice.get(PASSKEYS + "/options")));
    idp.time.advance(Duration.ofMinutes(11));
    for (Map<String, String> change :
        List.of(
            Map.of("action", "remove", "passkey", phone.id()), Map.of("action", "confirm", "passkey", phone.id()),
            Map.of("action", "add", "response", made))) {
      assertThat(to(act(alice, page, change))).as(change.get("action")).contains("/login?pending=");
    }
    assertThat(alice.get(PASSKEYS + "/options").status()).isEqualTo(403);
    EdgeReply offer = alice.post(OFFER, Map.of("action", "add", "response", made, "csrf", "guessed"));
    assertThat(offer.status()).isEqualTo(403);
    assertThat(idp.passkeys.of("demo", FakeDirectory.ALICE.id())).extracting(p -> p.id()).containsExactly(phone.id());
  }

  @Test
  void anAnswerForAnotherBrowserOrAnotherSignOnIsRefused() {
    add(alice, alice.follow(signIn(alice)), phone);
    TestBrowser victim = idp.browser();
    TestBrowser thief = idp.browser();
    EdgeReply form = victim.get(LOGIN);
    EdgeReply other = thief.get(LOGIN);
    String path = TestBrowser.attribute(form.text(), "data-options");
    String forVictim = answer(victim, path, phone);
    assertThat(to(thief.post(path, Map.of("csrf", TestBrowser.field(other.text(), "csrf"), "response", forVictim))))
        .endsWith("wrong=passkey");
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(to(victim.post(path, Map.of("response", forVictim)))).as("without our form").endsWith("wrong=form");
    idp.directory.remove(FakeDirectory.ALICE);
    assertThat(to(victim.post(path, Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "response", forVictim))))
        .as("the person has left")
        .endsWith("wrong=passkey");
  }

  @Test
  void aDisabledAccountDoesNotLogInByPasskey() {
    add(alice, alice.follow(signIn(alice)), phone);
    idp.directory.disable(FakeDirectory.ALICE);
    TestBrowser laptop = idp.browser();
    assertThat(to(byPasskey(laptop, laptop.get(LOGIN), phone))).endsWith("wrong=passkey");
    assertThat(laptop.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class))
        .extracting(AuditEvent.LoginRefused::name, AuditEvent.LoginRefused::contract, AuditEvent.LoginRefused::reason)
        .containsExactly(tuple("alice", "passkey", "DISABLED"));
    idp.directory.enable(FakeDirectory.ALICE);
    assertThat(to(byPasskey(laptop, laptop.get(LOGIN), phone))).isEqualTo(ACCOUNT);
  }

  @Test
  void anAccountThatIsDisabledAfterTheFirstStepGetsNoSecondOne() {
    strongPasskey();
    TestBrowser laptop = idp.browser();
    EdgeReply step = laptop.follow(signIn(laptop));
    String path = TestBrowser.attribute(step.text(), "data-options");
    String answer = answer(laptop, path, phone);
    idp.directory.disable(FakeDirectory.ALICE);
    assertThat(laptop.post(path, Map.of("csrf", TestBrowser.field(step.text(), "csrf"), "response", answer)).status()).isEqualTo(400);
    assertThat(laptop.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class)).extracting(AuditEvent.LoginRefused::reason).containsExactly("DISABLED");
  }

  @Test
  void anAdministratorSeesAndRemovesAPasskeyWhichThenOpensNothing() {
    SoftAuthenticator tablet = new SoftAuthenticator("tablet");
    add(alice, alice.follow(signIn(alice)), phone);
    add(alice, alice.get(PASSKEYS), tablet);
    idp.passkeys.setLevel("demo", FakeDirectory.ALICE.id(), phone.id(), "SECOND_FACTOR");
    PasskeysResource resource = new PasskeysResource(idp.passkeys, idp.realms, realm -> idp.directory, idp.audit);
    TestBrowser laptop = idp.browser();
    assertThat(to(byPasskey(laptop, laptop.get(LOGIN), phone))).isEqualTo(ACCOUNT);
    for (String known : List.of("alice", FakeDirectory.ALICE.id().value())) {
      assertThat(resource.ofPerson("demo", known))
          .extracting(PasskeyView::id, PasskeyView::label, PasskeyView::strong, view -> view.usedAt().isPresent())
          .containsExactly(tuple(phone.id(), "Phone", true, true), tuple(tablet.id(), "Phone", false, false));
    }
    assertThat(resource.ofPerson("demo", "bob")).isEmpty();
    assertThat(resource.ofPerson("other", "alice")).isEmpty();
    idp.audit.clear();
    assertThat(resource.remove("demo", "bob", Optional.of(phone.id()))).as("another person's").isFalse();
    assertThat(resource.remove("demo", "alice", Optional.of("none"))).isFalse();
    assertThat(idp.audit.events(AuditEvent.PasskeyChanged.class)).isEmpty();
    assertThat(resource.remove("demo", "alice", Optional.of(phone.id()))).isTrue();
    assertThat(idp.audit.events(AuditEvent.PasskeyChanged.class))
        .extracting(AuditEvent.PasskeyChanged::person, AuditEvent.PasskeyChanged::change)
        .containsExactly(tuple(FakeDirectory.ALICE.id().value(), "reset"));
    TestBrowser stolen = idp.browser();
    assertThat(to(byPasskey(stolen, stolen.get(LOGIN), phone))).endsWith("wrong=passkey");
    idp.directory.remove(FakeDirectory.ALICE);
    assertThat(resource.remove("demo", FakeDirectory.ALICE.id().value(), Optional.empty())).as("who has left is known by id").isTrue();
    assertThat(idp.passkeys.of("demo", FakeDirectory.ALICE.id())).isEmpty();
    assertThat(resource.remove("demo", FakeDirectory.ALICE.id().value(), Optional.empty())).isFalse();
  }

  @Test
  void withoutAnAuditLogNoPasskeyIsRemoved() {
    add(alice, alice.follow(signIn(alice)), phone);
    PasskeysResource resource = new PasskeysResource(idp.passkeys, idp.realms, realm -> idp.directory, idp.audit);
    idp.audit.breakDown(true);
    assertThatThrownBy(() -> resource.remove("demo", "alice", Optional.empty())).isInstanceOf(AuditUnavailable.class);
    assertThat(idp.passkeys.of("demo", FakeDirectory.ALICE.id())).hasSize(1);
  }

  // --- steps ---

  private EdgeReply signIn(TestBrowser in) {
    return in.login(in.get(LOGIN), "alice", "demo");
  }

  private static String to(EdgeReply reply) {
    return reply.headers().first("Location").orElse("no redirect: " + reply);
  }

  private static String query(EdgeReply step) {
    String action = TestBrowser.attribute(step.text(), "data-options");
    return action.substring(action.indexOf('?'));
  }

  private static String challenge(EdgeReply options) {
    Matcher found = Pattern.compile("\"challenge\":\"([^\"]+)\"").matcher(options.text());
    if (!found.find()) {
      throw new AssertionError(options + "\n" + options.text());
    }
    return found.group(1);
  }

  private EdgeReply add(TestBrowser in, EdgeReply page, SoftAuthenticator device) {
    String options = TestBrowser.attribute(page.text(), "data-options");
    String made = device.create(challenge(in.get(options)));
    Matcher form = Pattern.compile("id=\"passkey\"[^>]*action=\"([^\"]*)\"|action=\"([^\"]*)\"[^>]*id=\"passkey\"").matcher(page.text());
    assertThat(form.find()).as(page.text()).isTrue();
    String action = form.group(1) == null ? form.group(2) : form.group(1);
    EdgeReply added =
        in.post(action, Map.of("action", "add", "csrf", TestBrowser.field(page.text(), "csrf"), "label", "Phone", "response", made));
    assertThat(to(added)).doesNotContain("wrong");
    if (!tells) {
      // So late that the notice is forgotten.
      Instant late = idp.time.instant().plus(Passkeys.TOLD_FOR).plusSeconds(1);
      Passkeys.Telling telling = new Passkeys.Telling("another", Passkeys.UNKNOWN_BROWSER, Long.MAX_VALUE, late);
      idp.passkeys.told("demo", FakeDirectory.ALICE.id(), telling);
    }
    return added;
  }

  private String answer(TestBrowser in, String path, SoftAuthenticator device) {
    return device.get(challenge(in.get(path)), idp.passkeys.userHandle("demo", FakeDirectory.ALICE.id(), "none"));
  }

  private EdgeReply byPasskey(TestBrowser in, EdgeReply form, SoftAuthenticator device) {
    String path = TestBrowser.attribute(form.text(), "data-options");
    return in.post(path, Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "response", answer(in, path, device)));
  }

  private static EdgeReply act(TestBrowser in, EdgeReply page, Map<String, String> fields) {
    Map<String, String> all = new java.util.HashMap<>(fields);
    all.put("csrf", TestBrowser.field(page.text(), "csrf"));
    return in.post(PASSKEYS, all);
  }

  private static void register(TestBrowser in, EdgeReply page, TestDevice device) {
    Map<String, String> before = in.headers;
    in.headers = new java.util.LinkedHashMap<>(before);
    in.headers.put("Secure-Session-Response", device.registration(TestBrowser.attribute(page.text(), "data-challenge")));
    assertThat(in.post("/realms/demo/session/key", Map.of()).status()).isEqualTo(200);
    in.headers = before;
  }

  private EdgeReply code(TestBrowser in, EdgeReply page, Authenticator app) {
    return in.post(
        TestBrowser.attribute(page.text(), "action"),
        Map.of("csrf", TestBrowser.field(page.text(), "csrf"), "code", app.code(idp.time.instant())));
  }

  /** The owner sets up an app in a session of a password. */
  private Authenticator enrolApp() {
    String path = ACCOUNT + "/second-factor";
    TestBrowser owner = idp.browser();
    signIn(owner);
    EdgeReply list = owner.get(path);
    EdgeReply page =
        owner.follow(owner.post(path, Map.of("csrf", TestBrowser.field(list.text(), "csrf"), "action", "add")));
    Authenticator app = Authenticator.of(page.text());
    assertThat(code(owner, page, app).status()).isEqualTo(200);
    return app;
  }

  private void strongPasskey() {
    add(alice, offerOf(alice), phone);
    idp.passkeys.setLevel("demo", FakeDirectory.ALICE.id(), phone.id(), "SECOND_FACTOR");
  }

  private EdgeReply offerOf(TestBrowser in) {
    EdgeReply next = in.follow(signIn(in));
    if (!next.text().contains("data-mode=\"create\"")) {
      return next;
    }
    register(in, next, new TestDevice());
    return in.get(TestBrowser.attribute(next.text(), "data-target"));
  }
}

package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.admin.SecondFactorsResource;
import dev.gatehouse.idp.session.AuthnContexts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Second steps and step-up: valid use, and the options of an attacker who has the password (SECURITY-CASES 40, 45). */
final class SecondFactorTest {

  private Idp idp = new Idp();
  private TestBrowser browser = idp.browser();

  /** A realm with this rule, and the zero-page contract. */
  private void realm(SecondFactor rule) {
    idp = new Idp(withRule(rule));
    browser = idp.browser();
  }

  private static Realm withRule(SecondFactor rule) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    return TestRealms.change(TestRealms.demo())
        .contracts(new ContractsConfig(false, rule, plain.totp(), plain.certificate()))
        .directLogin(true)
        .realm();
  }

  // --- setting up ---

  @Test
  void whereItIsRequiredTheFirstLoginSetsItUp() {
    realm(SecondFactor.REQUIRED);
    EdgeReply page = toSetUp(browser);
    assertThat(browser.cookies).as("no session yet").doesNotContainKey("gh_idp.demo");
    Authenticator app = Authenticator.of(page.text());

    EdgeReply wrong = confirm(browser, page, "000000");
    assertThat(wrong.status()).isEqualTo(403);
    assertThat(Authenticator.of(wrong.text()).code(now())).as("the same secret").isEqualTo(app.code(now()));
    EdgeReply codes = confirm(browser, wrong, app.code(now()));

    assertThat(codes.status()).isEqualTo(200);
    assertThat(recoveryCodes(codes)).hasSize(10).doesNotHaveDuplicates();
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
    assertThat(idp.audit.events(AuditEvent.LoginSucceeded.class))
        .extracting(AuditEvent.LoginSucceeded::contract)
        .containsExactly("password+totp");
    assertThat(changes()).containsExactly("enrolled", "recovery-codes-made");
  }

  @Test
  void whoHasSetItUpIsAskedAtEachLogin() {
    Authenticator app = enrolled(browser);
    TestBrowser other = idp.browser();
    EdgeReply step = other.follow(other.login(other.get("/realms/demo/login"), "alice", "demo"));
    assertThat(step.text()).contains("Second step");
    assertThat(other.cookies).doesNotContainKey("gh_idp.demo");
    idp.time.advance(Duration.ofSeconds(30));
    EdgeReply in = code(other, step, app.code(now()));
    assertThat(in.headers().first("Location")).contains("/realms/demo/account");
    assertThat(other.follow(in).status()).isEqualTo(200);
  }

  @Test
  void whereItIsOffNobodyIsAsked() {
    Authenticator app = enrolled(browser);
    assertThat(app).isNotNull();
    idp.realms.set(withRule(SecondFactor.OFF));
    TestBrowser other = idp.browser();
    assertThat(login(other).headers().first("Location")).contains("/realms/demo/account");
    assertThat(other.get("/realms/demo/login/second").status()).isEqualTo(404);
    assertThat(other.get("/realms/demo/account/second-factor").status()).isEqualTo(404);
  }

  // --- after a loss ---

  @Test
  void afterALossNobodySetsOneUpWithAPasswordUntilAnAdministratorConfirms() {
    for (SecondFactor rule : List.of(SecondFactor.OPTIONAL, SecondFactor.REQUIRED)) {
      realm(rule);
      idp.secondFactors.wereLost = true;
      EdgeReply page = browser.follow(browser.follow(login(browser)));
      assertThat(page.status()).as("%s", rule).isEqualTo(403);
      assertThat(page.text()).contains("Your second factor must be confirmed");
      assertThat(browser.cookies).as("no session").doesNotContainKey("gh_idp.demo");
      new SecondFactorsResource(idp.secondFactors, idp.realms, realm -> idp.directory, idp.audit, idp.time)
          .confirm("demo", Optional.of("alice"));
      assertThat(changes()).containsExactly("confirmed");
      assertThat(login(idp.browser()).headers().first("Location").orElseThrow())
          .contains(rule == SecondFactor.OPTIONAL ? "/realms/demo/account" : "/realms/demo/login/second");
    }
  }

  // --- step-up ---

  @Test
  void case40AStepUpAsksForTheCodeAloneKeepsParticipantsAndChangesTheToken() {
    Authenticator app = enrolledInSession();
    assertThat(Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.WIKI)))).response().status().isSuccess()).isTrue();
    String before = browser.cookies.get("gh_idp.demo");
    assertThat(before).isNotNull();

    EdgeReply step = toStep(browser, mfa(idp.authnRequest(Idp.APP)));
    idp.time.advance(Duration.ofSeconds(30));
    EdgeReply done = code(browser, step, app.code(now()));

    String after = browser.cookies.get("gh_idp.demo");
    assertThat(after).isNotEqualTo(before);
    ReceivedResponse response = Idp.response(browser.follow(done));
    assertThat(context(response)).isEqualTo(AuthnContexts.REFEDS_MFA);
    assertThat(response.assertions().getFirst().authnStatement().orElseThrow().authnInstant()).isEqualTo(now());
    List<AuditEvent.LoginSucceeded> logins = idp.audit.events(AuditEvent.LoginSucceeded.class);
    assertThat(logins.getLast().contract()).isEqualTo("password+totp");
    assertThat(browser.get("/realms/demo/account").text()).contains("The app, The wiki".split(", "));
    browser.cookies.put("gh_idp.demo", before);
    assertThat(browser.get("/realms/demo/account").status()).as("the old token is worth nothing").isEqualTo(303);
  }

  @Test
  void theStrongerSessionAnswersWeakerRequestsTruly() {
    Authenticator app = enrolledInSession();
    EdgeReply step = toStep(browser, mfa(idp.authnRequest(Idp.APP)));
    idp.time.advance(Duration.ofSeconds(30));
    browser.follow(code(browser, step, app.code(now())));

    AuthnRequest exact = Requests.context(idp.authnRequest(Idp.APP), "exact", AuthnContexts.PASSWORD_PROTECTED_TRANSPORT);
    assertThat(context(Idp.response(browser.get(Idp.redirect(exact))))).isEqualTo(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT);
    AuthnRequest minimum = Requests.context(idp.authnRequest(Idp.APP), "minimum", AuthnContexts.PASSWORD);
    assertThat(context(Idp.response(browser.get(Idp.redirect(minimum))))).isEqualTo(AuthnContexts.TIME_SYNC_TOKEN);
    assertThat(context(Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))))))
        .isEqualTo(AuthnContexts.TIME_SYNC_TOKEN);
  }

  @Test
  void forceAuthnAsksForBothSteps() {
    Authenticator app = enrolledInSession();
    idp.time.advance(Duration.ofSeconds(1));
    AuthnRequest forced = Requests.asking(mfa(idp.authnRequest(Idp.APP)), true, false);
    EdgeReply form = browser.follow(browser.get(Idp.redirect(forced)));
    assertThat(form.text()).contains("name=\"password\"");
    EdgeReply step = browser.follow(browser.login(form, "alice", "demo"));
    assertThat(step.text()).contains("Second step");
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(context(Idp.response(browser.follow(code(browser, step, app.code(now())))))).isEqualTo(AuthnContexts.REFEDS_MFA);
  }

  @Test
  void passiveOrOffIsAnsweredByItsStatus() {
    login(browser);
    AuthnRequest passive = Requests.asking(mfa(idp.authnRequest(Idp.APP)), false, true);
    assertThat(Idp.response(browser.get(Idp.redirect(passive))).response().status().subCode()).contains(SamlStatus.NO_PASSIVE);
    idp.realms.set(withRule(SecondFactor.OFF));
    EdgeReply never = browser.get(Idp.redirect(mfa(idp.authnRequest(Idp.APP))));
    assertThat(Idp.response(never).response().status().subCode()).contains(SamlStatus.NO_AUTHN_CONTEXT);
  }

  /** Otherwise whoever finds a logged-in browser would have an app of their own, and its owner none. */
  @Test
  void aStepUpSetsUpTheFirstAppOnlyAfterALoginOfAMomentAgo() {
    login(browser);
    idp.time.advance(Duration.ofMinutes(11));
    EdgeReply second = browser.get(Idp.redirect(mfa(idp.authnRequest(Idp.APP))));
    EdgeReply form = browser.follow(browser.follow(browser.follow(second)));
    assertThat(form.text()).contains("name=\"password\"");

    EdgeReply page = browser.follow(browser.follow(browser.follow(browser.login(form, "alice", "demo"))));
    assertThat(confirm(browser, page, Authenticator.of(page.text()).code(now())).status()).isEqualTo(200);
    assertThat(changes()).containsExactly("enrolled", "recovery-codes-made");
  }

  @Test
  void aStepUpSoonAfterTheLoginAsksForNoOtherOne() {
    login(browser);
    EdgeReply second = browser.get(Idp.redirect(mfa(idp.authnRequest(Idp.APP))));
    EdgeReply page = browser.follow(browser.follow(browser.follow(second)));
    assertThat(confirm(browser, page, Authenticator.of(page.text()).code(now())).status()).isEqualTo(200);
  }

  // --- around the second step ---

  @Test
  void resumingDirectlyLeadsBackToTheStep() {
    enrolledInSession();
    EdgeReply step = toStep(browser, mfa(idp.authnRequest(Idp.APP)));
    String pending = TestBrowser.attribute(step.text(), "action").replaceAll(".*pending=", "");
    EdgeReply resumed = browser.get("/realms/demo/saml/sso?pending=" + pending);
    assertThat(resumed.status()).isEqualTo(303);
    assertThat(browser.follow(resumed).headers().first("Location").orElseThrow()).contains("login/second?pending=");
  }

  @Test
  void aFirstStepIsNoSessionAnywhere() {
    enrolled(browser);
    TestBrowser thief = idp.browser();
    EdgeReply waiting = thief.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    EdgeReply step = thief.follow(thief.login(thief.follow(waiting), "alice", "demo"));
    assertThat(step.text()).contains("Second step");
    String pending = TestSp.parameter(waiting, "pending");
    for (String path :
        List.of("account", "account/second-factor", "password", "saml/sso?pending=" + pending, "login/set-up")) {
      EdgeReply reply = thief.get("/realms/demo/" + path);
      assertThat(reply.headers().first("Location").orElse("")).as(path).contains("/realms/demo/login");
    }
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
  }

  @Test
  void thePasswordAloneSetsUpNoOtherApp() {
    enrolled(browser);
    TestBrowser thief = idp.browser();
    EdgeReply begun = thief.login(thief.get("/realms/demo/login"), "alice", "demo");
    String step = begun.headers().first("Location").orElseThrow().replaceAll(".*\\?", "");
    EdgeReply page = thief.get("/realms/demo/login/set-up?" + step);
    assertThat(page.headers().first("Location").orElseThrow()).contains("login/second?step=");
    assertThat(thief.post("/realms/demo/login/set-up?" + step, Map.of("code", "123456")).headers().first("Location"))
        .hasValueSatisfying(to -> assertThat(to).contains("login/second"));
  }

  @Test
  void anEnrolmentThatWasBegunBeforeIsWorthNothingOnceAnAppIsThere() {
    realm(SecondFactor.REQUIRED);
    TestBrowser thief = idp.browser();
    EdgeReply theirs = toSetUp(thief);
    Authenticator app = Authenticator.of(theirs.text());
    enrolAtLogin(browser);
    EdgeReply late = confirm(thief, theirs, app.code(now()));
    assertThat(late.headers().first("Location").orElseThrow()).contains("login/second");
    assertThat(idp.secondFactors.of("demo", FakeDirectory.ALICE.id())).hasSize(1);
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
  }

  @Test
  void theZeroPageContractIsNoWayAround() {
    realm(SecondFactor.OPTIONAL);
    Authenticator app = enrolled(browser);
    idp.time.advance(Duration.ofSeconds(30));
    TestBrowser thief = idp.browser();
    String address = "/realms/demo/login/direct";
    EdgeReply wrongPassword = thief.post(address, Map.of("username", "alice", "password", "wrong"));
    EdgeReply noCode = thief.post(address, Map.of("username", "alice", "password", "demo"));
    EdgeReply wrongCode = thief.post(address, Map.of("username", "alice", "password", "demo", "code", "000000"));
    assertThat(List.of(noCode.status(), wrongCode.status())).containsOnly(wrongPassword.status());
    assertThat(withoutReference(noCode)).isEqualTo(withoutReference(wrongPassword));
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
    assertThat(idp.audit.events(AuditEvent.MessageRefused.class))
        .extracting(AuditEvent.MessageRefused::reason)
        .contains("SECOND_FACTOR_MISSING", "CODE");
    assertThat(thief.post(address, Map.of("username", "alice", "password", "demo", "code", app.code(now()))).status())
        .isEqualTo(200);
    assertThat(thief.cookies).containsKey("gh_idp.demo");
  }

  @Test
  void whereItIsRequiredAWeakSessionFromBeforeIsNone() {
    realm(SecondFactor.OPTIONAL);
    browser.post("/realms/demo/login/direct", Map.of("username", "alice", "password", "demo"));
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
    idp.realms.set(withRule(SecondFactor.REQUIRED));
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
    EdgeReply reply = browser.get(Idp.redirect(idp.authnRequest(Idp.APP)));
    assertThat(browser.follow(reply).text()).contains("name=\"password\"");
  }

  @Test
  void aPasswordThatHasToBeChangedIsNoWayAround() {
    enrolled(browser);
    idp.directory.mustChange("alice");
    TestBrowser thief = idp.browser();
    EdgeReply page = thief.follow(thief.login(thief.get("/realms/demo/login"), "alice", "demo"));
    String csrf = TestBrowser.field(page.text(), "csrf");
    EdgeReply changed =
        thief.post(
            TestBrowser.attribute(page.text(), "action"),
            Map.of("old", "demo", "new", "another", "again", "another", "csrf", csrf));
    assertThat(changed.headers().first("Location").orElseThrow()).contains("login/second?step=");
    assertThat(thief.cookies).doesNotContainKey("gh_idp.demo");
  }

  @Test
  void changingThePasswordInASessionKeepsItsSecondStep() {
    realm(SecondFactor.REQUIRED);
    enrolAtLogin(browser);
    EdgeReply page = browser.get("/realms/demo/password");
    String csrf = TestBrowser.field(page.text(), "csrf");
    String before = browser.cookies.get("gh_idp.demo");
    EdgeReply changed =
        browser.post(
            "/realms/demo/password", Map.of("old", "demo", "new", "another", "again", "another", "csrf", csrf));
    assertThat(changed.headers().first("Location")).contains("/realms/demo/account?done=password");
    assertThat(browser.cookies.get("gh_idp.demo")).isNotEqualTo(before);
    assertThat(browser.follow(changed).status()).isEqualTo(200);
  }

  @Test
  void aStepBelongsToItsBrowserAndForm() {
    Authenticator app = enrolled(browser);
    idp.time.advance(Duration.ofSeconds(30));
    EdgeReply step = toCode(browser = idp.browser());
    String action = TestBrowser.attribute(step.text(), "action");
    String csrf = TestBrowser.field(step.text(), "csrf");

    TestBrowser other = idp.browser();
    other.get("/realms/demo/login");
    assertThat(other.get(action).status()).as("another browser").isEqualTo(400);
    assertThat(browser.postFromElsewhere(action, Map.of("code", app.code(now()), "csrf", csrf)).status())
        .as("another site")
        .isEqualTo(400);
    assertThat(browser.post(action, Map.of("code", app.code(now()))).status()).as("no token").isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html", "Origin", "https://evil.example");
    assertThat(browser.post(action, Map.of("code", app.code(now()), "csrf", csrf)).status()).isEqualTo(403);
    assertThat(browser.cookies).doesNotContainKey("gh_idp.demo");
    browser.headers = Map.of("Accept", "text/html");
    assertThat(browser.post(action, Map.of("code", app.code(now()), "csrf", csrf)).status()).isEqualTo(303);
  }

  @Test
  void aFirstStepExpiresAndCountsOnce() {
    Authenticator app = enrolled(browser);
    TestBrowser slow = idp.browser();
    EdgeReply step = toCode(slow);
    idp.time.advance(Duration.ofMinutes(11));
    assertThat(code(slow, step, app.code(now())).status()).isEqualTo(400);

    EdgeReply again = toCode(slow);
    assertThat(code(slow, again, app.code(now())).status()).isEqualTo(303);
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(code(slow, again, app.code(now())).status()).as("the step was used").isEqualTo(400);
  }

  // --- guessing and replay ---

  @Test
  void aCodeCountsOnceAlsoInParallelAndInAnotherBrowser() throws Exception {
    Authenticator app = enrolled(browser);
    idp.time.advance(Duration.ofSeconds(30));
    String code = app.code(now());
    List<EdgeReply> replies =
        Race.of(
            8,
            i -> {
              TestBrowser each = idp.browser();
              EdgeReply step = toCode(each);
              return () -> code(each, step, code);
            });
    assertThat(replies.stream().filter(reply -> reply.status() == 303)).hasSize(1);
    assertThat(reasons()).containsOnly("CODE_REPLAYED").hasSize(7);
  }

  @Test
  void theCodeThatSetUpTheAppIsUsedUp() {
    Authenticator app = enrolled(browser);
    TestBrowser other = idp.browser();
    EdgeReply refused = code(other, toCode(other), app.code(now()));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("Not accepted").doesNotContain("used before");
    assertThat(reasons()).containsExactly("CODE_REPLAYED");
  }

  @Test
  void case45ParallelGuessesKeepTheLimitAndTheRightPasswordClearsNothing() throws Exception {
    enrolled(browser);
    List<EdgeReply> replies =
        Race.of(
            40,
            i -> {
              TestBrowser each = idp.browser();
              EdgeReply step = toCode(each);
              return () -> code(each, step, "%06d".formatted(i));
            });
    assertThat(replies.stream().filter(reply -> reply.status() == 429)).hasSize(30);
    assertThat(reasons().stream().filter("WRONG_CODE"::equals)).hasSize(10);
    assertThat(reasons().stream().filter("THROTTLED_ACCOUNT"::equals)).hasSize(30);
    TestBrowser again = idp.browser();
    assertThat(code(again, toCode(again), "000000").status()).as("after one more right password").isEqualTo(429);
  }

  @Test
  void afterAHundredWrongCodesOnlyARecoveryCodeHelps() {
    realm(SecondFactor.REQUIRED);
    EdgeReply page = toSetUp(browser);
    Authenticator app = Authenticator.of(page.text());
    List<String> recovery = recoveryCodes(confirm(browser, page, app.code(now())));
    for (int i = 0; i < 100; i++) {
      Idp.TOKENS.countWrong("demo", FakeDirectory.ALICE.id(), 100, Optional.empty());
    }
    idp.time.advance(Duration.ofSeconds(30));
    TestBrowser other = idp.browser();
    EdgeReply step = toCode(other);
    EdgeReply locked = code(other, step, app.code(now()));
    String wrong = "Not accepted. Wait for the next code";
    assertThat(locked.text()).as("nothing of the reason").contains(wrong).doesNotContain("too many");
    assertThat(code(other, step, "000000").text()).contains(wrong);
    assertThat(reasons()).contains("SECOND_FACTOR_LOCKED");
    assertThat(code(other, step, recovery.getFirst()).status()).isEqualTo(303);
    idp.time.advance(Duration.ofSeconds(30));
    TestBrowser third = idp.browser();
    assertThat(code(third, toCode(third), app.code(now())).status()).as("forgiven").isEqualTo(303);
  }

  @Test
  void aRecoveryCodeCountsOnceForItsOwnerAlone() throws Exception {
    realm(SecondFactor.REQUIRED);
    EdgeReply page = toSetUp(browser);
    List<String> recovery = recoveryCodes(confirm(browser, page, Authenticator.of(page.text()).code(now())));
    String used = recovery.getFirst().toUpperCase(java.util.Locale.ROOT).replace("-", " ");
    List<EdgeReply> replies =
        Race.of(
            6,
            i -> {
              TestBrowser each = idp.browser();
              EdgeReply step = toCode(each);
              return () -> code(each, step, used);
            });
    assertThat(replies.stream().filter(reply -> reply.status() == 303)).hasSize(1);
    assertThat(reasons()).containsOnly("WRONG_RECOVERY_CODE");
    assertThat(changes()).contains("recovery-code-used");
    assertThat(idp.audit.events(AuditEvent.LoginSucceeded.class).getLast().contract()).isEqualTo("password+recovery");

    TestBrowser bob = idp.browser();
    EdgeReply bobs = bob.follow(bob.follow(bob.follow(bob.login(bob.get("/realms/demo/login"), "bob", "demo"))));
    EdgeReply bobsCodes = confirm(bob, bobs, Authenticator.of(bobs.text()).code(now()));
    assertThat(recoveryCodes(bobsCodes)).isNotEmpty();
    TestBrowser thief = idp.browser();
    EdgeReply step = thief.follow(thief.login(thief.get("/realms/demo/login"), "bob", "demo"));
    assertThat(code(thief, step, recovery.get(1)).status()).as("alice's code at bob's account").isEqualTo(403);
  }

  @Test
  void nothingThatIsSecretIsKeptInTheOpenOrLogged() {
    EdgeReply page = inSessionSetUp(browser);
    String key = page.text().replaceAll("(?s).*class=\"key\"><code>([A-Z2-7 ]+)<.*", "$1").replace(" ", "");
    Authenticator app = Authenticator.of(page.text());
    EdgeReply done = confirm(browser, page, app.code(now()));
    String code = recoveryCodes(done).getFirst();
    assertThat(key).hasSize(32);
    assertThat(idp.audit.events().toString()).doesNotContain(key, code, app.code(now()));
    assertThat(idp.secondFactors.of("demo", FakeDirectory.ALICE.id()).getFirst().sealedSecret())
        .hasSize(1 + 12 + 20 + 16);
    assertThat(done.headers().first("Cache-Control").orElse("no-store")).contains("no-store");
  }

  // --- the account page ---

  @Test
  void addingTheFirstAppNeedsALoginOfAMomentAgo() {
    login(browser);
    idp.time.advance(Duration.ofMinutes(11));
    EdgeReply asked = act(browser, browser.get("/realms/demo/account/second-factor"), Map.of("action", "add"));
    EdgeReply form = browser.follow(asked);
    assertThat(form.text()).contains("name=\"password\"");
    EdgeReply back = browser.login(form, "alice", "demo");
    assertThat(back.headers().first("Location")).contains("/realms/demo/account/second-factor");
    EdgeReply setUp = browser.follow(act(browser, browser.follow(back), Map.of("action", "add")));
    assertThat(Authenticator.of(setUp.text()).code(now())).hasSize(6);
  }

  @Test
  void everyFurtherChangeNeedsACode() {
    Authenticator app = enrolledInSession();
    String address = "/realms/demo/account/second-factor";
    String id = idp.secondFactors.of("demo", FakeDirectory.ALICE.id()).getFirst().id();
    for (String action : List.of("add", "codes", "remove")) {
      EdgeReply without = act(browser, browser.get(address), Map.of("action", action, "factor", id));
      assertThat(without.status()).as(action).isEqualTo(403);
      EdgeReply replayed =
          act(browser, browser.get(address), Map.of("action", action, "factor", id, "code", app.code(now())));
      assertThat(replayed.status()).as(action).isEqualTo(403);
    }
    idp.time.advance(Duration.ofSeconds(30));
    EdgeReply second =
        browser.follow(act(browser, browser.get(address), Map.of("action", "add", "code", app.code(now()))));
    Authenticator tablet = Authenticator.of(second.text());
    assertThat(confirm(browser, second, tablet.code(now())).headers().first("Location")).contains(address + "?done=added");

    idp.time.advance(Duration.ofSeconds(30));
    EdgeReply codes = act(browser, browser.get(address), Map.of("action", "codes", "code", tablet.code(now())));
    assertThat(recoveryCodes(codes)).hasSize(10);

    idp.time.advance(Duration.ofSeconds(30));
    act(browser, browser.get(address), Map.of("action", "remove", "factor", id, "code", tablet.code(now())));
    assertThat(idp.secondFactors.of("demo", FakeDirectory.ALICE.id())).hasSize(1);
    assertThat(changes()).containsExactly("enrolled", "recovery-codes-made", "enrolled", "recovery-codes-made", "removed");
  }

  @Test
  void theLastAppStaysWhereOneIsRequired() {
    realm(SecondFactor.REQUIRED);
    Authenticator app = enrolAtLogin(browser);
    idp.time.advance(Duration.ofSeconds(30));
    String id = idp.secondFactors.of("demo", FakeDirectory.ALICE.id()).getFirst().id();
    EdgeReply page = browser.get("/realms/demo/account/second-factor");
    EdgeReply refused = act(browser, page, Map.of("action", "remove", "factor", id, "code", app.code(now())));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(idp.secondFactors.of("demo", FakeDirectory.ALICE.id())).hasSize(1);
  }

  @Test
  void changesOfTheAccountPageAreBoundToTheSession() {
    Authenticator app = enrolledInSession();
    idp.time.advance(Duration.ofSeconds(30));
    String address = "/realms/demo/account/second-factor";
    Map<String, String> forged = Map.of("action", "codes", "code", app.code(now()), "csrf", "x");
    assertThat(browser.post(address, forged).status()).isEqualTo(403);
    assertThat(browser.postFromElsewhere(address, forged).status()).as("no cookie: to the login").isEqualTo(303);
    assertThat(reasons()).as("no code was looked at").isEmpty();
  }

  @Test
  void anEnrolmentOfAnotherBrowserOrPersonIsGone() {
    EdgeReply page = inSessionSetUp(browser);
    String address = TestBrowser.attribute(page.text(), "action");
    TestBrowser bob = idp.browser();
    bob.login(bob.get("/realms/demo/login"), "bob", "demo");
    assertThat(bob.get(address).status()).as("bob sees no secret of alice's").isEqualTo(303);
    TestBrowser alice = idp.browser();
    login(alice);
    assertThat(alice.get(address).status()).as("nor does another session of hers").isEqualTo(303);
    assertThat(browser.get(address).status()).isEqualTo(200);
  }

  @Test
  void anAdministratorFindsPeopleByNameOrIdAndResetsThem() {
    Authenticator app = enrolled(browser);
    SecondFactorsResource office =
        new SecondFactorsResource(idp.secondFactors, idp.realms, realm -> idp.directory, idp.audit, idp.time);
    assertThat(office.ofPerson("demo", "alice").orElseThrow().apps().getFirst().label()).isEqualTo("My phone");
    assertThat(office.ofPerson("demo", "a11ce")).isEqualTo(office.ofPerson("demo", "alice"));
    assertThat(office.ofPerson("demo", "nobody")).isEmpty();
    assertThat(office.ofPerson("none", "alice")).isEmpty();
    assertThat(office.reset("demo", "bob")).isFalse();
    assertThat(office.reset("demo", "alice")).isTrue();
    assertThat(changes()).endsWith("reset");
    TestBrowser other = idp.browser();
    assertThat(login(other).headers().first("Location")).as("the password alone").contains("/realms/demo/account");
    assertThat(app.code(now())).hasSize(6);
  }

  // --- steps ---

  private Instant now() {
    return idp.time.instant();
  }

  private static AuthnRequest mfa(AuthnRequest request) {
    return Requests.context(request, "exact", AuthnContexts.REFEDS_MFA);
  }

  private static EdgeReply login(TestBrowser in) {
    return in.login(in.get("/realms/demo/login"), "alice", "demo");
  }

  /** Alice's login up to the page that sets up an app, in a realm that requires one. */
  private static EdgeReply toSetUp(TestBrowser in) {
    return in.follow(in.follow(in.follow(login(in))));
  }

  /** Alice's login up to the form for a code. */
  private static EdgeReply toCode(TestBrowser in) {
    EdgeReply form = in.follow(login(in));
    assertThat(form.text()).contains("Second step");
    return form;
  }

  /** A request of a browser with a session that is too weak, up to the form for a code. */
  private static EdgeReply toStep(TestBrowser in, AuthnRequest request) {
    EdgeReply step = in.follow(in.get(Idp.redirect(request)));
    assertThat(step.text()).contains("Second step").doesNotContain("name=\"password\"");
    return step;
  }

  private static EdgeReply code(TestBrowser in, EdgeReply form, String code) {
    return in.post(
        TestBrowser.attribute(form.text(), "action"),
        Map.of("code", code, "csrf", TestBrowser.field(form.text(), "csrf")));
  }

  private static EdgeReply confirm(TestBrowser in, EdgeReply page, String code) {
    return in.post(
        TestBrowser.attribute(page.text(), "action"),
        Map.of("code", code, "label", "My phone", "csrf", TestBrowser.field(page.text(), "csrf")));
  }

  private static EdgeReply act(TestBrowser in, EdgeReply page, Map<String, String> fields) {
    Map<String, String> all = new java.util.HashMap<>(fields);
    all.put("csrf", TestBrowser.field(page.text(), "csrf"));
    return in.post("/realms/demo/account/second-factor", all);
  }

  private Authenticator enrolAtLogin(TestBrowser in) {
    EdgeReply page = toSetUp(in);
    Authenticator app = Authenticator.of(page.text());
    assertThat(confirm(in, page, app.code(now())).status()).isEqualTo(200);
    return app;
  }

  private static EdgeReply inSessionSetUp(TestBrowser in) {
    login(in);
    EdgeReply page = in.get("/realms/demo/account/second-factor");
    return in.follow(act(in, page, Map.of("action", "add")));
  }

  /** Alice has an app, and a session with a password only. */
  private Authenticator enrolledInSession() {
    EdgeReply page = inSessionSetUp(browser);
    Authenticator app = Authenticator.of(page.text());
    assertThat(confirm(browser, page, app.code(now())).status()).isEqualTo(200);
    return app;
  }

  private Authenticator enrolled(TestBrowser in) {
    EdgeReply page = inSessionSetUp(in);
    Authenticator app = Authenticator.of(page.text());
    assertThat(confirm(in, page, app.code(now())).status()).isEqualTo(200);
    return app;
  }

  private static List<String> recoveryCodes(EdgeReply page) {
    return Pattern.compile("<code>([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})</code>")
        .matcher(page.text())
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private List<String> changes() {
    return idp.audit.events(AuditEvent.SecondFactorChanged.class).stream()
        .map(AuditEvent.SecondFactorChanged::change)
        .toList();
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.LoginRefused.class).stream()
        .filter(refused -> refused.contract().equals("totp"))
        .map(AuditEvent.LoginRefused::reason)
        .toList();
  }

  private static String context(ReceivedResponse response) {
    return response.assertions().getFirst().authnStatement().flatMap(s -> s.authnContextClassRef()).orElse("none");
  }

  private static String withoutReference(EdgeReply page) {
    return page.text().replaceAll("<code>[^<]*</code>", "");
  }
}

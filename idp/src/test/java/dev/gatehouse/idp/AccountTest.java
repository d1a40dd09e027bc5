package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.session.SessionToken;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The account page, change of password, and the lifetime of sessions. */
final class AccountTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @Test
  void aLoginWithoutAPartnerShowsWhoIAmAndWhereElse() {
    signIn(browser, "alice");
    TestBrowser phone = idp.browser();
    phone.headers = Map.of("Accept", "text/html", "User-Agent", "Phone <b>");
    signIn(phone, "alice");
    Idp.response(phone.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    String page = browser.get("/realms/demo/account").text();
    assertThat(page).contains("alice@example.com", "employee", "this browser", "Phone &lt;b&gt;", "The app", "192.0.2.7");
    assertThat(page.split("class=\"badge good\"", -1)).as("one session is mine").hasSize(2);
  }

  @Test
  void browsersAreCalledWhatPeopleCallThem() {
    browser.headers =
        Map.of(
            "Accept", "text/html",
            "User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0");
    signIn(browser, "alice");
    assertThat(browser.get("/realms/demo/account").text()).contains("Edge, Linux").doesNotContain("Mozilla");
  }

  @Test
  void iCanEndAnotherSessionAndNobodyElses() {
    signIn(browser, "alice");
    TestBrowser phone = idp.browser();
    signIn(phone, "alice");
    TestBrowser bob = idp.browser();
    signIn(bob, "bob");
    String bobs = idp.sessions().ofPerson("demo", "bob").getFirst().id();
    act("end", bobs);
    assertThat(bob.get("/realms/demo/account").status()).isEqualTo(200);
    String phones =
        idp.sessions().ofPerson("demo", "alice").stream()
            .map(view -> view.id())
            .filter(id -> !id.equals(mine()))
            .findFirst()
            .orElseThrow();
    assertThat(act("end", phones).headers().first("Location")).contains("/realms/demo/account?done=ended");
    assertThat(phone.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
  }

  @Test
  void endingAllEndsAllAndTellsTheAppsOfAllBrowsers() {
    signIn(browser, "alice");
    Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    TestBrowser phone = idp.browser();
    signIn(phone, "alice");
    Idp.response(phone.get(Idp.redirect(idp.authnRequest(Idp.WIKI))));
    EdgeReply reply = act("end-all", "");
    assertThat(reply.headers().first("Location").orElse("")).contains("/logout/receipt?id=");
    assertThat(browser.follow(reply).text()).contains("The app", "The wiki");
    assertThat(phone.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(idp.sessions().ofPerson("demo", "a11ce")).isEmpty();
    assertThat(idp.audit.events(AuditEvent.SessionEnded.class)).hasSize(2);
  }

  @Test
  void aForgedFormEndsNothing() {
    signIn(browser, "alice");
    assertThat(browser.post("/realms/demo/account", Map.of("action", "end-all", "csrf", "x")).status()).isEqualTo(403);
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);
  }

  @Test
  void anExpiredPasswordIsChangedAndTheLoginGoesOn() {
    idp.directory.mustChange("alice");
    EdgeReply form = browser.follow(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
    EdgeReply demanded = browser.login(form, "alice", "demo");
    assertThat(browser.cookies).doesNotContainKey("gh_idp.demo");
    EdgeReply change = browser.follow(demanded);
    assertThat(change.text()).contains("has expired or must be changed");
    assertThat(idp.browser().follow(demanded).status()).as("another browser").isEqualTo(400);

    assertThat(change(change, "demo", "new-password", "other").status()).isEqualTo(400);
    assertThat(change(change, "wrong", "new-password", "new-password").status()).isEqualTo(403);
    EdgeReply weak = change(change, "demo", "x", "x");
    assertThat(weak.text()).contains("too short", "quality checking policy");
    EdgeReply done = change(change, "demo", "new-password", "new-password");
    assertThat(Idp.response(browser.follow(done)).assertions()).hasSize(1);
    assertThat(browser.follow(demanded).status()).as("the task is used up").isEqualTo(400);
    assertThat(idp.audit.events(AuditEvent.PasswordChanged.class)).hasSize(1);
  }

  @Test
  void aChangeFromTheAccountPageEndsOtherSessions() {
    signIn(browser, "alice");
    String before = browser.cookies.get("gh_idp.demo");
    TestBrowser phone = idp.browser();
    signIn(phone, "alice");
    EdgeReply done = change(browser.get("/realms/demo/password"), "demo", "new-password", "new-password");
    assertThat(browser.follow(done).text()).contains("Your password has been changed");
    assertThat(browser.cookies.get("gh_idp.demo")).isNotEqualTo(before);
    assertThat(phone.get("/realms/demo/account").status()).isEqualTo(303);
  }

  /** The directory has the new password, and the node was killed before it could end the sessions. */
  @Test
  void sessionsOfAFormerPasswordEndAlsoIfTheNodeEndsInBetween() {
    signIn(browser, "alice");
    TestBrowser bob = idp.browser();
    signIn(bob, "bob");
    idp.passwordEnds().intend("demo", "alice");
    idp.time.advance(Duration.ofSeconds(1));
    TestBrowser later = idp.browser();
    signIn(later, "alice");
    idp.passwordEnds().tend();
    assertThat(browser.get("/realms/demo/account").status()).as("the request may last").isEqualTo(200);
    idp.time.advance(Duration.ofMinutes(1));
    idp.passwordEnds().tend();
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
    assertThat(later.get("/realms/demo/account").status()).as("began with the new password").isEqualTo(200);
    assertThat(bob.get("/realms/demo/account").status()).isEqualTo(200);
  }

  /** Sessions of a former password end, though those of others cannot yet. */
  @Test
  void aDirectoryThatIsDownHoldsUpNoOther() {
    signIn(browser, "alice");
    TestBrowser bob = idp.browser();
    signIn(bob, "bob");
    idp.passwordEnds().intend("demo", "alice");
    idp.time.advance(Duration.ofMillis(1));
    idp.passwordEnds().intend("demo", "bob");
    idp.time.advance(Duration.ofMinutes(2));
    idp.directory.silentAbout = Set.of("alice");
    idp.passwordEnds().tend();
    assertThat(bob.get("/realms/demo/account").status()).isEqualTo(303);
    idp.directory.silentAbout = Set.of();
    assertThat(browser.get("/realms/demo/account").status()).as("not yet").isEqualTo(200);
    idp.time.advance(Duration.ofMinutes(2));
    idp.passwordEnds().tend();
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(303);
  }

  @Test
  void aDirectoryThatIsDownEndsSessionsOnlyIfItMayHaveTheNewPassword() {
    signIn(browser, "alice");
    TestBrowser phone = idp.browser();
    signIn(phone, "alice");
    for (boolean isSent : new boolean[] {false, true}) {
      EdgeReply form = browser.get("/realms/demo/password");
      idp.directory.isSent = isSent;
      idp.directory.down = true;
      assertThat(change(form, "demo", "new-password", "new-password").status()).isEqualTo(503);
      idp.directory.down = false;
      idp.time.advance(Duration.ofMinutes(2));
      idp.passwordEnds().tend();
      assertThat(phone.get("/realms/demo/account").status()).isEqualTo(isSent ? 303 : 200);
    }
  }

  @Test
  void whatHasEndedOrWasRefusedLeavesNothingToEnd() {
    signIn(browser, "alice");
    TestBrowser phone = idp.browser();
    signIn(phone, "alice");
    assertThat(change(browser.get("/realms/demo/password"), "wrong", "new-password", "new-password").status()).isEqualTo(403);
    assertThat(change(browser.get("/realms/demo/password"), "demo", "x", "x").status()).isEqualTo(400);
    idp.time.advance(Duration.ofMinutes(2));
    idp.passwordEnds().tend();
    assertThat(phone.get("/realms/demo/account").status()).isEqualTo(200);
    change(browser.get("/realms/demo/password"), "demo", "new-password", "new-password");
    idp.time.advance(Duration.ofMinutes(2));
    idp.passwordEnds().tend();
    assertThat(browser.get("/realms/demo/account").status()).as("the session that the change renewed").isEqualTo(200);
    assertThat(phone.get("/realms/demo/account").status()).isEqualTo(303);
  }

  @Test
  void guessingTheOldPasswordIsThrottledLikeALogin() {
    signIn(browser, "alice");
    EdgeReply form = browser.get("/realms/demo/password");
    for (int i = 0; i < 10; i++) {
      assertThat(change(form, "wrong", "new-password", "new-password").status()).isEqualTo(403);
    }
    assertThat(change(form, "demo", "new-password", "new-password").status()).isEqualTo(429);
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class).getLast().reason()).startsWith("THROTTLED");
  }

  @Test
  void sessionsEndWhenIdleAndAtTheLatestAfterTheirLife() {
    signIn(browser, "alice");
    for (int i = 0; i < 16; i++) {
      idp.time.advance(Duration.ofMinutes(29));
      assertThat(browser.get("/realms/demo/account").status()).as("use %s", i).isEqualTo(200);
    }
    idp.time.advance(Duration.ofMinutes(17));
    assertThat(browser.get("/realms/demo/account").status()).as("after eight hours").isEqualTo(303);
    signIn(browser, "alice");
    idp.time.advance(Duration.ofMinutes(31));
    assertThat(browser.get("/realms/demo/account").status()).as("idle").isEqualTo(303);
  }

  @Test
  void aSessionOfOneRealmIsNoneInAnother() {
    Idp two = new Idp(TestRealms.demo(), TestRealms.change(TestRealms.demo()).name("other").realm());
    TestBrowser mine = two.browser();
    mine.login(mine.get("/realms/demo/login"), "alice", "demo");
    mine.cookies.put("gh_idp.other", mine.cookies.get("gh_idp.demo"));
    assertThat(mine.get("/realms/demo/account").status()).isEqualTo(200);
    assertThat(mine.get("/realms/other/account").status()).isEqualTo(303);
  }

  @Test
  void theRealmItselfLeadsToTheAccount() {
    for (String path : new String[] {"/realms/demo", "/realms/demo/"}) {
      assertThat(browser.get(path).headers().first("Location")).contains("/realms/demo/account");
    }
    assertThat(browser.get("/realms/unknown/account").status()).isEqualTo(404);
    assertThat(browser.get("/realms/demo/unknown").status()).isEqualTo(404);
    assertThat(browser.get("/").status()).isEqualTo(404);
    EdgeReply wrongMethod = browser.post("/realms/demo/saml/metadata", Map.of());
    assertThat(wrongMethod.status()).isEqualTo(405);
    assertThat(wrongMethod.headers().first("Allow")).contains("GET, HEAD");
  }

  private static void signIn(TestBrowser in, String name) {
    in.login(in.get("/realms/demo/login"), name, "demo");
    assertThat(in.cookies).containsKey("gh_idp.demo");
  }

  private EdgeReply act(String action, String session) {
    String csrf = TestBrowser.field(browser.get("/realms/demo/account").text(), "csrf");
    return browser.post("/realms/demo/account", Map.of("action", action, "session", session, "csrf", csrf));
  }

  private String mine() {
    return new SessionToken(browser.cookies.getOrDefault("gh_idp.demo", "")).id().value();
  }

  private EdgeReply change(EdgeReply form, String old, String replacement, String again) {
    return browser.post(
        TestBrowser.attribute(form.text(), "action"),
        Map.of("old", old, "new", replacement, "again", again, "csrf", TestBrowser.field(form.text(), "csrf")));
  }
}

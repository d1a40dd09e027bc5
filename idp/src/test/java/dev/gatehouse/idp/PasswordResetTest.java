package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.PasswordReset;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.ContractsConfig.Totp;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** New passwords by a link in a mail. */
final class PasswordResetTest {

  private static final String FORGOTTEN = "/realms/demo/password/forgotten";
  private static final String RESET = "/realms/demo/password/reset";

  private final Idp idp = new Idp(realm(Optional.of(new PasswordReset(Duration.ofMinutes(20)))));
  private final TestBrowser browser = idp.browser();

  private static Realm realm(Optional<PasswordReset> reset) {
    Realm demo = TestRealms.demo();
    DirectoryConfig plain = TestRealms.directory("localhost", 389);
    DirectoryConfig directory =
        new DirectoryConfig(
            plain.servers(), plain.security(), plain.trust(), plain.bindDn(), plain.bindPassword(), plain.people(), plain.groups(),
            plain.pool(), Optional.of(new PersonMailConfig("mail", "en", Set.of(), Map.of())));
    ContractsConfig contracts =
        new ContractsConfig(false, SecondFactor.OPTIONAL, new Totp(Optional.empty(), 6), Optional.empty(), reset);
    return TestRealms.change(demo).directory(directory).contracts(contracts).realm();
  }

  private EdgeReply ask(TestBrowser by, String name) {
    EdgeReply form = by.get(FORGOTTEN);
    return by.post(FORGOTTEN, Map.of("username", name, "csrf", TestBrowser.field(form.text(), "csrf")));
  }

  private String link(String name) {
    assertThat(ask(browser, name).status()).isEqualTo(200);
    return idp.notices.links.getLast().url();
  }

  private EdgeReply open(TestBrowser by, String link) {
    URI address = URI.create(link);
    return by.follow(by.get(address.getRawPath() + "?" + address.getRawQuery()));
  }

  private EdgeReply set(TestBrowser by, EdgeReply form, String password, String... more) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("csrf", TestBrowser.field(form.text(), "csrf"));
    fields.put("new", password);
    fields.put("again", password);
    for (int i = 0; i < more.length; i += 2) {
      fields.put(more[i], more[i + 1]);
    }
    return by.post(RESET, fields);
  }

  private EdgeReply signIn(TestBrowser by, String name, String password) {
    return by.login(by.get("/realms/demo/login"), name, password);
  }

  private List<String> outcomes() {
    return idp.audit.events(AuditEvent.PasswordResetRequested.class).stream()
        .map(AuditEvent.PasswordResetRequested::outcome)
        .toList();
  }

  @Test
  void aLinkSetsANewPasswordOnceAndEndsAllSessions() {
    TestBrowser elsewhere = idp.browser();
    signIn(elsewhere, "alice", "demo");
    assertThat(browser.get("/realms/demo/login").text()).contains(FORGOTTEN);
    String link = link("alice");
    assertThat(link).startsWith(TestRealms.IDP + RESET + "?token=");
    EdgeReply form = open(browser, link);
    assertThat(form.text()).contains("alice").doesNotContain(link.substring(link.indexOf('=') + 1), "name=\"code\"");
    assertThat(set(browser, form, "n3w-password").text()).contains("Your password was set");
    assertThat(elsewhere.get("/realms/demo/account").status()).as("ended").isEqualTo(303);
    assertThat(idp.sessions().ofPerson("demo", "alice")).isEmpty();
    assertThat(signIn(idp.browser(), "alice", "demo").status()).isEqualTo(403);
    assertThat(signIn(idp.browser(), "alice", "n3w-password").status()).isEqualTo(303);
    assertThat(idp.audit.events(AuditEvent.PasswordChanged.class)).hasSize(1);
    assertThat(browser.cookies).doesNotContainKey("gh_reset.demo");
    assertThat(open(idp.browser(), link).status()).as("a second use").isEqualTo(400);
  }

  @Test
  void theAnswerIsTheSameForEverybody() {
    String known = ask(browser, "alice").text();
    String unknown = ask(browser, "nobody").text();
    String withoutAddress = ask(browser, "bob").text();
    assertThat(unknown).isEqualTo(known);
    assertThat(withoutAddress).isEqualTo(known);
    assertThat(outcomes()).containsExactly("mailed", "UNKNOWN_NAME", "NO_ADDRESS");
    assertThat(idp.notices.links).extracting(RecordingNotices.Sent::person).containsExactly("alice");
    assertThat(idp.resets.ofPerson("demo", FakeDirectory.BOB.id())).isEmpty();
  }

  @Test
  void aPersonIsFoundByAddressAndInTheirLanguage() {
    browser.headers = Map.of("Accept", "text/html", "Accept-Language", "de");
    link("alice@example.com");
    assertThat(idp.notices.links.getLast().language()).isEqualTo("de");
    assertThat(idp.notices.links.getLast().person()).isEqualTo("alice");
  }

  @Test
  void theHostOfARequestIsNotInTheLink() {
    browser.headers = Map.of("Accept", "text/html", "Host", "evil.example", "X-Forwarded-Host", "evil.example");
    assertThat(link("alice")).startsWith(TestRealms.IDP + "/").doesNotContain("evil");
  }

  @Test
  void readingTheLinkUsesNothingUp() {
    String link = link("alice");
    TestBrowser scanner = idp.browser();
    for (int i = 0; i < 3; i++) {
      assertThat(open(scanner, link).status()).isEqualTo(200);
    }
    assertThat(set(browser, open(browser, link), "n3w-password").text()).contains("Your password was set");
  }

  @Test
  void aLinkEnds() {
    String link = link("alice");
    idp.time.advance(Duration.ofMinutes(20));
    assertThat(open(browser, link).status()).isEqualTo(400);
    assertThat(open(browser, TestRealms.IDP + RESET + "?token=" + "A".repeat(43)).status()).isEqualTo(400);
  }

  @Test
  void aNewLinkReplacesTheFormerAndMailsAreAMinuteApart() {
    String first = link("alice");
    assertThat(ask(browser, "alice").status()).isEqualTo(200);
    assertThat(outcomes()).containsExactly("mailed", "TOO_SOON");
    idp.time.advance(Duration.ofMinutes(1));
    String second = link("alice");
    assertThat(open(browser, first).status()).isEqualTo(400);
    assertThat(open(browser, second).status()).isEqualTo(200);
  }

  @Test
  void aPasswordThatTheDirectoryRefusesLeavesTheLink() {
    String link = link("alice");
    EdgeReply form = open(browser, link);
    EdgeReply refused = set(browser, form, "abc");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("Password fails quality checking policy");
    assertThat(set(browser, refused, "n3w-password").text()).contains("Your password was set");
  }

  @Test
  void aDirectoryThatIsDownLeavesTheLink() {
    String link = link("alice");
    EdgeReply form = open(browser, link);
    idp.directory.down = true;
    assertThat(set(browser, form, "n3w-password").status()).isEqualTo(503);
    idp.directory.down = false;
    assertThat(set(browser, form, "n3w-password").text()).contains("Your password was set");
  }

  @Test
  void theSecondFactorIsAsked() {
    TestBrowser home = idp.browser();
    signIn(home, "alice", "demo");
    Authenticator app = enrolled(home);
    idp.time.advance(Duration.ofSeconds(30));
    String link = link("alice");
    EdgeReply form = open(browser, link);
    assertThat(form.text()).contains("name=\"code\"");
    assertThat(set(browser, form, "n3w-password").status()).as("no code").isEqualTo(403);
    assertThat(set(browser, form, "n3w-password", "code", "000000").status()).isEqualTo(403);
    EdgeReply refused = set(browser, form, "abc", "code", app.code(idp.time.instant()));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).as("the code counted").doesNotContain("name=\"code\"");
    TestBrowser thief = idp.browser();
    assertThat(open(thief, link).text()).as("in this browser only").contains("name=\"code\"");
    assertThat(set(thief, open(thief, link), "n3w-password").status()).isEqualTo(403);
    assertThat(set(browser, refused, "n3w-password").text()).contains("Your password was set");
    assertThat(idp.secondFactors.of("demo", FakeDirectory.ALICE.id())).extracting(Factor::label).hasSize(1);
  }

  private Authenticator enrolled(TestBrowser in) {
    EdgeReply list = in.get("/realms/demo/account/second-factor");
    EdgeReply page =
        in.follow(
            in.post(
                "/realms/demo/account/second-factor",
                Map.of("action", "add", "csrf", TestBrowser.field(list.text(), "csrf"))));
    Authenticator app = Authenticator.of(page.text());
    EdgeReply done =
        in.post(
            TestBrowser.attribute(page.text(), "action"),
            Map.of(
                "code", app.code(idp.time.instant()), "label", "My phone", "csrf", TestBrowser.field(page.text(), "csrf")));
    assertThat(done.status()).isEqualTo(200);
    return app;
  }

  @Test
  void aFormOfAnotherSiteDoesNothing() {
    String link = link("alice");
    EdgeReply form = open(browser, link);
    String csrf = TestBrowser.field(form.text(), "csrf");
    assertThat(browser.post(RESET, Map.of("new", "n3w-password", "again", "n3w-password", "csrf", "x")).status()).isEqualTo(403);
    TestBrowser other = idp.browser();
    other.cookies.put("gh_reset.demo", browser.cookies.get("gh_reset.demo"));
    assertThat(other.post(RESET, Map.of("new", "n3w-password", "again", "n3w-password", "csrf", csrf)).status()).isEqualTo(403);
    assertThat(browser.post(FORGOTTEN, Map.of("username", "bob", "csrf", "x")).status()).isEqualTo(403);
    assertThat(outcomes()).containsExactly("mailed");
  }

  @Test
  void requestsAreThrottledByNameAndByAddressWithoutLockingLoginsOut() {
    for (int i = 0; i < 5; i++) {
      assertThat(ask(browser, "alice").status()).isEqualTo(200);
    }
    assertThat(ask(browser, "ALICE").status()).as("by name").isEqualTo(429);
    TestBrowser neighbour = idp.browser();
    neighbour.address = InetAddress.ofLiteral("192.0.2.8");
    assertThat(ask(neighbour, "alice").status()).as("by name, whoever asks").isEqualTo(429);
    for (int i = 5; i < 30; i++) {
      assertThat(ask(browser, "somebody" + i).status()).isEqualTo(200);
    }
    assertThat(ask(browser, "somebody-else").status()).as("by address").isEqualTo(429);
    assertThat(ask(neighbour, "somebody-else").status()).isEqualTo(200);
    assertThat(signIn(browser, "alice", "demo").status()).isEqualTo(303);
  }

  @Test
  void requestsFromElsewhereDoNotKeepPeopleFromAskingInABrowserOfTheirs() {
    TestBrowser home = idp.browser();
    signIn(home, "alice", "demo");
    browser.address = InetAddress.ofLiteral("192.0.2.66");
    for (int i = 0; i < 5; i++) {
      ask(browser, "alice");
    }
    assertThat(ask(browser, "alice").status()).isEqualTo(429);
    idp.time.advance(Duration.ofMinutes(21));
    assertThat(ask(home, "bob").status()).isEqualTo(200);
    assertThat(ask(home, "alice").status()).isEqualTo(200);
    assertThat(outcomes().getLast()).isEqualTo("mailed");
    for (int i = 0; i < 5; i++) {
      ask(home, "alice");
    }
    assertThat(ask(home, "alice").status()).as("bounded there, too").isEqualTo(429);
  }

  @Test
  void aLinkThatCannotBeAuditedDoesNotWork() {
    assertThat(ask(browser, "bob").status()).isEqualTo(200);
    idp.audit.breakDown(true);
    try {
      ask(browser, "alice");
    } catch (AuditUnavailable e) {
      // The test's tasks run on the thread of the request.
    }
    idp.audit.breakDown(false);
    assertThat(idp.notices.links).hasSize(1);
    assertThat(open(browser, idp.notices.links.getLast().url()).status()).isEqualTo(400);
    assertThat(idp.resets.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
  }

  @Test
  void thereIsNothingWhereTheRealmDoesNotAllowIt() {
    Idp other = new Idp(realm(Optional.empty()));
    TestBrowser theirs = other.browser();
    assertThat(theirs.get("/realms/demo/login").text()).doesNotContain(FORGOTTEN);
    assertThat(theirs.get(FORGOTTEN).status()).isEqualTo(404);
    assertThat(theirs.get(RESET).status()).isEqualTo(404);
    assertThat(theirs.post(RESET, Map.of("new", "x")).status()).isEqualTo(404);
  }

  @Test
  void aNewBrowserIsTold() {
    signIn(browser, "alice", "demo");
    assertThat(idp.notices.devices).containsExactly("alice 192.0.2.7 ?");
    String device = browser.cookies.get("gh_device.demo");
    TestBrowser later = idp.browser();
    later.cookies.put("gh_device.demo", device);
    signIn(later, "alice", "demo");
    assertThat(idp.notices.devices).as("known").hasSize(1);
    TestBrowser shared = idp.browser();
    shared.cookies.put("gh_device.demo", device);
    signIn(shared, "bob", "demo");
    assertThat(idp.notices.devices).as("known for alice alone").hasSize(2);
    TestBrowser firefox = idp.browser();
    firefox.headers = Map.of("Accept", "text/html", "User-Agent", "Mozilla/5.0 (X11; Linux) Firefox/140.0");
    signIn(firefox, "alice", "demo");
    assertThat(idp.notices.devices.getLast()).isEqualTo("alice 192.0.2.7 Firefox, Linux");
  }

  @Test
  void peopleGetTheirDataAsAFile() {
    signIn(browser, "alice", "demo");
    EdgeReply page = browser.get("/realms/demo/account/data");
    EdgeReply file =
        browser.post("/realms/demo/account/data", Map.of("csrf", TestBrowser.field(page.text(), "csrf")));
    assertThat(file.headers().first("Content-Disposition")).contains("attachment; filename=\"my-data.json\"");
    assertThat(file.text()).contains("\"alice@example.com\"", "\"sessions\"", "\"devices\"").doesNotContain("Bob");
    assertThat(browser.post("/realms/demo/account/data", Map.of("csrf", "x")).status()).isEqualTo(403);
    assertThat(idp.browser().get("/realms/demo/account/data").status()).isEqualTo(303);
    assertThat(idp.audit.events(AuditEvent.PersonDataExported.class))
        .extracting(AuditEvent.PersonDataExported::by)
        .containsExactly("person");
  }
}

package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.TestRealms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 39 to 47 and login CSRF: the answers to forged, guessed or oversized logins, and the reasons. */
final class LoginAttackTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @Test
  void case39PagesWithFormsCannotBeFramed() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    for (String path : List.of("account", "password", "logout")) {
      framedByNobody(browser.get("/realms/demo/" + path));
    }
    framedByNobody(idp.browser().get("/realms/demo/login"));
  }

  @Test
  void case39ALoginFormFromAnotherSiteIsNotRead() {
    EdgeReply form = browser.get("/realms/demo/login");
    String csrf = TestBrowser.field(form.text(), "csrf");
    Map<String, String> fields = Map.of("username", "alice", "password", "demo", "csrf", csrf);

    EdgeReply bare = browser.postFromElsewhere("/realms/demo/login", fields);
    assertThat(bare.headers().first("Set-Cookie")).as("no cookie comes, none is replaced").isEmpty();
    assertThat(browser.follow(bare).text()).contains("was not sent from here");
    Map<String, String> without = new HashMap<>(fields);
    without.remove("csrf");
    assertThat(browser.post("/realms/demo/login", without).status()).as("no token").isEqualTo(403);
    TestBrowser attacker = idp.browser();
    String foreign = TestBrowser.field(attacker.get("/realms/demo/login").text(), "csrf");
    Map<String, String> theirs = new HashMap<>(fields);
    theirs.put("csrf", foreign);
    assertThat(browser.post("/realms/demo/login", theirs).status()).as("another browser's token").isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html", "Sec-Fetch-Site", "cross-site");
    assertThat(browser.post("/realms/demo/login", fields).status()).as("cross-site").isEqualTo(403);
    browser.headers = Map.of("Accept", "text/html", "Origin", "https://evil.example");
    assertThat(browser.post("/realms/demo/login", fields).status()).as("foreign origin").isEqualTo(403);

    assertThat(idp.directory.binds).as("no password was looked at").hasValue(0);
    assertThat(browser.cookies).doesNotContainKey("gh_idp.demo");
    browser.headers = Map.of("Accept", "text/html", "Origin", TestRealms.IDP, "Sec-Fetch-Site", "same-origin");
    assertThat(browser.post("/realms/demo/login", fields).status()).isEqualTo(303);
  }

  @Test
  void case40EveryLoginHasANewToken() {
    browser.cookies.put("gh_idp.demo", "A".repeat(43));
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    String first = browser.cookies.get("gh_idp.demo");
    assertThat(first).isNotEqualTo("A".repeat(43));
    TestBrowser second = idp.browser();
    second.login(second.get("/realms/demo/login"), "alice", "demo");
    assertThat(second.cookies.get("gh_idp.demo")).isNotEqualTo(first);
  }

  @Test
  void case42AnEmptyPasswordIsRefusedBeforeAnyBind() {
    assertThat(attempt("alice", "").status()).isEqualTo(403);
    assertThat(idp.directory.binds).hasValue(0);
    assertThat(loginReasons()).containsExactly("EMPTY_PASSWORD");
  }

  /** An audit log that is full stops every login. */
  @Test
  void passwordsThatNoDirectorySeesAreWrittenAtAPace() {
    EdgeReply form = browser.get("/realms/demo/login");
    for (int i = 0; i < 520; i++) {
      assertThat(browser.login(form, "alice", "").status()).isEqualTo(403);
    }
    assertThat(loginReasons()).hasSize(500).containsOnly("EMPTY_PASSWORD");
    assertThat(browser.login(form, "alice", "wrong").status()).isEqualTo(403);
    assertThat(loginReasons()).endsWith("WRONG_PASSWORD");
  }

  @Test
  void case43VariantsOfANameAreOnePersonAndOneCounter() {
    for (int i = 0; i < 10; i++) {
      attempt(i % 2 == 0 ? "alice" : " ALICE ", "wrong");
    }
    assertThat(attempt("Alice", "demo").status()).isEqualTo(429);
  }

  @Test
  void case44UnknownWrongAndLockedLookAlike() {
    idp.directory.lock("bob");
    EdgeReply wrong = attempt("alice", "wrong");
    EdgeReply unknown = attempt("nobody", "wrong");
    EdgeReply locked = attempt("bob", "demo");
    assertThat(List.of(wrong.status(), unknown.status(), locked.status())).containsOnly(403);
    String plain = wrong.text().replace("alice", "NAME");
    assertThat(unknown.text().replace("nobody", "NAME")).isEqualTo(plain);
    assertThat(locked.text().replace("bob", "NAME")).isEqualTo(plain);
    assertThat(plain).contains("role=\"alert\"");
    assertThat(loginReasons()).containsExactly("WRONG_PASSWORD", "UNKNOWN_NAME", "LOCKED");
  }

  @Test
  void case45AThousandParallelGuessesAreTenAtMost() throws Exception {
    List<Callable<Integer>> guesses = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      String guess = "guess" + i;
      guesses.add(
          () -> {
            TestBrowser mine = idp.browser();
            return mine.login(mine.get("/realms/demo/login"), "alice", guess).status();
          });
    }
    List<Integer> seen = new ArrayList<>();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> status : pool.invokeAll(guesses)) {
        seen.add(status.get());
      }
    }
    assertThat(idp.directory.binds).hasValue(10);
    assertThat(seen).filteredOn(status -> status == 403).hasSize(10);
    assertThat(seen).filteredOn(status -> status == 429).hasSize(990);
  }

  @Test
  void case45WhoeverIsThrottledIsToldWhenToComeBack() {
    for (int i = 0; i < 10; i++) {
      attempt("alice", "wrong");
    }
    EdgeReply reply = attempt("alice", "demo");
    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.headers().first("Retry-After")).contains("90");
    assertThat(attempt("bob", "demo").status()).as("others go on").isEqualTo(303);
  }

  @Test
  void case46AnOverlongPasswordIsRefusedBeforeAnyBind() {
    assertThat(attempt("alice", "x".repeat(1025)).status()).isEqualTo(403);
    assertThat(attempt("alice", "ä".repeat(513)).status()).isEqualTo(403);
    assertThat(idp.directory.binds).hasValue(0);
    assertThat(loginReasons()).containsOnly("PASSWORD_TOO_LONG");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%2F%5C%5Chost", "https%3A%2F%2Fevil.example", "x%0D%0ASet-Cookie%3Aa%3Db", "javascript%3Aalert(1)"})
  void case47NoParameterLeadsElsewhere(String target) {
    for (String name : List.of("pending", "return", "next", "RelayState", "continue")) {
      EdgeReply reply = browser.get("/realms/demo/login?" + name + "=" + target);
      assertThat(reply.headers().first("Location")).isEmpty();
      if (reply.status() == 200) {
        EdgeReply after = idp.browser().get("/realms/demo/login?" + name + "=" + target);
        assertThat(after.headers().fields()).noneMatch(field -> field.value().contains("evil"));
      }
    }
    EdgeReply done = browser.login(browser.get("/realms/demo/login?next=" + target), "alice", "demo");
    assertThat(done.headers().first("Location")).contains("/realms/demo/account");
  }

  @Test
  void theDirectoryBeingDownIsSaidAndCostsNoPermit() {
    idp.directory.down = true;
    for (int i = 0; i < 20; i++) {
      EdgeReply reply = attempt("alice", "demo");
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.headers().first("Retry-After")).isPresent();
    }
    idp.directory.down = false;
    assertThat(attempt("alice", "demo").status()).isEqualTo(303);
  }

  @Test
  void withoutAnAuditLogNobodyGetsIn() {
    EdgeReply form = browser.get("/realms/demo/login");
    idp.audit.breakDown(true);
    assertThat(browser.login(form, "alice", "demo").status()).isEqualTo(503);
    assertThat(browser.cookies).doesNotContainKey("gh_idp.demo");
  }

  @Test
  void directLoginIsOffUnlessTheRealmTurnsItOn() {
    assertThat(browser.post("/realms/demo/login/direct", Map.of("username", "alice", "password", "demo")).status())
        .isEqualTo(404);
    assertThat(idp.directory.binds).hasValue(0);
  }

  @Test
  void directLoginTakesClientsAndOwnPagesButNoForeignOnes() {
    Idp direct = new Idp(TestRealms.change(TestRealms.demo()).directLogin(true).realm());
    Map<String, String> fields = Map.of("username", "alice", "password", "demo");
    TestBrowser client = direct.browser();
    for (Map<String, String> foreign :
        List.of(
            Map.of("Origin", "https://evil.example"),
            Map.of("Origin", "null"),
            Map.of("Sec-Fetch-Site", "cross-site"),
            Map.of("Sec-Fetch-Site", "same-site"))) {
      client.headers = foreign;
      assertThat(client.post("/realms/demo/login/direct", fields).status()).as(foreign.toString()).isEqualTo(403);
    }
    assertThat(direct.directory.binds).hasValue(0);
    client.headers = Map.of();
    EdgeReply reply = client.post("/realms/demo/login/direct", fields);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEmpty();
    assertThat(client.get("/realms/demo/account").status()).isEqualTo(200);
    assertThat(client.get("/realms/demo/login/direct").status()).isEqualTo(405);
    for (int i = 0; i < 10; i++) {
      assertThat(client.post("/realms/demo/login/direct", Map.of("username", "bob", "password", "x")).status())
          .isEqualTo(403);
    }
    assertThat(client.post("/realms/demo/login/direct", Map.of("username", "bob", "password", "demo")).status())
        .isEqualTo(429);
  }

  @Test
  void cookiesAreHostOnlyAndOutOfReachOfScripts() {
    EdgeReply reply = browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    assertThat(reply.headers().first("Set-Cookie").orElseThrow())
        .startsWith("gh_idp.demo=")
        .contains("; Path=/", "; HttpOnly", "; SameSite=Lax")
        .doesNotContain("Domain");
  }

  private EdgeReply attempt(String name, String password) {
    browser.cookies.remove("gh_idp.demo");
    return browser.login(browser.get("/realms/demo/login"), name, password);
  }

  private List<String> loginReasons() {
    return idp.audit.events(AuditEvent.LoginRefused.class).stream().map(AuditEvent.LoginRefused::reason).toList();
  }

  private static void framedByNobody(EdgeReply reply) {
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers().first("Content-Security-Policy").orElse("")).contains("frame-ancestors 'none'");
    assertThat(reply.headers().first("X-Frame-Options")).contains("DENY");
  }
}

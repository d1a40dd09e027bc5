package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.token.TokenDeskFixture;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The console's pages for tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenPagesTest {

  private static final String TOKENS = "/console/realms/demo/tokens";
  private static final String ONE = TOKENS + "/one";
  private static final String PERSON = TOKENS + "/person";
  private static final Pattern CODE = Pattern.compile("<code>([^<]+)</code>");

  private final TokenDeskFixture tokens = new TokenDeskFixture();
  private Path data;
  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path folder) {
    data = folder;
    admin = new TestAdmin(folder, tokens::register);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    tokens.clear();
    tokens.add("t-1", "t-2", "t-3");
  }

  private ConsoleBrowser as(String grant) throws IOException, InterruptedException {
    new AdministratorKeys(data, new TestTime(), RandomGenerator.of("SecureRandom")).revoke(grant);
    return ConsoleBrowser.loggedIn(admin.port(), admin.key(grant, List.of(AdministratorGrant.parse(grant)), Optional.empty()));
  }

  @Test
  void aTokenIsFoundAssignedLostAndFoundAgain() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk@demo");
    assertThat(browser.get(TOKENS).body()).contains("t-1", "t-2", "t-3", "Belong to nobody");
    assertThat(browser.get(TOKENS + "?q=t-2").body()).contains(">t-2<").doesNotContain(">t-1<");
    HttpResponse<String> assigned = browser.post(ONE, "serial", "t-1", "step", "assign", "person", "alice");
    assertThat(assigned.headers().firstValue("Location")).hasValue(ONE + "?serial=t-1&done=assign");
    assertThat(browser.get(ONE + "?serial=t-1&done=assign").body()).contains("The token is assigned", "alice", "Take back");
    assertThat(browser.get(TOKENS + "?q=alice").body()).contains(">t-1<", PERSON + "?name=alice").doesNotContain(">t-2<");
    browser.post(ONE, "serial", "t-1", "step", "lost");
    assertThat(browser.get(ONE + "?serial=t-1").body()).contains("Found again").doesNotContain(">Disable<");
    assertThat(browser.get(TOKENS + "?state=lost").body()).contains(">t-1<").doesNotContain(">t-2<");
    browser.post(ONE, "serial", "t-1", "step", "found");
    browser.post(ONE, "serial", "t-1", "step", "replace", "by", "t-2");
    assertThat(browser.get(ONE + "?serial=t-2").body()).contains("Takes the place of", ">t-1<");
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action)
        .containsExactly("console.login", "token.assign", "token.lost", "token.found", "token.replace");
  }

  @Test
  void aTokenOfSomebodyWithMorePowerIsShown() throws IOException, InterruptedException {
    Person boss = admin.logins.add("boss");
    admin.grant(boss, "admin@demo");
    as("admin@demo").post(ONE, "serial", "t-1", "step", "assign", "person", boss.id().value());
    ConsoleBrowser browser = as("helpdesk@demo");
    HttpResponse<String> shown = browser.get(ONE + "?serial=t-1");
    assertThat(shown.statusCode()).isEqualTo(200);
    assertThat(shown.body()).contains(boss.id().value());
    assertThat(browser.post(ONE, "serial", "t-1", "step", "disable").statusCode()).isEqualTo(403);
  }

  @Test
  void aPageThatIsOldChangesNothing() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk@demo");
    Matcher tag = Pattern.compile("name=\"tag\" value=\"([^\"]+)\"").matcher(browser.get(ONE + "?serial=t-1").body());
    assertThat(tag.find()).isTrue();
    String seen = tag.group(1).replace("&quot;", "\"");
    assertThat(browser.post(ONE, "serial", "t-1", "step", "disable", "tag", seen).statusCode()).isEqualTo(303);
    assertThat(browser.post(ONE, "serial", "t-1", "step", "enable", "tag", seen).statusCode()).isEqualTo(412);
  }

  @Test
  void whatHelpsAPersonIsShownOnce() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk@demo");
    assertThat(browser.get(PERSON + "?name=alice").body()).contains("The person has no token").doesNotContain("temporary PIN");
    browser.post(ONE, "serial", "t-1", "step", "assign", "person", "alice");
    // Who has found the person is two clicks from the tokens, and back.
    assertThat(browser.get("/console/realms/demo/people/access?name=alice").body()).contains(PERSON + "?name=alice", "Number of tokens: 1");
    assertThat(browser.get(PERSON + "?name=alice").body()).contains("/console/realms/demo/people/access?name=alice");
    HttpResponse<String> pin = browser.post(PERSON, "name", "alice", "step", "pin");
    assertThat(pin.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    Matcher told = CODE.matcher(pin.body());
    assertThat(told.find()).isTrue();
    assertThat(told.group(1)).matches("[0-9]{6}");
    assertThat(browser.get(PERSON + "?name=alice").body()).contains("to be changed at the next login").doesNotContain(told.group(1));
    assertThat(CODE.matcher(browser.post(PERSON, "name", "alice", "step", "codes").body()).results()).hasSize(10);
    assertThat(browser.get(PERSON + "?name=alice").body()).contains("codes that count once", "(10)");
    assertThat(CODE.matcher(browser.post(PERSON, "name", "alice", "step", "password", "hours", "4").body()).results()).hasSize(1);
    assertThat(browser.post(PERSON, "name", "alice", "step", "password", "hours", "9999").statusCode()).isEqualTo(400);
    assertThat(browser.post(PERSON, "name", "alice", "step", "end").statusCode()).isEqualTo(303);
    assertThat(browser.post(PERSON, "name", "alice", "step", "unlock").statusCode()).isEqualTo(303);
    assertThat(browser.post(PERSON, "name", "alice", "step", "x").statusCode()).isEqualTo(400);
    assertThat(admin.audit.events(Administered.class).toString()).doesNotContain(told.group(1));
  }

  @Test
  void othersDoNotSeeThem() throws IOException, InterruptedException {
    for (String grant : List.of("viewer@demo", "admin@other")) {
      ConsoleBrowser browser = as(grant);
      for (String page : List.of(TOKENS, ONE + "?serial=t-1", PERSON + "?name=alice")) {
        assertThat(browser.get(page).statusCode()).as(grant + " " + page).isEqualTo(403);
      }
      assertThat(browser.post(PERSON, "name", "alice", "step", "pin").statusCode()).isEqualTo(403);
    }
    assertThat(as("helpdesk@demo").get(ONE + "?serial=none").statusCode()).isEqualTo(404);
  }

  @Test
  void trustedRealmsHaveTheirCertificatesAndCountsAndAreTested() throws IOException, InterruptedException {
    String trusts = TOKENS + "/trusts";
    assertThat(as("helpdesk@demo").get(TOKENS).body()).contains(trusts);
    ConsoleBrowser viewer = as("viewer@demo");
    String page = viewer.get(trusts).body();
    assertThat(page)
        .contains("branch.example", "@old.branch.example", "https://id.branch.example/realms/main/otp/v1", "ab12".repeat(16), "does not answer", "<dd>1234</dd>")
        .contains("datetime=\"1970-01-01T00:00:00Z\"").doesNotContain("<script>alert");
    assertThat(viewer.post(trusts + "/test", "name", "branch.example").statusCode()).isEqualTo(403);
    ConsoleBrowser operator = as("operator@demo");
    assertThat(operator.post(trusts + "/test", "name", "branch.example").body()).contains("It does not work.", "It was not reached.");
    assertThat(operator.post(trusts + "/test", "name", "third.example").statusCode()).isEqualTo(404);
    assertThat(as("admin@other").get(trusts).statusCode()).isEqualTo(403);
  }

  @Test
  void theRegisterOfPeopleIsComparedAndSynchronised() throws IOException, InterruptedException {
    String register = TOKENS + "/register";
    String hostile = HostileNames.TEXT;
    tokens.entries.add(
        new Entry("uid=alice", Optional.of(new PersonId("alice-id")), Optional.of("alice"), Optional.of(hostile), Optional.of(hostile), List.of(), false));
    ConsoleBrowser desk = as("helpdesk@demo");
    assertThat(desk.get(TOKENS).body()).contains("tokens/reports", "tokens/register");
    assertThat(desk.get(register).body()).contains("There was none yet.").doesNotContain("Synchronise now", "Compare with");
    assertThat(desk.post(register + "/synchronise").statusCode()).isEqualTo(403);
    ConsoleBrowser admin = as("admin@demo");
    String preview = admin.post(register + "/preview").headers().firstValue("Location").orElseThrow();
    Eventually.holds(() -> !admin.get(preview).body().contains("http-equiv=\"refresh\""));
    assertThat(admin.get(preview).body()).contains("Comparison of people").doesNotContain("<script>alert");
    String job = admin.post(register + "/synchronise", "mayDisable", "").headers().firstValue("Location").orElseThrow();
    Eventually.holds(() -> !admin.get(job).body().contains("http-equiv=\"refresh\""));
    // The page of the job may come before the job has begun.
    Eventually.holds(() -> desk.get(register).body().contains("uid=alice"));
    assertThat(desk.get(register).body()).contains(">alice<", "uid=alice", "Active").doesNotContain("<script>alert", "There was none yet.");
    assertThat(desk.get(register + "?q=b").body()).contains("There is nobody of that kind.");
    assertThat(desk.get(register + "?" + ConsoleBrowser.form("q", hostile, "status", hostile, "after", hostile)).body()).doesNotContain("<script>alert");
    assertThat(admin.post(register + "/synchronise", "mayDisable", "lots").statusCode()).isEqualTo(400);
  }

  @Test
  void reportsAndFieldsOfTokens() throws IOException, InterruptedException {
    ConsoleBrowser desk = as("helpdesk@demo");
    HttpResponse<String> written = desk.post(ONE, "serial", "t-1", "step", "fields", "label", HostileNames.TEXT.substring(0, 40), "note", "a note");
    assertThat(written.headers().firstValue("Location")).hasValue(ONE + "?serial=t-1&done=fields");
    assertThat(desk.get(ONE + "?serial=t-1&done=fields").body()).contains("Label, note and end are changed.", "a note").doesNotContain("<script>alert");
    String reports = TOKENS + "/reports";
    assertThat(desk.get(reports + "?report=enabled").body()).contains(">t-1<", ">t-2<", "Enabled tokens").doesNotContain("<script>alert");
    assertThat(desk.get(reports + "?report=lost").body()).contains("There is no such token.").doesNotContain(">t-1<");
    assertThat(desk.get(reports).body()).contains("Tokens that expire");
    HttpResponse<String> csv = desk.get(reports + "/csv?report=enabled");
    assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
    assertThat(csv.body()).contains("t-1,enabled,");
    assertThat(desk.get(reports + "/csv?report=odd").statusCode()).isEqualTo(400);
    assertThat(desk.get(reports + "?days=x").statusCode()).isEqualTo(400);
    // A node without an index of its audit log says so.
    assertThat(desk.get(reports + "?report=person").statusCode()).isEqualTo(409);
    assertThat(desk.post(ONE, "serial", "t-1", "step", "fields", "expires", "2199-01-01").statusCode()).isEqualTo(403);
    assertThat(desk.post(ONE, "serial", "t-1", "step", "fields", "expires", "2999-01-01").statusCode()).isEqualTo(400);
    assertThat(desk.post(ONE, "serial", "t-1", "step", "fields", "expires", "soon").statusCode()).isEqualTo(400);
  }
}

package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.search.Coverage;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.audit.BrokenSearch;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The search of the audit log in the console, over a log of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditPagesTest {

  private static final String HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>";

  /** What is said of the events of nodes, if it is not what the index says. */
  private volatile Optional<Coverage> coverage = Optional.empty();

  /** An index that may be behind. */
  private record CoveredSearch(AuditIndex index, Supplier<Optional<Coverage>> said) implements EventSearch {

    @Override
    public AuditPage search(AuditQuery query) throws IOException {
      return index.search(query);
    }

    @Override
    public AuditPage search(AuditQuery query, Duration atMost) throws IOException {
      return index.search(query, atMost);
    }

    @Override
    public Coverage coverage(Instant to) throws IOException {
      Optional<Coverage> other = said.get();
      return other.isPresent() ? other.get() : index.coverage(to);
    }

    @Override
    public void close() {
      index.close();
    }
  }

  private JsonLinesAuditLog log;
  private AuditSearch search;
  private TestAdmin admin;
  private ConsoleBrowser browser;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    TestTime time = new TestTime();
    Path directory = folder.resolve("audit");
    log = new JsonLinesAuditLog(directory, Optional.of(folder.resolve("head")), 1 << 20, Duration.ofDays(30), time);
    Context demo = new Context("demo", "192.0.2.7", Optional.of("k7qf2m8cwb3d"));
    time.advance(Duration.ofMinutes(-10));
    log.record(new AuditEvent.LoginSucceeded(demo, "p-1", "alice", "password", "s"));
    log.record(new AuditEvent.LoginRefused(demo, HOSTILE, "password", "THROTTLED_ACCOUNT"));
    log.record(new AuditEvent.LoginRefused(demo, "=cmd|' /C calc'!A0", "password", "WRONG_PASSWORD"));
    log.record(new AuditEvent.Administered(new Context("other", HOSTILE, Optional.of(HOSTILE)), HOSTILE, HOSTILE, Map.of(HOSTILE, HOSTILE)));
    for (int i = 0; i < 120; i++) {
      log.record(new AuditEvent.MessageRefused(demo, i % 2 == 0 ? TestRealms.SP_ENTITY : "https://stranger.example", "AuthnRequest", "SIGNATURE_INVALID"));
    }
    AuditIndex index = new AuditIndex(directory, new AuditSegments(directory, Optional.empty()), log, Duration.ofDays(30), time, () -> false);
    search =
        AuditSearch.of(
            new CoveredSearch(index, () -> coverage), List.of(RepeatedTask.begin("audit-index", "The index cannot be made", index::follow)));
    admin = new TestAdmin(folder.resolve("admin"), search);
    browser = ConsoleBrowser.loggedIn(admin.port(), admin.key);
    Eventually.holds(() -> get("").split("<details", -1).length == 101 && get("?person=alice").contains("p-1"));
  }

  @AfterAll
  void stop() {
    admin.close();
    search.close();
    log.close();
  }

  private String get(String query) throws IOException, InterruptedException {
    HttpResponse<String> page = browser.get("/console/audit" + query);
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    return page.body();
  }

  private ConsoleBrowser as(String grant) throws IOException, InterruptedException {
    String name = grant.replace('@', '-');
    return ConsoleBrowser.loggedIn(admin.port(), admin.key(name, List.of(AdministratorGrant.parse(grant)), Optional.empty()));
  }

  @Test
  void eventsAreFoundByEachFieldAndExplained() throws IOException, InterruptedException {
    assertThat(get("?person=alice&address=192.0.2.7&requestId=k7qf2m8cwb3d&event=LoginSucceeded&realm=demo&reason="))
        .contains("A person signed in", "<strong>LoginSucceeded</strong>", "<dd>p-1</dd>", "value=\"alice\"");
    assertThat(get("?reason=WRONG_PASSWORD")).contains("A login was refused.", "=cmd|").doesNotContain("LoginSucceeded</strong>");
    assertThat(get("?person=nobody")).contains("There is no such event");
    assertThat(get("?partner=" + ConsoleBrowser.form("x", TestRealms.SP_ENTITY).substring(2))).contains("0 found".replace("0", "60"));
    assertThat(get("?from=2025-01-01T00:00&to=2025-01-02T00:00")).contains("There is no such event");
    browser.language = "de";
    assertThat(get("?person=alice")).contains("Jemand hat sich angemeldet", "Referenz einer Fehlerseite");
    browser.language = "en";
  }

  @Test
  void reasonsHaveTheMeaningsOfTheReferencePage() {
    List<ReasonTexts.Meaning> meanings = ReasonTexts.of("WRONG_PASSWORD");
    assertThat(meanings).isNotEmpty().allSatisfy(meaning -> assertThat(meaning.meaning()).isNotBlank().doesNotContain("`", "]("));
    assertThat(ReasonTexts.of("SIGNATURE_INVALID").getFirst().remedy()).isNotBlank();
    assertThat(ReasonTexts.of("<none>")).isEmpty();
  }

  @Test
  void nodesWhoseEventsAreMissingAreNamed() throws IOException, InterruptedException {
    assertThat(get("?person=alice")).doesNotContain("Not all events");
    Instant until = Instant.parse("2026-01-01T11:00:00Z");
    coverage =
        Optional.of(
            new Coverage(
                false,
                List.of(
                    new Coverage.NodeEvents(1, HOSTILE, until, 7, false), new Coverage.NodeEvents(2, "host2", until, 0, true),
                    new Coverage.NodeEvents(3, "host3", until, 0, false))));
    try {
      assertThat(get("?person=alice"))
          .contains("Not all events are in the database yet.", "node 1 (", "node 3 (host3)", "2026-01-01T11:00:00Z")
          .doesNotContain("host2", "<script>alert", "console.audit.");
      HttpResponse<String> answer = admin.authorized("GET", "/admin/v1/audit?person=alice");
      assertThat(answer.body())
          .contains("\"complete\":false", "\"node\":2,\"host\":\"host2\",\"until\":\"2026-01-01T11:00:00Z\",\"missing\":0,\"stopped\":true");
      coverage = Optional.of(new Coverage(false, List.of()));
      assertThat(get("?person=alice")).contains("The index of the log is being built");
    } finally {
      coverage = Optional.empty();
    }
  }

  @Test
  void pagesGoOn() throws IOException, InterruptedException {
    String first = get("?event=MessageRefused&realm=demo");
    String next = first.replaceFirst("(?s).*href=\"(/console/audit\\?[^\"]*cursor=[^\"]*)\".*", "$1").replace("&amp;", "&");
    HttpResponse<String> second = browser.get(next);
    assertThat(second.body().split("<details", -1)).hasSize(21);
    assertThat(second.body()).contains("value=\"MessageRefused\"").doesNotContain("cursor=");
  }

  @Test
  void hostileValuesStayText() throws IOException, InterruptedException {
    assertThat(get("?realm=other")).contains("&lt;script&gt;alert(1)").doesNotContain("<script>", "<img");
    assertThat(get("?realm=demo&reason=THROTTLED_ACCOUNT")).contains("&lt;script&gt;alert(1)").doesNotContain("<script>", "<img");
    assertThat(browser.get("/console/").body()).contains("&lt;script&gt;alert(1)").doesNotContain("<script>", "<img");
    String typed = ConsoleBrowser.form("person", HOSTILE, "event", HOSTILE, "address", HOSTILE);
    assertThat(get("?" + typed)).contains("&lt;script&gt;").doesNotContain("<script>", "<img");
  }

  @Test
  void theOverviewSaysWhoWaitsAndWhichPartnersFail() throws IOException, InterruptedException {
    String overview = browser.get("/console/").body();
    assertThat(overview).contains("People who had to wait", "THROTTLED_ACCOUNT", "Partners whose messages were refused", "SIGNATURE_INVALID", ">60<")
        .doesNotContain("stranger.example");
    assertThat(as("viewer@demo").get("/console/").body()).contains("Partners whose messages").doesNotContain("People who had to wait");
  }

  @Test
  void exportsAreFilesThatNoSpreadsheetExecutes() throws IOException, InterruptedException {
    HttpResponse<String> csv = browser.get("/console/audit/export?format=csv&reason=WRONG_PASSWORD&realm=demo");
    assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
    assertThat(csv.headers().firstValue("Content-Disposition")).hasValue("attachment; filename=\"audit.csv\"");
    assertThat(csv.headers().allValues("Cache-Control")).containsExactly("no-store");
    assertThat(csv.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
    assertThat(csv.body()).startsWith("time,event,realm,client,reference,").contains(",'=cmd|' /C calc'!A0,");
    assertThat(csv.body().lines()).hasSize(2);
    HttpResponse<String> lines = browser.get("/console/audit/export?format=jsonl&event=MessageRefused&realm=demo");
    assertThat(lines.body().lines()).hasSize(120).allMatch(line -> line.startsWith("{"));
    Administered exported = admin.audit.events(Administered.class).getLast();
    assertThat(exported.action()).isEqualTo("audit.export");
    assertThat(admin.authorized("GET", "/admin/v1/audit?format=csv&person=alice").body().lines()).hasSize(2);
  }

  @Test
  void eachRealmIsForItsOwnHelpDesk() throws IOException, InterruptedException {
    ConsoleBrowser demo = as("helpdesk@demo");
    assertThat(demo.get("/console/audit").body()).contains("SIGNATURE_INVALID").doesNotContain("Administered</strong>", "all realms");
    for (String query : List.of("?realm=other", "?realm=-", "?realm=demo2")) {
      assertThat(demo.get("/console/audit" + query).statusCode()).as(query).isEqualTo(403);
      assertThat(demo.get("/console/audit/export" + query).statusCode()).as(query).isEqualTo(403);
    }
    assertThat(as("viewer").get("/console/audit").statusCode()).isEqualTo(403);
    ConsoleBrowser other = as("helpdesk@other");
    assertThat(other.get("/console/audit").statusCode()).isEqualTo(403);
    for (String query : List.of("?from=nonsense", "?cursor=x", "?from=2026-01-02T00:00&to=2026-01-01T00:00")) {
      assertThat(browser.get("/console/audit" + query).statusCode()).as(query).isEqualTo(400);
    }
    for (String query : List.of("?from=nonsense", "?from=2026-01-02T00:00&to=2026-01-01T00:00")) {
      HttpResponse<String> noFile = browser.get("/console/audit/export" + query);
      assertThat(noFile.statusCode()).as(query).isEqualTo(400);
      assertThat(noFile.headers().firstValue("Content-Disposition")).isEmpty();
    }
  }

  /** A browser says then that the download has failed. */
  @Test
  void anExportThatFailsHasNoEnd(@TempDir Path folder) throws Exception {
    try (TestAdmin broken = new TestAdmin(folder, AuditSearch.of(new BrokenSearch(1000), List.of()))) {
      ConsoleBrowser reader = ConsoleBrowser.loggedIn(broken.port(), broken.key);
      assertThatThrownBy(() -> reader.get("/console/audit/export?format=csv")).isInstanceOf(IOException.class);
    }
  }
}

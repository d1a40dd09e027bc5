package dev.gatehouse.gateway.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code /admin/v1/audit} over a log that nothing changes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditEndpointTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Path folder;
  private JsonLinesAuditLog log;
  private AuditIndex index;
  private AuditSearch search;
  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path data) {
    folder = data;
    TestTime time = new TestTime();
    Path directory = folder.resolve("audit");
    log = new JsonLinesAuditLog(directory, Optional.of(folder.resolve("head")), 1 << 20, Duration.ofDays(30), time);
    log.record(new AuditEvent.LoginSucceeded(new Context("demo", "192.0.2.7", Optional.of("old-reference")), "p-1", "alice", "password", "s"));
    time.advance(Duration.ofSeconds(-10));
    for (int i = 0; i < 1500; i++) {
      log.record(new AuditEvent.LoginRefused(new Context("demo", "2001:db8::1", Optional.of("k" + i)), "bob=\\|\n", "password", "WRONG_PASSWORD"));
    }
    index = new AuditIndex(directory, new AuditSegments(directory, Optional.empty()), log, Duration.ofDays(30), time, () -> false);
    search = AuditSearch.of(index);
    admin = new TestAdmin(folder.resolve("admin"), search);
    // Entries of the events of one step become visible one after the other, not in the order of the events.
    Eventually.holds(() -> !get("?requestId=k1499").path("events").isEmpty() && !get("?person=alice").path("events").isEmpty());
    Eventually.holds(() -> pages().size() == 1501);
  }

  @AfterAll
  void stop() {
    admin.close();
    search.close();
    log.close();
  }

  private JsonNode get(String query) throws Exception {
    HttpResponse<String> response = admin.authorized("GET", "/admin/v1/audit" + query);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private String refused(String query) throws Exception {
    HttpResponse<String> response = admin.authorized("GET", "/admin/v1/audit" + query);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    return JSON.readTree(response.body()).path("detail").asString();
  }

  @Test
  void eventsOfAPersonAreTheLinesOfTheLog() throws Exception {
    JsonNode page = get("?person=alice");
    assertThat(page.path("complete").asBoolean()).isTrue();
    assertThat(page.has("next")).isFalse();
    assertThat(page.path("events")).hasSize(1);
    JsonNode event = page.path("events").get(0);
    assertThat(event.path("session").asString()).as("a field that no index has").isEqualTo("s");
    assertThat(event.path("chain").asString()).hasSize(32);
    assertThat(get("?person=p-1&address=192.0.2.7&requestId=old-reference&realm=demo&event=LoginSucceeded").path("events")).hasSize(1);
    assertThat(get("?person=p-1&address=192.0.2.8").path("events")).isEmpty();
    assertThat(get("?reason=WRONG_PASSWORD&limit=3").path("events")).hasSize(3);
  }

  @Test
  void pagesGoOnWithTheirCursor() throws Exception {
    assertThat(pages()).hasSize(1501).doesNotHaveDuplicates().startsWith(1L, 1501L, 1500L).endsWith(2L);
  }

  private List<Long> pages() throws Exception {
    List<Long> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = get("?limit=700" + cursor);
      page.path("events").forEach(event -> all.add(event.path("seq").asLong()));
      cursor = page.has("next") ? "&cursor=" + page.path("next").asString() : "";
    } while (!cursor.isEmpty());
    return all;
  }

  @Test
  void withoutARangeTheLastDayIsSearched() throws Exception {
    assertThat(get("?person=alice&to=2026-01-01T12:00:00Z").path("events")).isEmpty();
    assertThat(get("?person=alice&from=2026-01-01T12:00:00Z").path("events")).hasSize(1);
    assertThat(get("?person=alice&to=2026-01-03T00:00:00Z").path("events")).isEmpty();
  }

  @Test
  void exportsHaveAllEventsAndAreAudited() throws Exception {
    HttpResponse<String> lines = admin.authorized("GET", "/admin/v1/audit?format=jsonl");
    assertThat(lines.headers().firstValue("Content-Type")).hasValue("application/jsonl");
    assertThat(lines.body().lines()).hasSize(1501).allSatisfy(line -> assertThat(JSON.readTree(line).path("event").asString()).isNotEmpty());
    assertThat(admin.audit.events()).last().isInstanceOf(AuditEvent.Administered.class).asString().contains("audit.export");
    assertThat(admin.authorized("GET", "/admin/v1/audit?format=jsonl&limit=1200").body().lines()).hasSize(1200);
    List<String> cef = admin.authorized("GET", "/admin/v1/audit?format=cef&limit=2").body().lines().toList();
    assertThat(cef)
        .containsExactly(
            "CEF:0|Gatehouse|Gatehouse|1|LoginSucceeded|Login Succeeded|3|rt=1767268800000 externalId=1 src=192.0.2.7 cs1=demo cs1Label=realm"
                + " cs3=old-reference cs3Label=reference suid=p-1 suser=alice cs4=s cs4Label=session msg=contract: password;",
            "CEF:0|Gatehouse|Gatehouse|1|LoginRefused|Login Refused|6|rt=1767268790000 externalId=1501 c6a2=2001:db8::1"
                + " c6a2Label=Source IPv6 Address cs1=demo cs1Label=realm cs3=k1499 cs3Label=reference suser=bob\\=\\\\|\\n reason=WRONG_PASSWORD"
                + " msg=contract: password;");
  }

  @Test
  void refusedQuestionsSayWhatWouldBeRight() throws Exception {
    assertThat(refused("?persom=alice")).contains("address, client, cursor");
    assertThat(refused("?limit=1001")).contains("1 to 1000");
    assertThat(refused("?limit=x")).contains("1 to 1000");
    assertThat(refused("?from=yesterday")).contains("`from` is a time like");
    assertThat(refused("?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")).contains("before `to`");
    assertThat(refused("?cursor=x")).contains("`next` of a page");
    assertThat(refused("?format=xml")).contains("cef, csv or jsonl");
    assertThat(admin.send("GET", "/admin/v1/audit").statusCode()).isEqualTo(401);
  }

  @Test
  void aNodeWithoutAnIndexSaysSo() throws Exception {
    try (TestAdmin without = new TestAdmin(folder.resolve("without"))) {
      HttpResponse<String> response = without.authorized("GET", "/admin/v1/audit");
      assertThat(response.statusCode()).isEqualTo(409);
      assertThat(response.body()).contains("audit.searchable is 0d");
    }
  }
}

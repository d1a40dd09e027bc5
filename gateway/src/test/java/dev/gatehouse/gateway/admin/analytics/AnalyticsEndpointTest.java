package dev.gatehouse.gateway.admin.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Analytics over a running admin listener, from a real database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnalyticsEndpointTest {

  private static final Instant NOW = TestTime.START;
  private static final String PATH = "/admin/v1/analytics/";
  private static final JsonMapper JSON = new JsonMapper();
  private static final int OTHER_NODE = 7;

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path folder) {
    admin = new TestAdmin(folder);
    RollupStore store = admin.analytics().store();
    store.begin(0, 0);
    Histogram slow = new Histogram();
    slow.record(Duration.ofMillis(40).toNanos());
    Map<SeriesKey, Amount> amounts =
        Map.of(
            SeriesKey.total(Series.LOGINS, "demo"), Amount.count(2),
            SeriesKey.total(Series.LOGINS, SeriesKey.ALL_REALMS), Amount.count(5),
            SeriesKey.of(Series.TOKENS, "demo", Dimension.CLIENT, "=HYPERLINK(\"evil\")"), Amount.count(3),
            SeriesKey.of(Series.TOKENS, "demo", Dimension.CLIENT, "a,b\r\nc"), Amount.count(2),
            SeriesKey.of(Series.TOKENS, "demo", Dimension.CLIENT, "plain"), Amount.count(1),
            SeriesKey.total(Series.REQUESTS, "demo"), Amount.durations(slow.counts(), slow.seconds()),
            SeriesKey.of(Series.SESSIONS, SeriesKey.ALL_REALMS, Dimension.KIND, "app"), Amount.level(10).plus(Amount.level(20)),
            SeriesKey.of(Series.SESSIONS, SeriesKey.ALL_REALMS, Dimension.KIND, "idp"), Amount.level(4));
    Map<SeriesKey, Amount> ofOther =
        Map.of(SeriesKey.of(Series.SESSIONS, SeriesKey.ALL_REALMS, Dimension.KIND, "app"), Amount.level(15));
    Pattern pattern =
        new Pattern(
            "p1", Pattern.Kind.ONE_ADDRESS_MANY_PEOPLE, "demo", "192.0.2.7", 0, NOW.minusSeconds(60), NOW.minusSeconds(30), 12,
            List.of(new Pattern.Evidence(NOW.minusSeconds(60), "192.0.2.7", "alice", false, Optional.of("Berlin, DE"))));
    Pattern other =
        new Pattern(
            "p2", Pattern.Kind.IMPOSSIBLE_TRAVEL, "other", "bob", 0, NOW.minusSeconds(60), NOW.minusSeconds(60), 9000, List.of());
    store.add(0, new Batch(1, 0, Map.of(NOW.minusSeconds(120), amounts), List.of()));
    store.begin(OTHER_NODE, 0);
    store.add(OTHER_NODE, new Batch(1, 0, Map.of(NOW.minusSeconds(120), ofOther), List.of()));
    admin.analytics().patterns().keep(pattern, 10);
    admin.analytics().patterns().keep(other, 10);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = admin.authorized("GET", PATH + path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  @Test
  void aSeriesOfARealmAndOfAllRealms() throws IOException, InterruptedException {
    JsonNode demo = get("logins?realm=demo");
    assertThat(demo.get("resolution").asString()).isEqualTo("minute");
    assertThat(demo.get("from").asString()).isEqualTo("2026-01-01T11:00:00Z");
    assertThat(demo.at("/lines/0/points/0/at").asString()).isEqualTo("2026-01-01T11:58:00Z");
    assertThat(demo.at("/lines/0/points/0/figures").toString()).isEqualTo("{\"count\":2}");
    assertThat(get("logins").at("/lines/0/all/count").asLong()).isEqualTo(5);
    JsonNode requests = get("requests?realm=demo&from=2025-02-01T00:00:00Z");
    assertThat(requests.get("resolution").asString()).isEqualTo("day");
    assertThat(requests.at("/lines/0/all/p95").asDouble()).isBetween(0.025, 0.05);
    assertThat(get("assertions?by=partner").get("lines").isEmpty()).isTrue();
  }

  @Test
  void sessionsThatTwoNodesSeeCountOnce() throws IOException, InterruptedException {
    JsonNode kinds = get("sessions?by=kind").get("lines");
    assertThat(kinds.size()).isEqualTo(2);
    assertThat(kinds.at("/0/label").asString()).isEqualTo("app");
    assertThat(kinds.at("/0/all/mean").asDouble()).isEqualTo(15);
    JsonNode total = get("sessions").get("lines");
    assertThat(total.size()).isEqualTo(1);
    assertThat(total.at("/0/all/mean").asDouble()).isEqualTo(19);
    assertThat(total.at("/0/all/peak").asDouble()).isEqualTo(24);
    assertThat(total.at("/0/points/0/figures/mean").asDouble()).isEqualTo(19);
  }

  @Test
  void csvIsExactAndNoCellIsAFormula() throws IOException, InterruptedException {
    HttpResponse<String> csv = admin.authorized("GET", PATH + "tokens?realm=demo&by=client&format=csv");
    assertThat(csv.headers().firstValue("Content-Type")).hasValue("text/csv;charset=UTF-8");
    assertThat(csv.headers().firstValue("Content-Disposition")).hasValue("attachment; filename=\"tokens.csv\"");
    assertThat(csv.body())
        .isEqualTo(
            "at,label,count,mean,peak,ratio,p50,p90,p95,p99\r\n"
                + "2026-01-01T11:58:00Z,\"'=HYPERLINK(\"\"evil\"\")\",3,,,,,,,\r\n"
                + "2026-01-01T11:58:00Z,\"a,b\r\nc\",2,,,,,,,\r\n"
                + "2026-01-01T11:58:00Z,plain,1,,,,,,,\r\n");
    HttpResponse<String> accepted =
        admin.send("GET", PATH + "requests?realm=demo", "Authorization", "Bearer " + admin.key, "Accept", "text/csv");
    assertThat(accepted.body()).contains("\r\n2026-01-01T11:58:00Z,,1,0.040000,,,0.037500,0.047500,0.048750,0.049750\r\n");
    HttpResponse<String> wrong =
        admin.send("GET", PATH + "requests?by=x", "Authorization", "Bearer " + admin.key, "Accept", "text/csv");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("`by` of requests is");
    for (String formula : List.of("+1", "-1", "@x", "\tx", "=1", "＝1", "＋1", "－1", "＠x", "\n=1")) {
      assertThat(CsvTable.text(formula)).as(formula).matches("(?s)\"?'.*");
    }
  }

  @Test
  void patternsSayWhatWasSeenWhereAndWhen() throws IOException, InterruptedException {
    JsonNode patterns = get("patterns?realm=demo").get("patterns");
    assertThat(patterns.size()).isEqualTo(1);
    assertThat(patterns.at("/0/kind").asString()).isEqualTo("one-address-many-people");
    assertThat(patterns.at("/0/evidence/0/place").asString()).isEqualTo("Berlin, DE");
    assertThat(get("patterns").get("patterns").size()).isEqualTo(2);
    assertThat(get("patterns?limit=1").get("patterns").size()).isEqualTo(1);
    assertThat(get("patterns?to=2026-01-01T11:58:00Z").get("patterns").isEmpty()).isTrue();
  }

  @Test
  void whoMayReadWhat() throws IOException, InterruptedException {
    String viewer = admin.key("viewer@demo", List.of(AdministratorGrant.parse("viewer@demo")), Optional.empty());
    assertThat(as(viewer, "logins?realm=demo")).isEqualTo(200);
    assertThat(as(viewer, "logins")).isEqualTo(403);
    assertThat(as(viewer, "logins?realm=other")).isEqualTo(403);
    assertThat(as(viewer, "logins?realm=*")).isEqualTo(403);
    assertThat(as(viewer, "sessions")).isEqualTo(403);
    assertThat(as(viewer, "patterns?realm=demo")).isEqualTo(403);
    String helpdesk = admin.key("helpdesk@demo", List.of(AdministratorGrant.parse("helpdesk@demo")), Optional.empty());
    assertThat(as(helpdesk, "patterns?realm=demo")).isEqualTo(200);
    assertThat(as(helpdesk, "patterns")).isEqualTo(403);
  }

  private int as(String key, String path) throws IOException, InterruptedException {
    return admin.send("GET", PATH + path, "Authorization", "Bearer " + key).statusCode();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logins?by=route|400|`by` of logins is total, method, realm.",
        "logins?realm=demo&by=realm|400|`by` of logins is total, method.",
        "nothing|404|There is no such series; there are logins, login-failures",
        "logins?realm=nowhere|404|There is no realm nowhere.",
        "sessions?realm=demo|400|`realm` cannot be given: sessions is measured for the whole node.",
        "logins?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z|400|`from` is a time before `to`.",
        "logins?from=yesterday|400|`from` is a time like 2026-11-23T17:00:00Z",
        "logins?from=%2B1000000000-12-31T23:59:59Z|400|`from` is a time like",
        "logins?from=-1000000000-01-01T00:00:00Z|400|`from` is a time like",
        "logins?resolution=week|400|`resolution` is second, minute, hour, day.",
        "logins?resolution=minute&from=2025-01-01T00:00:00Z|400|The range has more than 2000 periods of a minute",
        "logins?resolution=day&from=1970-01-01T00:00:00Z&to=9998-01-01T00:00:00Z|400|The range has more than 2000 periods of a day",
        "logins?from=1970-01-01T00:00:00Z|400|The range has more than 2000 periods of a day",
        "logins?resolution=second&by=method|400|With `resolution` second there is no `by`",
        "logins?limit=0|400|`limit` is a number from 1 to 100.",
        "logins?limit=101|400|`limit` is a number from 1 to 100.",
        "logins?format=xml|400|`format` is json or csv.",
        "logins?reslution=day|400|`reslution` is no parameter of this operation. Known here: by, format, from, limit, realm, resolution, to.",
        "patterns?limit=0|400|`limit` is a number from 1 to 500.",
        "patterns?limit=x|400|",
        "patterns?realm=nowhere|404|There is no realm nowhere."
      })
  void wrongQuestionsSayWhatWouldBeRight(String path, int status, @Nullable String detail) throws IOException, InterruptedException {
    HttpResponse<String> response = admin.authorized("GET", PATH + path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
    if (detail != null) {
      assertThat(JSON.readTree(response.body()).get("detail").asString()).startsWith(detail);
    }
  }

  @Test
  void theLiveSecondsAreThoseOfTheNode() throws IOException, InterruptedException {
    admin.analytics().follow();
    JsonNode live = get("cache?resolution=second");
    assertThat(live.get("resolution").asString()).isEqualTo("second");
    assertThat(live.at("/lines/0/points/0/figures").toString()).isEqualTo("{\"count\":4,\"ratio\":0.75}");
    String hostile = URLEncoder.encode("<script>", StandardCharsets.UTF_8);
    assertThat(admin.authorized("GET", PATH + "cache?by=" + hostile).body()).doesNotContain("<script>");
  }
}

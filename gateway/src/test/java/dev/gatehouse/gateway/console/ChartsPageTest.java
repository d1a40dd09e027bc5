package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The page of charts over a running admin listener. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartsPageTest {

  private static final String HOSTILE = HostileNames.TEXT;

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path folder) {
    admin = new TestAdmin(folder);
    fill(admin);
  }

  /** Stores an hour of logins, requests and two patterns. */
  static void fill(TestAdmin admin) {
    Map<Instant, Map<SeriesKey, Amount>> minutes = new HashMap<>();
    for (int i = 1; i < 60; i++) {
      Histogram requests = new Histogram();
      requests.record(Duration.ofMillis(i).toNanos());
      Map<SeriesKey, Amount> amounts = new HashMap<>();
      for (String realm : List.of("demo", SeriesKey.ALL_REALMS)) {
        amounts.put(SeriesKey.total(Series.LOGINS, realm), Amount.count(20 + i % 7));
        amounts.put(SeriesKey.of(Series.LOGINS, realm, Dimension.METHOD, "password"), Amount.count(15 + i % 3));
        amounts.put(SeriesKey.of(Series.LOGINS, realm, Dimension.METHOD, HOSTILE), Amount.count(1 + i % 5));
        amounts.put(SeriesKey.total(Series.REQUESTS, realm), Amount.durations(requests.counts(), requests.seconds()));
        String status = i % 4 == 0 ? "5xx" : "2xx";
        amounts.put(
            SeriesKey.of(Series.REQUESTS, realm, Dimension.STATUS, status), Amount.durations(requests.counts(), requests.seconds()));
      }
      minutes.put(TestTime.START.minusSeconds(60L * i), amounts);
    }
    Instant at = TestTime.START.minusSeconds(90);
    Pattern spray =
        new Pattern(
            "p1", Pattern.Kind.ONE_ADDRESS_MANY_PEOPLE, "demo", HOSTILE, 0, at, at, 12,
            List.of(new Pattern.Evidence(at, "192.0.2.7", HOSTILE, false, Optional.of("Berlin, DE"))));
    admin.analytics().store().begin(0, 0);
    admin.analytics().store().add(0, new Batch(1, 0, minutes, List.of()));
    admin.analytics().patterns().keep(spray, 10);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  private ConsoleBrowser as(String grant) throws IOException, InterruptedException {
    String key = admin.key(grant + System.nanoTime(), List.of(AdministratorGrant.parse(grant)), Optional.empty());
    return ConsoleBrowser.loggedIn(admin.port(), key);
  }

  @Test
  void thePageHasTheSameFiguresAsChartTableAndCsv() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk@demo");
    HttpResponse<String> page = browser.get("/console/charts?series=logins&by=method&realm=demo&range=hour");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body())
        .contains("<polyline", "class=\"line1\"", "password", "Unusual logins", "One address, many people", "Berlin, DE",
            "&lt;script&gt;alert(1)")
        .doesNotContain("<script>", "<img", "style=\"", "??").doesNotContainPattern(">console\\.[a-z]");
    long sum = 0;
    for (int i = 1; i < 60; i++) {
      sum += 15 + i % 3;
    }
    assertThat(page.body()).contains(">" + sum + "</td>");
    HttpResponse<String> csv = browser.get("/console/charts/csv?series=logins&by=method&realm=demo&range=hour");
    assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
    long inCsv =
        csv.body().lines().filter(line -> line.contains(",password,")).mapToLong(line -> Long.parseLong(line.split(",", -1)[2])).sum();
    assertThat(inCsv).isEqualTo(sum);
    assertThat(browser.get("/console/charts?series=requests&realm=demo").body()).contains(" ms</td>", "95th percentiles by time");
  }

  @Test
  void scriptsAreFilesOfTheConsoleAndNothingElse() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("viewer");
    HttpResponse<String> page = browser.get("/console/charts");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none'; base-uri 'none'").contains("script-src 'self'; connect-src 'self'").doesNotContain("unsafe");
    HttpResponse<String> script = browser.get("/console/assets/uplot.js");
    assertThat(script.headers().firstValue("Content-Type")).hasValue("text/javascript;charset=utf-8");
    assertThat(script.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(browser.get("/console/assets/charts.js").body()).contains("new uPlot");
    assertThat(browser.get("/console/assets/uplot.css").body()).contains(".u-wrap");
    for (String wrong : List.of("nothing.js", "..%2f..%2fapplication.properties", "charts.js%00", "uPlot.cjs.js")) {
      assertThat(browser.get("/console/assets/" + wrong).statusCode()).as(wrong).isIn(400, 404);
    }
    browser.cookie = "gh_admin=" + "A".repeat(43);
    assertThat(browser.get("/console/assets/charts.js").statusCode()).isEqualTo(303);
    assertThat(browser.get("/console/charts/live").statusCode()).isEqualTo(303);
  }

  @Test
  void anotherRealmAndWhatIsOfTheNodeAreNotShown() throws IOException, InterruptedException {
    ConsoleBrowser viewer = as("viewer@demo");
    assertThat(viewer.get("/console/charts").body())
        .contains("value=\"demo\"")
        .doesNotContain("Unusual logins", "All realms", "value=\"sessions\"");
    ConsoleBrowser other = as("viewer@other");
    for (String page : List.of("", "/csv", "/live")) {
      assertThat(viewer.get("/console/charts" + page + "?realm=other").statusCode()).as(page).isEqualTo(403);
      assertThat(viewer.get("/console/charts" + page + "?series=cache").statusCode()).as(page).isEqualTo(403);
      assertThat(viewer.get("/console/charts" + page + "?realm=*").statusCode()).as(page).isEqualTo(403);
      assertThat(other.get("/console/charts" + page).statusCode()).as(page).isEqualTo(403);
      assertThat(other.get("/console/charts" + page + "?realm=demo").statusCode()).as(page).isEqualTo(403);
    }
  }

  @Test
  void theOverviewHasRatesOfTheHourAndUnusualLogins() throws IOException, InterruptedException {
    String page = as("helpdesk@demo").get("/console/").body();
    long logins = 0;
    for (int i = 1; i < 60; i++) {
      logins += 20 + i % 7;
    }
    assertThat(page)
        .contains("Unusual logins of the last hour", "One address, many people", "&lt;script&gt;alert(1)")
        .contains(">0.38 /s<", String.format(Locale.ROOT, "%,d in the hour", logins), "95 % within 4.8 ms", ">20.0 %<", "14 in the hour")
        .contains("<polyline points=\"0.0,24.0 2.0,")
        .doesNotContain("<script>", "<img", "style=\"", "??").doesNotContainPattern(">console\\.[a-z]");
    String all = as("viewer").get("/console/").body();
    assertThat(all).contains(">0.38 /s<").doesNotContain("Unusual logins");
    assertThat(as("helpdesk@other").get("/console/").body())
        .contains(">0.00 /s<", "0 in the hour", "95 % within –")
        .doesNotContain("Unusual", ">0.38");
  }

  @Test
  void theScriptGetsTheLastMinutes() throws IOException, InterruptedException {
    admin.analytics().follow();
    assertThat(as("viewer").get("/console/charts/live?series=cache").body()).contains("\"resolution\":\"second\"", "\"ratio\":0.75");
  }
}

package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.demo.DemoWarmUp;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Prometheus reads of a running node after logins, tokens and refusals, and what the files in docker/ make of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class MetricsScrapeTest {

  private static final Path FILES = Path.of("../docker/observability");

  /** Metrics whose labels come with an event that does not happen here. */
  private static final Set<String> RARE =
      Set.of(
          "gatehouse_secondfactors_changes_total",
          // With visitors of another realm only.
          "gatehouse_otp_visits_total",
          // With shared storage only.
          // Only of several servers for one-time passwords:
          "gatehouse_otp_codes_twice_total", "gatehouse_otp_epoch", "gatehouse_otp_log_kept", "gatehouse_otp_marks_waiting", "gatehouse_otp_serving",
          "gatehouse_otp_uses_waiting",
          "gatehouse_valkey_duration_seconds_bucket", "gatehouse_valkey_stale_total", "gatehouse_audit_follower_behind",
          "gatehouse_audit_follower_lag",
          // With keys in a token only.
          "gatehouse_hsm_calls", "gatehouse_hsm_rejected_total");

  private static final Pattern LISTED = Pattern.compile("(?m)^\\| `(gatehouse[a-z.]+)` \\| (\\w+) \\|");
  private static final Pattern NAMED = Pattern.compile("\\b(?:gatehouse|jvm|process|system)_[a-z0-9_]+");

  private final List<Integer> free = FreePorts.take(9);
  private final DemoPorts ports =
      new DemoPorts(
          free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), free.get(6), free.get(7),
          free.get(8));
  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private static Path folder;

  private DemoDirectory directory;
  private SampleApp app;
  private RunningNode node;
  private String scrape = "";

  @BeforeAll
  void use() throws Exception {
    directory = DemoDirectory.start(ports.directory());
    app = SampleApp.start(ports.app());
    new DemoConfiguration(folder.resolve("config")).write(ports);
    // Nobody listens at port 1: what has metrics need not succeed.
    String more = "\nmail: {host: 127.0.0.1, port: 1, tls: none, from: a@example.org}\ntracing: {endpoint: 'http://127.0.0.1:1/v1/traces'}\n";
    Files.writeString(folder.resolve("config/gatehouse.yaml"), more, StandardOpenOption.APPEND);
    DemoCertificate.ensure(folder.resolve("data/tls"), Instant.now(), new SecureRandom());
    node = RunningNode.start(folder.resolve("config"), Map.of());
    DemoWarmUp.await(ports);
    // So that pauses of the collector have been counted.
    System.gc();
    try (PlainBrowser browser = new PlainBrowser()) {
      Shown login = browser.open(app("/whoami"));
      Shown again = browser.submit(login, browser.form(login).with("username", "alice").with("password", "wrong"));
      Shown handOver = browser.submit(again, browser.form(again).with("username", "alice").with("password", "demo"));
      assertThat(browser.submit(handOver, browser.form(handOver)).url()).hasToString(app("/whoami"));
      assertThat(browser.open(app("/manager/")).status()).isEqualTo(403);
      assertThat(browser.open(app("/public/")).status()).isEqualTo(200);
      browser.open(app("/.gatehouse/logout"));
    }
    assertThat(token()).isEqualTo(200);
    Eventually.holds(() -> get().contains("gatehouse_audit_duration_seconds_count{operation=\"force\"}"));
    askByRadius();
    scrape = get();
  }

  @AfterAll
  void stop() throws Exception {
    http.close();
    node.close();
    app.close();
    directory.close();
  }

  private String app(String path) {
    return "http://app.localhost:" + ports.appHttp() + path;
  }

  private int token() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.idpHttp() + "/realms/demo/oauth/token"))
            .header("Host", "idp.localhost:" + ports.idpHttp())
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Authorization", "Basic ZGVtby1jbGllbnQ6ZGVtby1zZWNyZXQ=")
            .POST(BodyPublishers.ofString("grant_type=client_credentials&scope=roles"))
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  private String get() throws IOException, InterruptedException {
    URI metrics = URI.create("http://127.0.0.1:" + ports.metrics() + "/metrics");
    return http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
  }

  @Test
  void whatHappenedIsCounted() {
    String server = "127.0.0.1:" + ports.app();
    assertThat(scrape)
        .contains(
            "\ngatehouse_logins_total{method=\"password\",outcome=\"succeeded\",reason=\"-\"} 1.0\n",
            "\ngatehouse_logins_total{method=\"password\",outcome=\"refused\",reason=\"",
            "\ngatehouse_tokens_issued_total{grant=\"client_credentials\"} 1.0\n",
            "\ngatehouse_sso_assertions_total{direction=\"issued\",partner=\"" + app("/.gatehouse/saml/metadata") + "\"} 1.0\n",
            "\ngatehouse_sso_assertions_total{direction=\"accepted\",partner=\"http://idp.localhost:" + ports.idpHttp()
                + "/realms/demo\"} 1.0\n",
            "\ngatehouse_refusals_total{reason=\"ROLE_MISSING\",source=\"gateway\"} 1.0\n",
            "\ngatehouse_directory_duration_seconds_count{operation=\"bind\"} 2\n",
            "\ngatehouse_directory_connections{state=\"limit\"} ",
            "\ngatehouse_store_duration_seconds_count{operation=\"write\"} ",
            "\ngatehouse_store_memory{part=\"block-cache\"} ",
            "\ngatehouse_gateway_request_duration_seconds_count{realm=\"demo\",route=\"manager\",status=\"4xx\",upstream=\"" + server
                + "\"} 1\n",
            "\ngatehouse_gateway_upstream_duration_seconds_count{status=\"2xx\",upstream=\"" + server + "\"} ",
            "\ngatehouse_gateway_server_up{upstream=\"" + server + "\"} 1.0\n",
            "\ngatehouse_audit_queue 0.0\n",
            "\ngatehouse_audit_events_total{event=\"LoginSucceeded\"} 1.0\n",
            "\ngatehouse_database_connections{state=\"limit\"} 8.0\n");
  }

  /** The chart of sessions reads this metric by its name. */
  @Test
  void openSessionsAreCountedByKindAndInAnalytics() throws IOException, InterruptedException {
    double apps = sessions("app");
    double idp = sessions("idp");
    try (PlainBrowser browser = new PlainBrowser()) {
      Shown login = browser.open(app("/whoami"));
      Shown handOver = browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
      assertThat(browser.submit(handOver, browser.form(handOver)).url()).hasToString(app("/whoami"));
      assertThat(sessions("app")).isEqualTo(apps + 1);
      assertThat(sessions("idp")).isEqualTo(idp + 1);
      Analytics analytics = node.get(Analytics.class);
      Eventually.holds(
          () ->
              analytics.live(Series.SESSIONS, SeriesKey.ALL_REALMS).stream()
                  .anyMatch(second -> second.amount().peak() == apps + idp + 2));
      browser.open(app("/.gatehouse/logout"));
    }
  }

  private double sessions(String kind) throws IOException, InterruptedException {
    Matcher found = Pattern.compile("(?m)^gatehouse_sessions\\{kind=\"" + kind + "\"} (\\S+)").matcher(get());
    assertThat(found.find()).as("sessions of %s", kind).isTrue();
    return Double.parseDouble(found.group(1));
  }

  /** Asks the node by RADIUS whether it is there, and waits for the answer. */
  private void askByRadius() throws IOException {
    byte[] packet = new PacketWriter(PacketCode.STATUS_SERVER, 1).request(new byte[16], new SharedSecret("demo-secret")).orElseThrow();
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(10_000);
      socket.send(new DatagramPacket(packet, packet.length, new InetSocketAddress("127.0.0.1", ports.radius())));
      socket.receive(new DatagramPacket(new byte[4096], 4096));
    }
  }

  @Test
  void noPersonAndNoClientIsNamed() {
    assertThat(scrape).doesNotContain("alice", "dc=example", "\"127.0.0.1\"", "demo-client");
  }

  @Test
  void everyMetricOfTheReferenceIsThere() throws IOException {
    String page = Files.readString(Path.of("../docs/reference/metrics.md"));
    Set<String> missing = new TreeSet<>();
    LISTED.matcher(page).results().map(MetricsScrapeTest::names).forEach(
        names -> {
          if (names.stream().noneMatch(name -> RARE.contains(name) || published().contains(name))) {
            missing.add(names.getFirst());
          }
        });
    assertThat(missing).isEmpty();
  }

  /** The name in Prometheus, with the units that metrics have. */
  private static List<String> names(MatchResult listed) {
    String name = listed.group(1).replace('.', '_');
    return switch (listed.group(2)) {
      case "counter" -> List.of(name + "_total");
      case "histogram" -> List.of(name + "_seconds_bucket");
      case String other -> List.of(name, name + "_bytes");
    };
  }

  private Set<String> published() {
    return scrape.lines().filter(line -> !line.startsWith("#")).map(line -> line.split("[{ ]", 2)[0]).collect(Collectors.toSet());
  }

  @Test
  void promtoolFindsNothingWrong() throws IOException, InterruptedException {
    assertThat(scrape).contains("process_cpu_seconds_total ", "system_cpus ");
    Path file = Files.writeString(folder.resolve("metrics.txt"), scrape);
    assertThat(promtool(file, "check", "metrics")).isEmpty();
  }

  @Test
  void rulesAreValid() throws IOException, InterruptedException {
    assertThat(promtool(folder.resolve("config/gatehouse.yaml"), "check", "rules", FILES.resolve("alerts.yaml").toString()))
        .contains("SUCCESS");
    assertThat(promtool(folder.resolve("config/gatehouse.yaml"), "check", "config", FILES.resolve("prometheus.yaml").toString()))
        .contains("SUCCESS");
  }

  /** Each expression of the dashboard, as a rule: promtool reads the language, which no test here does. */
  @Test
  void expressionsOfTheDashboardAreValid() throws IOException, InterruptedException {
    StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
    int count = 0;
    for (JsonNode expression : new JsonMapper().readTree(Files.readString(FILES.resolve("dashboard.json"))).findValues("expr")) {
      String query = expression.asString().replace("$__rate_interval", "5m");
      rules.append("  - record: rule_").append(++count).append("\n    expr: '").append(query).append("'\n");
    }
    assertThat(count).isGreaterThan(30);
    Path file = Files.writeString(folder.resolve("dashboard-rules.yaml"), rules);
    assertThat(promtool(file, "check", "rules", file.toString())).contains("SUCCESS: " + count + " rules found");
  }

  private static String promtool(Path input, String... arguments) throws IOException, InterruptedException {
    Path output = folder.resolve("promtool.txt");
    List<String> command = Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList();
    Process process;
    try {
      process = new ProcessBuilder(command).redirectInput(input.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    } catch (IOException e) {
      Assumptions.abort("promtool is not installed");
      throw e;
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    return Files.readString(output);
  }

  @Test
  void aCodeThatCountedTwiceIsAnAlert() throws IOException {
    assertThat(Files.readString(FILES.resolve("alerts.yaml"))).contains("gatehouse_otp_codes_twice_total[1h]");
    assertThat(Files.readString(Path.of("../docs/how-to/monitor-a-node.md"))).contains("`GatehouseCodeCountedTwice`");
  }

  /** An alert or a chart of a metric that does not exist stays empty for ever, and nobody notices. */
  @Test
  void alertsAndDashboardNameMetricsThatThereAre() throws IOException {
    for (String file : List.of("alerts.yaml", "dashboard.json")) {
      Set<String> named = NAMED.matcher(Files.readString(FILES.resolve(file))).results().map(MatchResult::group)
          .collect(Collectors.toCollection(TreeSet::new));
      assertThat(named).as(file).hasSizeGreaterThan(10);
      named.removeAll(published());
      named.removeAll(RARE);
      assertThat(named).as(file + " names metrics that no node has").isEmpty();
    }
  }
}

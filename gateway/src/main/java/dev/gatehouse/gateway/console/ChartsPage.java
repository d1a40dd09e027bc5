package dev.gatehouse.gateway.console;

import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.analytics.AnalyticsEndpoint;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView;
import dev.gatehouse.gateway.admin.analytics.PatternView;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.chart.ChartColumns;
import dev.gatehouse.gateway.console.chart.ChartFigures;
import dev.gatehouse.gateway.console.chart.SvgChart;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/charts}: a series of analytics as a chart and as tables, live, and what was unusual about logins. */
@Controller
@RequestMapping("/console/charts")
final class ChartsPage {

  private static final String HERE = "charts";
  private static final String ADDRESS = "/console/charts";

  /** What the page asks for each second. */
  static final String LIVE = ADDRESS + "/live";

  /** Lines of the drawn chart; with more nobody can tell one from the other. */
  private static final String LINES = "5";

  private static final Map<String, Duration> RANGES = new LinkedHashMap<>();

  static {
    RANGES.put("hour", Duration.ofHours(1));
    RANGES.put("day", Duration.ofDays(1));
    RANGES.put("week", Duration.ofDays(7));
    RANGES.put("month", Duration.ofDays(30));
    RANGES.put("year", Duration.ofDays(365));
  }

  private record Option(String value, boolean chosen) {}

  /** What the page shows; all are words of the REST interface. */
  private record Choice(Series series, Dimension by, Optional<String> realm, String range) {}

  private final AnalyticsEndpoint analytics;
  private final Realms realms;
  private final InstantSource time;
  private final ConsolePages pages;

  ChartsPage(AnalyticsEndpoint analytics, Realms realms, InstantSource time, ConsolePages pages) {
    this.analytics = analytics;
    this.realms = realms;
    this.time = time;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @RequestParam Map<String, String> parameters) {
    List<String> visible = visible(request);
    Choice choice = choice(request, parameters, visible);
    AnalyticsView view = analytics.view(choice.series().word(), asked(choice), choice.realm());
    ChartFigures figures = new ChartFigures(choice.series().kind(), Pages.language(request.http()));
    Map<String, Object> model = new HashMap<>();
    model.put("series", choice.series().word());
    model.put("unit", choice.series().kind());
    Stream<Series> shown = Stream.of(Series.values()).filter(one -> isVisible(request, one));
    model.put("seriesOptions", options(shown.map(Series::word), choice.series().word()));
    model.put("byOptions", options(dimensions(choice).map(Dimension::word), choice.by().word()));
    model.put("realmOptions", options(visible.stream(), choice.realm().orElse("")));
    model.put("mayAll", request.rights().mayEverywhere(AdministratorRole.VIEWER));
    model.put("rangeOptions", options(RANGES.keySet().stream(), choice.range()));
    SvgChart chart = SvgChart.of(view);
    model.put("chart", chart);
    model.put("columns", ChartColumns.of(view, choice.series().kind() != Series.Kind.COUNT, figures.factor()));
    model.put("from", view.from());
    model.put("to", view.to());
    model.put("top", figures.text(Optional.of(chart.top())));
    model.put("lines", figures.lines(view));
    model.put("periods", figures.periods(view));
    model.put("storedUpTo", view.storedUpTo());
    model.put("csv", address(ADDRESS + "/csv", choice));
    model.put("live", Address.with(LIVE, "series", choice.series().word(), "realm", choice.realm().orElse("")));
    model.put("factor", figures.factor());
    model.put("gaps", choice.series().kind() != Series.Kind.COUNT);
    patterns(request, choice).ifPresent(patterns -> model.put("patterns", patterns));
    return pages.showWithScripts(request, HERE, "console-charts", model, ConsoleAssets.HTMX, ConsoleAssets.UPLOT, ConsoleAssets.CHARTS);
  }

  /** The same figures for a spreadsheet. */
  @GetMapping("/csv")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> csv(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @RequestParam Map<String, String> parameters) {
    Choice choice = choice(request, parameters, visible(request));
    String csv = AnalyticsEndpoint.csv(analytics.view(choice.series().word(), asked(choice), choice.realm()));
    return ResponseEntity.ok()
        .header("Content-Type", "text/csv;charset=utf-8")
        .header("Content-Disposition", "attachment; filename=\"" + choice.series().word() + ".csv\"")
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store")
        .body(csv.getBytes(StandardCharsets.UTF_8));
  }

  /** The last minutes, for the script of the page. */
  @GetMapping("/live")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<AnalyticsView> live(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @RequestParam Map<String, String> parameters) {
    Choice choice = choice(request, parameters, visible(request));
    AnalyticsView view = analytics.view(choice.series().word(), Map.of("resolution", AnalyticsEndpoint.SECOND), choice.realm());
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .header("Cache-Control", "no-store")
        .header("X-Content-Type-Options", "nosniff")
        .body(view);
  }

  private List<String> visible(ConsoleRequest request) {
    return realms.all().stream().map(Realm::name).filter(realm -> request.rights().may(AdministratorRole.VIEWER, realm)).sorted().toList();
  }

  private static boolean isVisible(ConsoleRequest request, Series series) {
    return series.hasRealms() || request.rights().mayEverywhere(AdministratorRole.VIEWER);
  }

  /** Words that are not known count as absent, so that a changed form finds what fits. */
  private static Choice choice(ConsoleRequest request, Map<String, String> parameters, List<String> visible) {
    Series series = Series.of(parameters.getOrDefault("series", "")).orElse(Series.LOGINS);
    Optional<String> wished = Optional.ofNullable(parameters.get("realm")).filter(name -> !name.isEmpty() && series.hasRealms());
    if (wished.isPresent()) {
      request.rights().require(AdministratorRole.VIEWER, wished.get());
    }
    boolean mayAll = request.rights().mayEverywhere(AdministratorRole.VIEWER);
    Optional<String> realm = wished.isPresent() || mayAll ? wished : visible.stream().findFirst();
    if (realm.isEmpty() || !series.hasRealms()) {
      request.rights().requireEverywhere(AdministratorRole.VIEWER);
    }
    Choice undivided = new Choice(series, Dimension.TOTAL, realm, parameters.getOrDefault("range", "hour"));
    Optional<Dimension> by =
        Dimension.of(parameters.getOrDefault("by", "")).filter(word -> dimensions(undivided).anyMatch(word::equals));
    return new Choice(series, by.orElse(Dimension.TOTAL), realm, RANGES.containsKey(undivided.range()) ? undivided.range() : "hour");
  }

  private static Stream<Dimension> dimensions(Choice choice) {
    Stream<Dimension> own = Stream.concat(Stream.of(Dimension.TOTAL), choice.series().dimensions().stream());
    return choice.series().hasRealms() && choice.realm().isEmpty() ? Stream.concat(own, Stream.of(Dimension.REALM)) : own;
  }

  private Map<String, String> asked(Choice choice) {
    Instant from = time.instant().minus(RANGES.getOrDefault(choice.range(), Duration.ofHours(1)));
    return Map.of("from", from.toString(), "by", choice.by().word(), "limit", LINES);
  }

  private static String address(String path, Choice choice) {
    return Address.with(
        path, "series", choice.series().word(), "by", choice.by().word(), "realm", choice.realm().orElse(""), "range", choice.range());
  }

  private static List<Option> options(Stream<String> values, String chosen) {
    return values.map(value -> new Option(value, value.equals(chosen))).toList();
  }

  /** They name people: only for the help desk. */
  private Optional<List<PatternView>> patterns(ConsoleRequest request, Choice choice) {
    boolean may =
        choice.realm().isPresent()
            ? request.rights().may(AdministratorRole.HELPDESK, choice.realm().get())
            : request.rights().mayEverywhere(AdministratorRole.HELPDESK);
    return may ? Optional.of(analytics.patterns(choice.realm(), Optional.empty(), Optional.empty(), 50).patterns()) : Optional.empty();
  }
}

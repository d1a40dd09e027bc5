package dev.gatehouse.gateway.admin.analytics;

import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Report;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/analytics}: what happened, by time, and what was unusual about logins. */
@RestController
@RequestMapping(path = "/admin/v1/analytics")
@Tag(name = "analytics", description = "Logins, failures, tokens, requests and response times, live and over years")
public final class AnalyticsEndpoint {

  /** The resolution of what is in memory only. */
  public static final String SECOND = "second";

  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String RESOLUTION = "resolution";
  private static final List<String> PARAMETERS = List.of(FROM, TO, RESOLUTION, "by", "realm", "limit", "format");

  /** Times that every database knows. */
  private static final Instant EARLIEST = Instant.EPOCH;

  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

  private static final int MOST_PERIODS = 2000;
  private static final int MOST_LINES = 100;
  private static final int MOST_PATTERNS = 500;
  private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

  private final Analytics analytics;
  private final Realms realms;
  private final InstantSource time;

  AnalyticsEndpoint(Analytics analytics, Realms realms, InstantSource time) {
    this.analytics = analytics;
    this.realms = realms;
    this.time = time;
  }

  /** Its parameters are a map, because they all have one form. */
  @GetMapping("/{series}")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(
      operationId = "readAnalytics",
      summary = "A series by time, as JSON or CSV",
      parameters = {
        @Parameter(
            in = ParameterIn.QUERY, name = "from", description = "Time (RFC 3339) of the first period; default: an hour before `to`",
            schema = @Schema(type = "string", format = "date-time")),
        @Parameter(
            in = ParameterIn.QUERY, name = "to", description = "Time after the last period; default: now",
            schema = @Schema(type = "string", format = "date-time")),
        @Parameter(
            in = ParameterIn.QUERY, name = "resolution",
            description =
                "Length of periods; default: the shortest with at most 400 of them. `second`: the last five minutes of this node, "
                    + "not divided",
            schema = @Schema(allowableValues = {"second", "minute", "hour", "day"})),
        @Parameter(
            in = ParameterIn.QUERY, name = "by", description = "Divides the series; each has some of these, and realm without a realm",
            schema =
                @Schema(
                    allowableValues = {
                      "total", "realm", "method", "reason", "partner", "direction", "client", "grant", "cause", "route", "status", "server",
                      "kind"
                    })),
        @Parameter(
            in = ParameterIn.QUERY, name = "limit",
            description = "Maximum number of lines, 1 to 100, by default 10; the others are added up",
            schema = @Schema(type = "integer", minimum = "1", maximum = "100")),
        @Parameter(
            in = ParameterIn.QUERY, name = "format", description = "Default: as `Accept` says",
            schema = @Schema(allowableValues = {"json", "csv"}))
      })
  @ApiResponse(
      responseCode = "200",
      description = "The series",
      content = {
        @Content(mediaType = "application/json", schema = @Schema(implementation = AnalyticsView.class)),
        @Content(mediaType = "text/csv", schema = @Schema(type = "string"))
      })
  ResponseEntity<Object> read(
      @Parameter(
              schema =
                  @Schema(
                      allowableValues = {
                        "logins", "login-failures", "refusals", "assertions", "tokens", "sessions-ended", "requests", "app-responses",
                        "sessions", "cache"
                      }))
          @PathVariable("series")
          String series,
      @Parameter(hidden = true) @RequestParam Map<String, String> parameters,
      @Parameter(description = "The realm; without it all realms, for which the role is needed then") @RequestParam("realm")
          Optional<String> realm,
      @Parameter(hidden = true) @RequestHeader("Accept") Optional<String> accept) {
    String format = parameters.getOrDefault("format", accept.filter(types -> types.startsWith("text/csv")).isPresent() ? "csv" : "json");
    if (!List.of("json", "csv").contains(format)) {
      throw new BadRequest("`format` is json or csv.");
    }
    AnalyticsView view = view(series, parameters, realm);
    return format.equals("csv")
        ? ResponseEntity.ok()
            .contentType(CSV)
            .header("Content-Disposition", "attachment; filename=\"" + view.series() + ".csv\"")
            .body(csv(view).getBytes(StandardCharsets.UTF_8))
        : ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(view);
  }

  @GetMapping("/patterns")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listUnusualPatterns", summary = "What was unusual about logins, with the events that show it")
  public PatternView.Patterns patterns(
      @Parameter(description = "The realm; without it all realms, for which the role is needed then") @RequestParam("realm")
          Optional<String> realm,
      @Parameter(description = "Time (RFC 3339); default: a day before `to`", schema = @Schema(type = "string", format = "date-time"))
          @RequestParam("from")
          Optional<String> from,
      @Parameter(description = "Default: now", schema = @Schema(type = "string", format = "date-time"))
          @RequestParam("to")
          Optional<String> to,
      @Parameter(description = "Maximum number of patterns, 1 to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    requireRealm(realm);
    if (limit < 1 || limit > MOST_PATTERNS) {
      throw new BadRequest("`limit` is a number from 1 to " + MOST_PATTERNS + ".");
    }
    Range range = range(from, to, Duration.ofDays(1));
    return new PatternView.Patterns(
        analytics.patterns().patterns(realm, range.from(), range.to(), limit).stream().map(PatternView::of).toList());
  }

  /** Returns the answer as lines of CSV. */
  public static String csv(AnalyticsView view) {
    return CsvTable.of(view);
  }

  /** @param parameters as those of the request; the role for the realm was checked */
  public AnalyticsView view(String name, Map<String, String> parameters, Optional<String> realm) {
    requireKnown(parameters.keySet());
    Series series =
        Series.of(name)
            .orElseThrow(() -> new NotFound("There is no such series; there are " + words(Series.values(), Series::word) + "."));
    requireRealm(realm);
    if (realm.isPresent() && !series.hasRealms()) {
      throw new BadRequest("`realm` cannot be given: " + series.word() + " is measured for the whole node.");
    }
    Dimension by = dimension(series, parameters, realm);
    int limit = limit(parameters);
    return parameters.getOrDefault(RESOLUTION, "").equals(SECOND)
        ? live(series, by, parameters, realm)
        : stored(series, by, parameters, realm, limit);
  }

  private AnalyticsView live(Series series, Dimension by, Map<String, String> parameters, Optional<String> realm) {
    if (by != Dimension.TOTAL || parameters.containsKey(FROM) || parameters.containsKey(TO)) {
      throw new BadRequest("With `resolution` second there is no `by`, `from` or `to`: the last five minutes are in memory as totals.");
    }
    Report report = Report.of(series.kind(), analytics.live(series, realm.orElse(SeriesKey.ALL_REALMS)), 1);
    Instant now = time.instant();
    return new AnalyticsView(
        series.word(), by.word(), realm, SECOND, now.minus(Analytics.LIVE), now, analytics.storedUpTo(), AnalyticsView.lines(report));
  }

  private AnalyticsView stored(
      Series series, Dimension by, Map<String, String> parameters, Optional<String> realm, int limit) {
    Range range = range(Optional.ofNullable(parameters.get(FROM)), Optional.ofNullable(parameters.get(TO)), Duration.ofHours(1));
    Resolution resolution = resolution(parameters, range);
    Instant from = resolution.floor(range.from());
    boolean isSumOfLevels = series.kind() == Series.Kind.LEVEL && by == Dimension.TOTAL;
    Dimension stored = isSumOfLevels ? series.dimensions().getFirst() : by;
    List<RollupStore.Row> rows =
        analytics.store().read(resolution, series, realm.orElse(SeriesKey.ALL_REALMS), stored, from, range.to());
    Report report = isSumOfLevels ? Report.total(series.kind(), rows) : Report.of(series.kind(), rows, limit);
    return new AnalyticsView(
        series.word(), by.word(), realm, resolution.word(), from, range.to(), analytics.storedUpTo(), AnalyticsView.lines(report));
  }

  private static void requireKnown(Set<String> names) {
    if (!PARAMETERS.containsAll(names)) {
      throw new BadRequest("Parameters are " + String.join(", ", PARAMETERS) + ".");
    }
  }

  private void requireRealm(Optional<String> realm) {
    if (realm.isPresent() && realms.find(realm.get()).isEmpty()) {
      throw NotFound.realm(realm.get());
    }
  }

  private static Dimension dimension(Series series, Map<String, String> parameters, Optional<String> realm) {
    List<Dimension> known = new ArrayList<>(List.of(Dimension.TOTAL));
    known.addAll(series.dimensions());
    if (series.hasRealms() && realm.isEmpty()) {
      known.add(Dimension.REALM);
    }
    String word = parameters.getOrDefault("by", Dimension.TOTAL.word());
    return Dimension.of(word)
        .filter(known::contains)
        .orElseThrow(
            () -> new BadRequest("`by` of " + series.word() + " is " + words(known.toArray(Dimension[]::new), Dimension::word) + "."));
  }

  private static Resolution resolution(Map<String, String> parameters, Range range) {
    String word = parameters.get(RESOLUTION);
    if (word == null) {
      Resolution fitting = Resolution.fitting(range.from(), range.to());
      return requireFew(fitting, range);
    }
    return requireFew(
        Resolution.of(word)
            .orElseThrow(() -> new BadRequest("`resolution` is second, " + words(Resolution.values(), Resolution::word) + ".")),
        range);
  }

  private static Resolution requireFew(Resolution resolution, Range range) {
    if (resolution.count(range.from(), range.to()) > MOST_PERIODS) {
      throw new BadRequest(
          "The range has more than " + MOST_PERIODS + " periods of a " + resolution.word()
              + ": ask for a shorter one, or for a longer `resolution`.");
    }
    return resolution;
  }

  private static int limit(Map<String, String> parameters) {
    String text = parameters.getOrDefault("limit", "10");
    if (!text.matches("[1-9][0-9]?|" + MOST_LINES)) {
      throw new BadRequest("`limit` is a number from 1 to " + MOST_LINES + ".");
    }
    return Integer.parseInt(text);
  }

  private record Range(Instant from, Instant to) {}

  private Range range(Optional<String> from, Optional<String> to, Duration usual) {
    Instant end = to.map(text -> time(TO, text)).orElseGet(time::instant);
    Instant begin = from.map(text -> time(FROM, text)).orElseGet(() -> end.minus(usual));
    if (!begin.isBefore(end)) {
      throw new BadRequest("`from` is a time before `to`.");
    }
    return new Range(begin, end);
  }

  private static Instant time(String name, String text) {
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Falls through to the message.
    }
    throw new BadRequest("`" + name + "` is a time like 2026-11-23T17:00:00Z, from 1970 to 9999.");
  }

  private static <T> String words(T[] all, Function<T, String> word) {
    return Arrays.stream(all).map(word).collect(Collectors.joining(", "));
  }
}

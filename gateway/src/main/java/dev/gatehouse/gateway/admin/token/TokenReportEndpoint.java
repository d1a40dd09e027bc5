package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenDesk.TokenFilter;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.token.FailedPasscodes.By;
import dev.gatehouse.gateway.admin.token.FailedPasscodes.Counted;
import dev.gatehouse.gateway.admin.token.FailedPasscodes.Failures;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminProblems;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.admin.web.SheetCell;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/token-reports}: lists of tokens, and passcodes that were not accepted, for people and spreadsheets. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/token-reports")
@Tag(name = "token-reports", description = "Lists of tokens, and failed authentications")
public final class TokenReportEndpoint {

  private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);
  private static final int PAGE = 500;

  /** Tokens of one report: more are read by pages of the list. */
  private static final int MOST = 200_000;

  private static final int MOST_LINES = 1000;
  private static final int MOST_DAYS = 3650;
  private static final Duration USUAL = Duration.ofDays(7);
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");
  private static final Set<String> STATES = Set.of("enabled", "disabled", "lost", "expired");

  /** A token of a report. */
  @Schema(name = "TokenReportLine")
  public record TokenLine(
      String serial,
      String state,
      @Schema(description = "The directory's id; absent if it belongs to nobody") Optional<String> person,
      String label,
      Optional<Instant> expiresAt,
      @Schema(description = "Absent: no code of it has counted") Optional<Instant> usedAt) {}

  /** Tokens of a report. */
  @Schema(name = "TokenReportLines")
  public record TokenLines(
      List<TokenLine> tokens,
      @Schema(description = "Whether these are all; the CSV form has more") boolean complete,
      @Schema(description = "When they were read: a minute or two ago at most, where there are many") Instant at) {}

  /** Passcodes that were not accepted. */
  @Schema(name = "FailureReport")
  public record FailureReport(
      Instant from,
      @Schema(description = "Without `to` when it was counted: a minute or two ago at most, where there are many") Instant to,
      @Schema(description = "The most first, 1,000 lines at most; the CSV form has more") List<Failures> lines,
      @Schema(description = "Whether all events of the period are counted") boolean complete,
      @Schema(description = "How far the report looked back: it ends after 20 s") Instant since) {}

  private final TokenAccess access;
  private final FailedPasscodes failed;
  private final TokenReports reports;
  private final AdminAudit audit;
  private final InstantSource clock;

  TokenReportEndpoint(TokenAccess access, FailedPasscodes failed, TokenReports reports, AdminAudit audit, InstantSource clock) {
    this.access = access;
    this.failed = failed;
    this.reports = reports;
    this.audit = audit;
    this.clock = clock;
  }

  @GetMapping("/tokens")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "reportTokenList", summary = "Tokens by state, or those that expire soon or were never used, as JSON or CSV")
  @ApiResponse(
      responseCode = "200",
      description = "The tokens by serial number",
      content = {
        @Content(mediaType = "application/json", schema = @Schema(implementation = TokenLines.class)),
        @Content(mediaType = "text/csv", schema = @Schema(type = "string"))
      })
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  public ResponseEntity<Object> tokens(
      @PathVariable("realm") String realm,
      @Parameter(
              description = "state: those of `state`, or all; expiring: within `days`; never-used: which have an owner and no use",
              schema = @Schema(allowableValues = {"state", "expiring", "never-used"}, defaultValue = "state"))
          @RequestParam(name = "kind", defaultValue = "state")
          String kind,
      @Parameter(schema = @Schema(allowableValues = {"enabled", "disabled", "lost", "expired"})) @RequestParam(name = "state")
          Optional<String> state,
      @Parameter(description = "1 to 3650") @RequestParam(name = "days", defaultValue = "30") int days,
      @Parameter(schema = @Schema(allowableValues = {"json", "csv"}, defaultValue = "json")) @RequestParam(name = "format", defaultValue = "json")
          String format,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    boolean csv = isCsv(format);
    TokenFilter filter = filter(kind, state, days);
    TokenDesk desk = access.desk(realm);
    if (!csv) {
      // Days count for what expires alone: they make no other report another one.
      int counted = kind.equals("expiring") ? days : 0;
      Optional<String> chosen = kind.equals("expiring") ? Optional.empty() : state;
      return json(reports.lines(new TokenReports.Lines(realm, kind, chosen, counted), () -> shown(desk, realm, filter)));
    }
    List<TokenLine> lines = lines(after -> reports.part(() -> part(desk, realm, filter, after)), MOST);
    audit.record(realm, administrator, "token.report", Map.of("kind", kind, "state", state.orElse("-"), "days", String.valueOf(days)));
    Stream<List<String>> cells =
        lines.stream()
            .map(
                one ->
                    List.of(
                        one.serial(), one.state(), one.person().orElse(""), one.label(), one.expiresAt().map(Instant::toString).orElse(""),
                        one.usedAt().map(Instant::toString).orElse("")));
    return csv("tokens", "serial,state,person,label,expires,used", cells);
  }

  private TokenFilter filter(String kind, Optional<String> state, int days) {
    if (state.filter(word -> !STATES.contains(word)).isPresent()) {
      throw new BadRequest("`state` is enabled, disabled, lost or expired.");
    }
    if (days < 1 || days > MOST_DAYS) {
      throw new BadRequest("`days` is a number from 1 to " + MOST_DAYS + ".");
    }
    return switch (kind) {
      case "state" -> new TokenFilter(Optional.empty(), state, Optional.empty(), Optional.empty(), Optional.empty());
      case "expiring" ->
          new TokenFilter(
              Optional.empty(), Optional.of("enabled"), Optional.empty(), Optional.empty(), Optional.of(clock.instant().plus(Duration.ofDays(days))));
      case "never-used" -> new TokenFilter(Optional.empty(), state, Optional.of(true), Optional.of(false), Optional.empty());
      default -> throw new BadRequest("`kind` is state, expiring or never-used.");
    };
  }

  private TokenLines shown(TokenDesk desk, String realm, TokenFilter filter) {
    Instant now = clock.instant();
    List<TokenLine> lines = lines(after -> part(desk, realm, filter, after), MOST_LINES);
    boolean complete = lines.size() <= MOST_LINES;
    return new TokenLines(complete ? List.copyOf(lines) : List.copyOf(lines.subList(0, MOST_LINES)), complete, now);
  }

  /**
   * Reads one more than {@code most}, if there are more.
   *
   * @param part returns lines from the one after a serial number
   */
  private static List<TokenLine> lines(Function<String, List<TokenLine>> part, int most) {
    List<TokenLine> lines = new ArrayList<>();
    String after = "";
    while (lines.size() <= most) {
      List<TokenLine> read = part.apply(after);
      lines.addAll(read);
      if (read.size() < PAGE) {
        break;
      }
      after = read.getLast().serial();
    }
    return lines;
  }

  private static List<TokenLine> part(TokenDesk desk, String realm, TokenFilter filter, String after) {
    List<TokenView> page = desk.page(realm, filter, after, PAGE);
    Map<String, String> labels = desk.labels(realm, page.stream().map(TokenView::serial).toList());
    return page.stream().map(token -> line(token, labels)).toList();
  }

  private static TokenLine line(TokenView token, Map<String, String> labels) {
    return new TokenLine(
        token.serial(), token.state(), token.person(), labels.getOrDefault(token.serial(), ""), token.expiresAt(), token.usedAt());
  }

  @GetMapping("/failures")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "reportFailedPasscodes", summary = "Passcodes that were not accepted in a period, by person or by agent, as JSON or CSV")
  @ApiResponse(
      responseCode = "200",
      description = "Numbers by reason",
      content = {
        @Content(mediaType = "application/json", schema = @Schema(implementation = FailureReport.class)),
        @Content(mediaType = "text/csv", schema = @Schema(type = "string"))
      })
  @ApiResponse(responseCode = "409", description = "This node has no index of its audit log")
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  public ResponseEntity<Object> failures(
      @PathVariable("realm") String realm,
      @Parameter(schema = @Schema(allowableValues = {"person", "agent"}, defaultValue = "person")) @RequestParam(name = "by", defaultValue = "person")
          String by,
      @Parameter(description = "Time (RFC 3339); default: a week before `to`", schema = @Schema(type = "string", format = "date-time"))
          @RequestParam(name = "from")
          Optional<String> from,
      @Parameter(description = "Default: now", schema = @Schema(type = "string", format = "date-time")) @RequestParam(name = "to")
          Optional<String> to,
      @Parameter(schema = @Schema(allowableValues = {"json", "csv"}, defaultValue = "json")) @RequestParam(name = "format", defaultValue = "json")
          String format,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    boolean csv = isCsv(format);
    By wanted =
        switch (by) {
          case "person" -> By.PERSON;
          case "agent" -> By.AGENT;
          default -> throw new BadRequest("`by` is person or agent.");
        };
    access.desk(realm);
    Optional<Instant> begin = from.map(text -> time(text, "from"));
    Optional<Instant> end = to.map(text -> time(text, "to"));
    Period period = period(begin, end);
    if (!csv) {
      return json(reports.failures(new TokenReports.Failed(realm, by, begin, end), () -> shown(realm, wanted, begin, end)));
    }
    Counted counted = reports.failuresOnce(() -> count(realm, wanted, period));
    audit.record(realm, administrator, "token.report", Map.of("kind", "failures", "by", by, "from", period.from().toString(), "to", period.to().toString()));
    Stream<List<String>> cells =
        counted.lines().stream()
            .map(
                one ->
                    List.of(
                        one.key(), String.valueOf(one.failures()),
                        one.reasons().entrySet().stream().map(reason -> reason.getKey() + " " + reason.getValue()).collect(Collectors.joining("; "))));
    return csv("failures", by + ",failures,reasons", cells);
  }

  private record Period(Instant from, Instant to) {}

  private Period period(Optional<Instant> from, Optional<Instant> to) {
    Instant end = to.orElseGet(() -> clock.instant().plusSeconds(1));
    Instant begin = from.orElseGet(() -> end.minus(USUAL));
    if (!begin.isBefore(end)) {
      throw new BadRequest("`from` is a time before `to`.");
    }
    return new Period(begin, end);
  }

  private FailureReport shown(String realm, By by, Optional<Instant> from, Optional<Instant> to) {
    Period period = period(from, to);
    Counted counted = count(realm, by, period);
    List<Failures> most = counted.lines().stream().limit(MOST_LINES).toList();
    return new FailureReport(period.from(), period.to(), most, counted.isComplete(), counted.since());
  }

  private Counted count(String realm, By by, Period period) {
    try {
      return failed.count(realm, by, period.from(), period.to());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Instant time(String text, String name) {
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(END)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Falls through to the message.
    }
    throw new BadRequest("`" + name + "` is a time like 2026-11-23T17:00:00Z, from 1970 to 9999.");
  }

  private static boolean isCsv(String format) {
    return switch (format) {
      case "csv" -> true;
      case "json" -> false;
      default -> throw new BadRequest("`format` is json or csv.");
    };
  }

  private static ResponseEntity<Object> json(Object body) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
  }

  private static ResponseEntity<Object> csv(String name, String heading, Stream<List<String>> lines) {
    String text =
        lines.map(cells -> cells.stream().map(SheetCell::of).collect(Collectors.joining(","))).collect(Collectors.joining("\n", heading + "\n", "\n"));
    return ResponseEntity.ok()
        .contentType(CSV)
        .header("Content-Disposition", "attachment; filename=\"" + name + ".csv\"")
        .header("X-Content-Type-Options", "nosniff")
        .body(text.getBytes(StandardCharsets.UTF_8));
  }
}

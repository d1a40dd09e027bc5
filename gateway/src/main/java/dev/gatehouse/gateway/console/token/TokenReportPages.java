package dev.gatehouse.gateway.console.token;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.token.TokenReportEndpoint;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/tokens/reports}: lists of tokens, and passcodes that were not accepted, also for spreadsheets. */
@Controller
@RequestMapping("/console/realms/{realm}/tokens/reports")
final class TokenReportPages {

  private static final String PATH = "tokens/reports";
  private static final Set<String> LISTS = Set.of("enabled", "disabled", "lost", "expired");
  private static final String EXPIRING = "expiring";
  private static final String NEVER_USED = "never-used";
  private static final List<String> REPORTS =
      List.of("person", "agent", EXPIRING, NEVER_USED, "enabled", "disabled", "lost", "expired");

  private final TokenReportEndpoint reports;
  private final InstantSource clock;
  private final ConsolePages pages;

  TokenReportPages(TokenReportEndpoint reports, InstantSource clock, ConsolePages pages) {
    this.reports = reports;
    this.clock = clock;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "report", defaultValue = EXPIRING) String report,
      @RequestParam(name = "days", defaultValue = "30") String days) {
    String chosen = REPORTS.contains(report) ? report : EXPIRING;
    Object body = Objects.requireNonNull(ask(request, realm, chosen, number(days), "json").getBody());
    Map<String, Object> model = new HashMap<>();
    model.put("reports", REPORTS);
    model.put("report", chosen);
    model.put("days", number(days));
    model.put("tokens", body instanceof TokenReportEndpoint.TokenLines lines ? Optional.of(lines) : Optional.empty());
    model.put("failures", body instanceof TokenReportEndpoint.FailureReport failures ? Optional.of(failures) : Optional.empty());
    model.put("csv", Address.ofRealm(realm, PATH + "/csv", "report", chosen, "days", String.valueOf(number(days))));
    model.put("back", Address.ofRealm(realm, "tokens"));
    return pages.show(request, TokenPages.HERE, "console-token-reports", model);
  }

  @GetMapping("/csv")
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> csv(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "report") String report,
      @RequestParam(name = "days", defaultValue = "30") String days) {
    if (!REPORTS.contains(report)) {
      throw new BadRequest("`report` is one of " + String.join(", ", REPORTS) + ".");
    }
    ResponseEntity<Object> answer = ask(request, realm, report, number(days), "csv");
    return ResponseEntity.ok().headers(answer.getHeaders()).header("Cache-Control", "no-store").body((byte[]) Objects.requireNonNull(answer.getBody()));
  }

  private ResponseEntity<Object> ask(ConsoleRequest request, String realm, String report, int days, String format) {
    String administrator = request.rights().administrator();
    if (report.equals(EXPIRING) || report.equals(NEVER_USED)) {
      return reports.tokens(realm, report, Optional.empty(), days, format, administrator);
    }
    if (LISTS.contains(report)) {
      return reports.tokens(realm, "state", Optional.of(report), days, format, administrator);
    }
    // Whoever asks in the same minute asks for the same report, which is kept.
    Instant from = clock.instant().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofDays(days));
    return reports.failures(realm, report, Optional.of(from.toString()), Optional.empty(), format, administrator);
  }

  private static int number(String days) {
    if (!days.matches("[0-9]{1,4}")) {
      throw new BadRequest("`days` is a number from 1 to 3650.");
    }
    return Integer.parseInt(days);
  }
}

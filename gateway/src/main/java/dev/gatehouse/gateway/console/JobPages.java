package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.audit.AuditJobEndpoint;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.partner.AggregateImport;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/** {@code /console/jobs}: long operations on this node and how far they are. */
@Controller
@RequestMapping("/console/jobs")
final class JobPages {

  private static final String HERE = "jobs";
  private static final int REFRESH_SECONDS = 2;

  private record Line(JobView job, String href) {}

  private final JobEndpoint jobs;
  private final AuditJobEndpoint audit;
  private final ConsolePages pages;

  JobPages(JobEndpoint jobs, AuditJobEndpoint audit, ConsolePages pages) {
    this.jobs = jobs;
    this.audit = audit;
    this.pages = pages;
  }

  static String address(String job) {
    return Address.CONSOLE + HERE + "/" + job;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> list(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    List<Line> lines = jobs.list(request.rights()).jobs().stream().map(job -> new Line(job, address(job.id()))).toList();
    Map<String, Object> model = new HashMap<>();
    model.put("lines", lines);
    model.put("mayVerify", request.rights().mayEverywhere(AdministratorRole.OPERATOR));
    model.put("mayArchive", request.rights().mayEverywhere(AdministratorRole.ADMIN));
    return pages.show(request, HERE, "console-jobs", model);
  }

  @GetMapping("/{id}")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> one(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("id") String id) {
    JobView job = Objects.requireNonNull(jobs.one(id, request.rights()).getBody());
    Map<String, Object> model = new HashMap<>();
    model.put("job", job);
    model.put("percent", job.progress().percent());
    model.put("running", job.isRunning());
    Map<String, List<String>> facts = new TreeMap<>();
    job.result().ifPresent(result -> result.forEach((name, value) -> facts.put(name, texts(value))));
    facts.values().removeIf(List::isEmpty);
    model.put("result", facts);
    model.put("cancelHref", address(id) + "/cancel");
    model.put("olderHref", job.realm().filter(realm -> AggregateImport.wasOlder(job)).map(realm -> PartnerPages.againAfter(realm, id)));
    return pages.refreshing(request, HERE, "console-job", model, job.isRunning() ? REFRESH_SECONDS : 0);
  }

  private static List<String> texts(Object value) {
    return value instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of(String.valueOf(value));
  }

  @PostMapping("/{id}/cancel")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> cancel(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("id") String id) {
    jobs.cancel(id, request.rights());
    return pages.seeOther(address(id));
  }

  @PostMapping("/audit-verification")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> verifyAudit(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    return started(audit.verify(request.rights()));
  }

  /** Says what goes where, before anything is moved. */
  @GetMapping("/audit-archive")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> askToArchive(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    Question question =
        new Question(
            "audit-archive", "", Optional.empty(), List.of(), address("audit-archive"), Map.of(), Address.CONSOLE + HERE);
    return pages.ask(request, HERE, question);
  }

  @PostMapping("/audit-archive")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> archiveAudit(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    return started(audit.archive(Optional.empty(), request.rights()));
  }

  private ResponseEntity<byte[]> started(ResponseEntity<JobView> answer) {
    return pages.seeOther(address(Objects.requireNonNull(answer.getBody()).id()));
  }
}

package dev.gatehouse.gateway.console;

import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.Coverage;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.audit.AuditEndpoint;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/** {@code /console/audit}: searches the audit log, and says what its events mean. */
@Controller
@RequestMapping("/console/audit")
final class AuditPages {

  private static final String HERE = "audit";

  /** The fields of the form, with the names of the REST interface. */
  private static final List<String> FIELDS =
      List.of("person", "partner", "client", "requestId", "reason", "address", "event", "from", "to");

  /** Without seconds and zone, as browsers send a time. */
  private static final String MINUTES = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d";

  private final Realms realms;
  private final AuditEndpoint endpoint;
  private final ConsolePages pages;

  AuditPages(Realms realms, AuditEndpoint endpoint, ConsolePages pages) {
    this.realms = realms;
    this.endpoint = endpoint;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.HELPDESK, checksRealms = true)
  ResponseEntity<byte[]> search(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) throws IOException {
    Optional<String> realm = realm(request);
    Map<String, String> typed = typed(request);
    Map<String, String> asked = asked(typed);
    request.query("cursor").ifPresent(cursor -> asked.put("cursor", cursor));
    AuditEndpoint.Answer answer = endpoint.find(asked, realm);
    AuditPage page = answer.page();
    Map<String, Object> model = new HashMap<>();
    model.put("typed", typed);
    model.put("realm", realm.orElse(""));
    model.put("isNode", realm.filter(AdminRights.NODE::equals).isPresent());
    model.put("realms", visible(request.rights()));
    model.put("mayAll", request.rights().mayEverywhere(AdministratorRole.HELPDESK));
    model.put("complete", answer.coverage().isComplete());
    model.put("late", answer.coverage().isComplete() ? List.of() : running(answer.coverage()));
    model.put("lookedBackTo", page.lookedBackTo());
    model.put("events", page.events().stream().map(EventLine::of).toList());
    model.put("next", page.next().map(cursor -> address("", typed, realm, "cursor", cursor.toString())));
    model.put("csv", address("/export", typed, realm, "format", "csv"));
    model.put("jsonl", address("/export", typed, realm, "format", "jsonl"));
    return pages.show(request, HERE, "console-audit", model);
  }

  @GetMapping("/export")
  @RequiresRole(value = AdministratorRole.HELPDESK, checksRealms = true)
  void export(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, HttpServletResponse response) throws IOException {
    Optional<String> realm = realm(request);
    String format = request.query("format").filter("csv"::equals).orElse("jsonl");
    Map<String, String> asked = asked(typed(request));
    asked.put("format", format);
    response.setHeader("Content-Disposition", "attachment; filename=\"audit." + format + "\"");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    try {
      endpoint.export(asked, realm, request.rights().administrator(), response);
    } catch (RuntimeException e) {
      if (!response.isCommitted()) {
        // The page of the error is no file.
        response.reset();
      }
      throw e;
    }
  }

  /** Returns the nodes that write, and up to when their events are found. */
  private static List<Coverage.NodeEvents> running(Coverage coverage) {
    return coverage.nodes().stream().filter(node -> !node.isStopped()).toList();
  }

  /** Returns the realm that is searched, for which the role is checked; empty for all. */
  private Optional<String> realm(ConsoleRequest request) {
    AdminRights rights = request.rights();
    Optional<String> named = request.query("realm");
    if (named.isEmpty() && !rights.mayEverywhere(AdministratorRole.HELPDESK)) {
      named = visible(rights).stream().findFirst();
    }
    if (named.isEmpty() || named.get().equals(AdminRights.NODE)) {
      rights.requireEverywhere(AdministratorRole.HELPDESK);
    } else {
      rights.require(AdministratorRole.HELPDESK, named.get());
    }
    return named;
  }

  private List<String> visible(AdminRights rights) {
    return realms.all().stream().map(Realm::name).filter(name -> rights.may(AdministratorRole.HELPDESK, name)).sorted().toList();
  }

  private static Map<String, String> typed(ConsoleRequest request) {
    Map<String, String> typed = new LinkedHashMap<>();
    FIELDS.forEach(name -> request.query(name).ifPresent(value -> typed.put(name, value)));
    return typed;
  }

  private static Map<String, String> asked(Map<String, String> typed) {
    Map<String, String> asked = new TreeMap<>(typed);
    asked.replaceAll((name, value) -> value.matches(MINUTES) ? value + ":00Z" : value);
    return asked;
  }

  private static String address(String page, Map<String, String> typed, Optional<String> realm, String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(typed);
    realm.ifPresent(of -> all.put("realm", of));
    all.put(name, value);
    return Address.with(
        Address.CONSOLE + HERE + page,
        all.entrySet().stream().flatMap(one -> Stream.of(one.getKey(), one.getValue())).toArray(String[]::new));
  }
}

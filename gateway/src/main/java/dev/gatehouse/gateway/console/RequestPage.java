package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.request.RequestEndpoint;
import dev.gatehouse.gateway.admin.request.RequestView;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/request}: what is known of a request by the reference of its error page. */
@Controller
@RequestMapping("/console/request")
final class RequestPage {

  private final RequestEndpoint requests;
  private final ConsolePages pages;

  RequestPage(RequestEndpoint requests, ConsolePages pages) {
    this.requests = requests;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.HELPDESK, checksRealms = true)
  ResponseEntity<byte[]> show(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @RequestParam(name = "id", defaultValue = "") String given) {
    String id = given.strip();
    Map<String, Object> model = new HashMap<>();
    model.put("id", id.length() > 64 ? id.substring(0, 64) : id);
    int status = 200;
    if (!id.isEmpty()) {
      try {
        RequestView found = requests.find(id, request.rights());
        model.put("refusals", found.refusals());
        Map<String, List<ReasonTexts.Meaning>> meanings = new HashMap<>();
        found.refusals().forEach(refusal -> meanings.put(refusal.reason(), ReasonTexts.of(refusal.reason())));
        model.put("meanings", meanings);
        model.put("events", found.events().stream().map(RequestPage::event).toList());
      } catch (NotFound e) {
        model.put("unknown", true);
        status = 404;
      }
    }
    return pages.show(request, status, "request", "console-request", model);
  }

  /** Returns the event without what binds it to its neighbours in the log. */
  private static EventLine event(Map<String, Object> line) {
    Map<String, Object> fields = new LinkedHashMap<>(line);
    List.of("reference", "previous", "seq", "chain").forEach(fields::remove);
    return EventLine.of(fields);
  }
}

package dev.gatehouse.gateway.console.token;

import dev.gatehouse.common.admin.PeopleDesk.KnownPersonView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.token.PeopleEndpoint;
import dev.gatehouse.gateway.admin.token.PeopleEndpoint.KnownPage;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/tokens/register}: the people who may have tokens, and the last synchronisations. */
@Controller
@RequestMapping("/console/realms/{realm}/tokens/register")
final class PeopleRegisterPages {

  private static final String PATH = "tokens/register";
  private static final int ON_A_PAGE = 100;
  private static final int RUNS = 5;
  private static final Set<String> STATUSES = Set.of("active", "suspended", "missing", "gone");

  private record Line(KnownPersonView person, String href) {}

  private final PeopleEndpoint people;
  private final ConsolePages pages;

  PeopleRegisterPages(PeopleEndpoint people, ConsolePages pages) {
    this.people = people;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "q", defaultValue = "") String search,
      @RequestParam(name = "status", defaultValue = "") String status,
      @RequestParam(name = "after", defaultValue = "") String after) {
    Optional<String> wanted = Optional.of(status).filter(STATUSES::contains);
    KnownPage page = people.page(realm, search.strip(), wanted, after, ON_A_PAGE);
    Map<String, Object> model = new HashMap<>();
    model.put("search", search);
    model.put("status", wanted);
    model.put("lines", page.people().stream().map(one -> new Line(one, TokenHolderPages.address(realm, one.person()))).toList());
    model.put("next", page.next().map(last -> Address.ofRealm(realm, PATH, "q", search, "status", wanted.orElse(""), "after", last)));
    model.put("runs", people.runs(realm, RUNS).runs());
    model.put("mayPreview", request.rights().may(AdministratorRole.OPERATOR, realm));
    model.put("maySynchronise", request.rights().may(AdministratorRole.ADMIN, realm));
    model.put("previewHref", Address.ofRealm(realm, PATH + "/preview"));
    model.put("synchroniseHref", Address.ofRealm(realm, PATH + "/synchronise"));
    model.put("back", Address.ofRealm(realm, "tokens"));
    return pages.show(request, TokenPages.HERE, "console-token-register", model);
  }

  @PostMapping("/preview")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> preview(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    return started(people.preview(realm, request.rights()));
  }

  @PostMapping("/synchronise")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> synchronise(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    return started(people.synchronise(realm, request.field("mayDisable").map(String::strip), request.rights()));
  }

  private ResponseEntity<byte[]> started(ResponseEntity<JobView> answer) {
    return pages.seeOther(Address.CONSOLE + "jobs/" + Objects.requireNonNull(answer.getBody()).id());
  }
}

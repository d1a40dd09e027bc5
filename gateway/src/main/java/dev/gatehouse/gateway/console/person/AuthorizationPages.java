package dev.gatehouse.gateway.console.person;

import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.person.AuthorizationEndpoint;
import dev.gatehouse.gateway.admin.person.AuthorizationEndpoint.AuthorizationPage;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/authorizations}: what people have authorized OAuth clients to do. */
@Controller
@RequestMapping("/console/realms/{realm}/authorizations")
final class AuthorizationPages {

  private static final int ON_A_PAGE = 100;

  private record Line(AuthorizationView authorization, String personHref, String endHref) {}

  private final AuthorizationEndpoint authorizations;
  private final ConsolePages pages;

  AuthorizationPages(AuthorizationEndpoint authorizations, ConsolePages pages) {
    this.authorizations = authorizations;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "q", defaultValue = "") String search,
      @RequestParam(name = "after", defaultValue = "") String after) {
    Optional<String> person = request.query("q");
    AuthorizationPage page = authorizations.page(realm, person, after, ON_A_PAGE);
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    model.put("search", search);
    model.put("lines", page.authorizations().stream().map(one -> line(realm, one)).toList());
    model.put("next", page.next().map(last -> Address.ofRealm(realm, "authorizations", "after", last)));
    return pages.show(request, PersonAccessPages.HERE, "console-authorizations", model);
  }

  private static Line line(String realm, AuthorizationView one) {
    return new Line(
        one,
        PersonAccessPages.address(realm, one.person()),
        AccessStep.AUTHORIZATION.askAddress(realm, one.person(), new AccessStep.Part(one.id(), "", "")));
  }
}

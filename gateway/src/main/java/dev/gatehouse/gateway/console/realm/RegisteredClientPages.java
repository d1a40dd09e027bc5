package dev.gatehouse.gateway.console.realm;

import dev.gatehouse.common.admin.AdminResource.ClientView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.realm.RegisteredClientEndpoint;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms/{realm}/clients/remove}: the end of an OAuth client that registered at run time. */
@Controller
@RequestMapping("/console/realms/{realm}/clients/remove")
final class RegisteredClientPages {

  private static final String HERE = "realms";

  private final RegisteredClientEndpoint clients;
  private final ConsolePages pages;

  RegisteredClientPages(RegisteredClientEndpoint clients, ConsolePages pages) {
    this.clients = clients;
    this.pages = pages;
  }

  /** Says which client would go, before it goes. */
  @GetMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("id") String id) {
    ClientView client = clients.one(realm, id);
    List<String> details = Stream.concat(Stream.of(client.clientId()), client.redirectUris().stream()).toList();
    Question question =
        new Question(
            "client-remove", client.name().orElse(id), Optional.of(realm), details, Address.ofRealm(realm, "clients/remove"),
            Map.of("id", id), Address.ofRealm(realm, "clients"));
    return pages.ask(request, HERE, question);
  }

  @PostMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  ResponseEntity<byte[]> remove(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    String id = request.field("id").orElseThrow(() -> new BadRequest("`id` is missing."));
    clients.remove(realm, id, request.rights().administrator());
    return pages.seeOther(Address.ofRealm(realm, "clients"));
  }
}

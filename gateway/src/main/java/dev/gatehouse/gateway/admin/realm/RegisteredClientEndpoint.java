package dev.gatehouse.gateway.admin.realm;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.ClientView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/registered-clients}: OAuth clients that registered at run time. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/registered-clients", produces = "application/json")
@Tag(name = "registered-clients", description = "OAuth clients that registered at run time at the identity provider")
public final class RegisteredClientEndpoint {

  /** A page of clients. */
  @Schema(name = "RegisteredClients")
  public record ClientPage(
      List<ClientView> clients,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  private final Realms realms;
  private final Optional<AdminResource.RegisteredClients> clients;
  private final AdminAudit audit;

  /** @param clients empty on a node without identity provider */
  RegisteredClientEndpoint(
      Realms realms, Optional<AdminResource.RegisteredClients> clients, AdminAudit audit) {
    this.realms = realms;
    this.clients = clients;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listRegisteredClients", summary = "A page of the clients that registered")
  public ClientPage page(
      @PathVariable("realm") String realm,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of clients, up to 500") @RequestParam(name = "limit", defaultValue = "100")
          int limit) {
    AdminResource.RegisteredClients here = clients(realm);
    return Paging.page(limit, most -> here.page(realm, after, most), ClientView::clientId, ClientPage::new);
  }

  @GetMapping("/{client}")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getRegisteredClient", summary = "One client that registered")
  public ClientView one(@PathVariable("realm") String realm, @PathVariable("client") String client) {
    return clients(realm).find(realm, client).orElseThrow(() -> new NotFound("There is no such client."));
  }

  @DeleteMapping("/{client}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "removeRegisteredClient",
      summary = "Remove a registered client and revoke everything that was issued to it")
  public void remove(
      @PathVariable("realm") String realm,
      @Parameter(description = "Its client ID") @PathVariable("client") String client,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.RegisteredClients here = clients(realm);
    audit.record(realm, administrator, "registered-client.remove", Map.of("client", client));
    if (!here.remove(realm, client)) {
      throw new NotFound("There is no such client.");
    }
  }

  private AdminResource.RegisteredClients clients(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    return clients.orElseThrow(NotFound::identityProvider);
  }
}

package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
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

/** {@code /admin/v1/realms/{realm}/authorizations}: what people have authorized OAuth clients to do. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/authorizations", produces = "application/json")
@Tag(name = "authorizations", description = "Authorizations that people gave OAuth clients")
public final class AuthorizationEndpoint {

  /** A page of authorizations. */
  @Schema(name = "Authorizations")
  public record AuthorizationPage(
      List<AuthorizationView> authorizations,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  private final Realms realms;
  private final Optional<AdminResource.OAuthAuthorizations> authorizations;
  private final AdministratorPeople people;
  private final AdminAudit audit;

  /** @param authorizations empty on a node without identity provider */
  AuthorizationEndpoint(
      Realms realms, Optional<AdminResource.OAuthAuthorizations> authorizations, AdministratorPeople people, AdminAudit audit) {
    this.realms = realms;
    this.authorizations = authorizations;
    this.people = people;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listAuthorizations", summary = "A page of authorizations, or all of a person")
  public AuthorizationPage page(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id; without it, a page of all people's") @RequestParam("person") Optional<String> person,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of authorizations, up to 500") @RequestParam(name = "limit", defaultValue = "100")
          int limit) {
    AdminResource.OAuthAuthorizations here = here(realm);
    return person.isPresent()
        ? new AuthorizationPage(here.ofPerson(realm, person.get()), Optional.empty())
        : Paging.page(limit, most -> here.page(realm, after, most), AuthorizationView::id, AuthorizationPage::new);
  }

  @DeleteMapping("/{authorization}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "endAuthorization", summary = "End an authorization with all its tokens")
  public void end(
      @PathVariable("realm") String realm,
      @PathVariable("authorization") String authorization,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    AdminResource.OAuthAuthorizations here = here(realm);
    here.find(realm, authorization).ifPresent(found -> people.requireMayActOn(realm, found.person(), found.name()));
    audit.record(realm, administrator, "authorization.end", Map.of("authorization", authorization));
    if (!here.end(realm, authorization)) {
      throw new NotFound("There is no such authorization.");
    }
  }

  /** Returns one; empty if there is none. */
  public Optional<AuthorizationView> find(String realm, String authorization) {
    return here(realm).find(realm, authorization);
  }

  private AdminResource.OAuthAuthorizations here(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    return authorizations.orElseThrow(NotFound::identityProvider);
  }
}

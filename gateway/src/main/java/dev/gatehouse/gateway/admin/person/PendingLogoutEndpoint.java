package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.LogoutView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
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
import java.util.TreeMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/logouts}: logouts that were not yet delivered to partners, and the reasons. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/logouts", produces = "application/json")
@Tag(name = "logouts", description = "Logouts of which partners have not been notified yet, at the identity provider (idp) and the gateway (app)")
final class PendingLogoutEndpoint {

  /** The number of pending logouts by kind. */
  @Schema(name = "LogoutCounts")
  record Counts(@Schema(description = "By kind: idp, app") Map<String, Long> waiting) {}

  /** A page of pending logouts. */
  @Schema(name = "Logouts")
  record LogoutPage(
      List<LogoutView> logouts,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  private final Realms realms;
  private final Map<String, AdminResource.Logouts> kinds = new TreeMap<>();

  PendingLogoutEndpoint(Realms realms, List<AdminResource.Logouts> resources) {
    this.realms = realms;
    resources.forEach(resource -> kinds.put(resource.kind(), resource));
  }

  @GetMapping
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "countLogouts", summary = "Number of logouts of which partners have not been notified yet")
  Counts count(@PathVariable("realm") String realm) {
    requireRealm(realm);
    Map<String, Long> waiting = new TreeMap<>();
    kinds.forEach((kind, logouts) -> waiting.put(kind, logouts.count(realm)));
    return new Counts(waiting);
  }

  @GetMapping("/{kind}")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "listLogouts", summary = "A page of logouts of which partners have not been notified yet")
  LogoutPage page(
      @PathVariable("realm") String realm,
      @Parameter(description = "idp or app", schema = @Schema(allowableValues = {"idp", "app"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of logouts, up to 500") @RequestParam(name = "limit", defaultValue = "100")
          int limit) {
    requireRealm(realm);
    AdminResource.Logouts logouts =
        Optional.ofNullable(kinds.get(kind))
            .orElseThrow(() -> new NotFound("Kinds of logouts here: " + String.join(", ", kinds.keySet()) + "."));
    return Paging.page(limit, most -> logouts.page(realm, after, most), LogoutView::id, LogoutPage::new);
  }

  private void requireRealm(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
  }
}

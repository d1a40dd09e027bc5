package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TrustDesk;
import dev.gatehouse.common.admin.TrustDesk.TrustTest;
import dev.gatehouse.common.admin.TrustDesk.TrustView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/otp/trusts}: other realms of one-time passwords. They are trusted by the configuration alone. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/otp/trusts", produces = "application/json")
@Tag(name = "tokens", description = "Tokens that make one-time passwords: who has which, and whether they count")
public final class TrustEndpoint {

  /** The trusted realms. */
  @Schema(name = "TrustList")
  public record TrustList(List<TrustView> trusts) {}

  private final Realms realms;
  private final Optional<TrustDesk> desk;
  private final AdminAudit audit;

  /** @param desk empty on a node without identity provider */
  TrustEndpoint(Realms realms, Optional<TrustDesk> desk, AdminAudit audit) {
    this.realms = realms;
    this.desk = desk;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listTrusts", summary = "The other realms of one-time passwords that `visitors.trusts` names, and whether they answer this node")
  public TrustList list(@PathVariable("realm") String realm) {
    return new TrustList(desk(realm).list(realm));
  }

  @PostMapping("/{name}/test")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "testTrust", summary = "Ask a trusted realm whether it trusts us, and whether its document is still the one that we have")
  @ApiResponse(responseCode = "200", description = "What was found")
  public TrustTest test(
      @PathVariable("realm") String realm,
      @Parameter(description = "The first of its suffixes") @PathVariable("name") String name,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    TrustDesk here = desk(realm);
    if (here.list(realm).stream().noneMatch(trust -> trust.name().equals(name))) {
      throw unknown(name);
    }
    audit.record(realm, administrator, "trust.test", Map.of("trust", name));
    return here.test(realm, name).orElseThrow(() -> unknown(name));
  }

  private static NotFound unknown(String name) {
    return new NotFound("visitors.trusts has no realm `" + name + "`.");
  }

  private TrustDesk desk(String realm) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    return desk.orElseThrow(NotFound::identityProvider);
  }
}

package dev.gatehouse.gateway.admin.realm;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms}: the configuration in use. */
@RestController
@RequestMapping(path = "/admin/v1/realms", produces = "application/json")
@Tag(name = "realms", description = "Realms in use, with their partners and routes")
public final class RealmEndpoint {

  /** A realm. */
  @Schema(name = "Realm")
  public record RealmView(
      String name,
      @Schema(description = "Identifies the configuration's content", example = "3f1c20a9b77e") String revision,
      String displayName,
      @Schema(description = "Entity ID and issuer of the realm's identity provider") Optional<String> identityProvider,
      @Schema(description = "Entity ID of the realm's service provider") Optional<String> serviceProvider,
      int partners,
      int routes) {

    static RealmView of(Realm realm) {
      return new RealmView(
          realm.name(),
          realm.revision().value(),
          realm.brand().displayName(),
          realm.idp().map((IdpConfig idp) -> idp.entityId(realm.name())),
          realm.sp().map(SpConfig::entityId),
          realm.parties().partners().size(),
          realm.gateway().routes().size());
    }
  }

  /** All realms. */
  @Schema(name = "Realms")
  public record RealmList(List<RealmView> realms) {}

  /** All partners of a realm. */
  @Schema(name = "Partners")
  public record PartnerList(List<PartnerView> partners) {}

  /** One route. */
  @Schema(name = "Route")
  public record RouteView(
      String name,
      List<String> hosts,
      String path,
      String upstream,
      @Schema(allowableValues = {"public", "protected", "role"}) String access,
      @Schema(description = "Any one of these is enough; empty unless access is role") List<String> roles,
      @Schema(description = "Names of request headers with the values that they carry") Map<String, String> inject,
      @Schema(description = "Empty: all methods") List<String> methods,
      @Schema(description = "Names of its policies; one with the route's own name are its rules") List<String> policies) {

    /** Returns the view of a route. */
    public static RouteView of(RouteConfig route) {
      String access =
          switch (route.authorization().access()) {
            case Access.Public() -> "public";
            case Access.Protected() -> "protected";
            case Access.RequiresRole(var anyOf) -> "role";
          };
      List<String> roles =
          route.authorization().access() instanceof Access.RequiresRole(var anyOf) ? List.copyOf(new TreeSet<>(anyOf)) : List.of();
      return new RouteView(
          route.name(),
          List.copyOf(new TreeSet<>(route.match().hosts())),
          route.match().path(),
          route.upstream().servers().getFirst().url().toString(),
          access,
          roles,
          route.identity().inject().headers(),
          List.copyOf(new TreeSet<>(route.match().methods())),
          route.authorization().policies().stream().map(PolicyConfig::name).toList());
    }
  }

  /** All routes of a realm. */
  @Schema(name = "Routes")
  public record RouteList(List<RouteView> routes) {}

  private final Realms realms;
  private final PartnerRegistry partners;

  RealmEndpoint(Realms realms, PartnerRegistry partners) {
    this.realms = realms;
    this.partners = partners;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(operationId = "listRealms", summary = "The realms that the key may read, with their revision")
  public RealmList list(@Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    return new RealmList(
        realms.all().stream()
            .filter(realm -> rights.may(AdministratorRole.VIEWER, realm.name()))
            .sorted(Comparator.comparing(Realm::name))
            .map(RealmView::of)
            .toList());
  }

  @GetMapping("/{realm}")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getRealm", summary = "One realm")
  public RealmView one(@PathVariable("realm") String realm) {
    return RealmView.of(find(realm));
  }

  @GetMapping("/{realm}/partners")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listPartners", summary = "The realm's partners with the state of their metadata")
  PartnerList partners(@PathVariable("realm") String realm) {
    find(realm);
    return new PartnerList(partners.all(realm).stream().map(PartnerView::of).toList());
  }

  @GetMapping("/{realm}/routes")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listRoutes", summary = "The realm's routes")
  RouteList routes(@PathVariable("realm") String realm) {
    return new RouteList(find(realm).gateway().routes().stream().map(RouteView::of).toList());
  }

  private Realm find(String name) {
    return realms.find(name).orElseThrow(() -> new NotFound("There is no realm " + name + "."));
  }
}

package dev.gatehouse.gateway.admin.realm;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
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
  public record RealmList(
      List<RealmView> realms,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  /** A page of a realm's partners. */
  @Schema(name = "Partners")
  public record PartnerPage(
      @Schema(description = "Ordered by entity ID") List<PartnerView> partners,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

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

  /** A page of a realm's routes. */
  @Schema(name = "Routes")
  public record RoutePage(
      @Schema(description = "In the order of the configuration") List<RouteView> routes,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  private final Realms realms;
  private final PartnerRegistry partners;

  RealmEndpoint(Realms realms, PartnerRegistry partners) {
    this.realms = realms;
    this.partners = partners;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(operationId = "listRealms", summary = "The realms that the key may read, with their revision")
  RealmList page(
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    return Paging.sorted(list(rights).realms(), after, limit, RealmView::name, RealmList::new);
  }

  /** Returns all realms that the administrator may read. */
  public RealmList list(AdminRights rights) {
    return new RealmList(
        realms.all().stream()
            .filter(realm -> rights.may(AdministratorRole.VIEWER, realm.name()))
            .sorted(Comparator.comparing(Realm::name))
            .map(RealmView::of)
            .toList(),
        Optional.empty());
  }

  @GetMapping("/{realm}")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getRealm", summary = "One realm")
  public RealmView one(@PathVariable("realm") String realm) {
    return RealmView.of(find(realm));
  }

  @GetMapping("/{realm}/partners")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listPartners", summary = "A page of the realm's partners with the state of their metadata")
  PartnerPage partners(
      @PathVariable("realm") String realm,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of partners, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    find(realm);
    List<Partner> sorted = new ArrayList<>();
    for (Partner partner : partners.all(realm)) {
      if (partner.entityId().compareTo(after) > 0) {
        sorted.add(partner);
      }
    }
    sorted.sort(Comparator.comparing(Partner::entityId));
    return Paging.page(
        limit, most -> sorted.stream().limit(most).map(PartnerView::of).toList(), PartnerView::entityId, PartnerPage::new);
  }

  @GetMapping("/{realm}/routes")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listRoutes", summary = "A page of the realm's routes")
  RoutePage routes(
      @PathVariable("realm") String realm,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of routes, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    List<RouteConfig> routes = find(realm).gateway().routes();
    // A route may have no name of its own, so that a page begins at a number.
    int begin = after.isEmpty() ? 0 : number(after, routes.size());
    return Paging.page(
        limit,
        most -> IntStream.range(begin, Math.min(routes.size(), begin + most)).boxed().toList(),
        at -> String.valueOf(at + 1),
        (places, next) -> new RoutePage(places.stream().map(at -> RouteView.of(routes.get(at))).toList(), next));
  }

  private static int number(String after, int size) {
    if (!after.matches("\\d{1,9}")) {
      throw new BadRequest("`after` is the `next` of a page.");
    }
    return Math.min(size, Integer.parseInt(after));
  }

  private Realm find(String name) {
    return realms.find(name).orElseThrow(() -> NotFound.realm(name));
  }
}

package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.AdminResource.ClientView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.realm.PartnerView;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint.RealmView;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint.RouteView;
import dev.gatehouse.gateway.admin.realm.RegisteredClientEndpoint;
import dev.gatehouse.gateway.admin.realm.RegisteredClientEndpoint.ClientPage;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/realms}: realms with their partners, clients and routes, and the state of each. */
@Controller
@RequestMapping("/console/realms")
final class RealmPages {

  static final String HERE = "realms";

  private record RealmLine(RealmView realm, String href) {}

  private record PartnerLine(PartnerView partner, String href) {}

  /** @param redirectUri to register there; empty if nobody logs in there */
  private record ProviderLine(String name, String issuer, Optional<String> redirectUri) {}

  private record RouteLine(RouteView route, String href) {}

  private record ClientLine(String id, String name, List<String> grants, boolean isPublic, String connectHref) {}

  private final Realms realms;
  private final RealmEndpoint endpoint;
  private final PartnerRegistry partners;
  private final RegisteredClientEndpoint registered;
  private final ConsolePages pages;

  RealmPages(
      Realms realms, RealmEndpoint endpoint, PartnerRegistry partners, RegisteredClientEndpoint registered, ConsolePages pages) {
    this.realms = realms;
    this.endpoint = endpoint;
    this.partners = partners;
    this.registered = registered;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> list(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    List<RealmLine> lines =
        endpoint.list(request.rights()).realms().stream().map(realm -> new RealmLine(realm, Address.ofRealm(realm.name(), ""))).toList();
    return pages.show(request, HERE, "console-realms", Map.of("lines", lines));
  }

  @GetMapping("/{realm}")
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> one(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @PathVariable("realm") String realm) {
    Realm found = find(realm);
    Map<String, Object> model = model(realm);
    model.put("realm", endpoint.one(realm));
    model.put("clients", found.parties().clients().size());
    model.put("providers", found.parties().providers().stream().map(provider -> line(found, provider)).toList());
    model.put("signIns", found.sp().map(SpConfig::identityProviders).orElse(List.of()));
    model.put("mayTestLogin", request.rights().may(AdministratorRole.OPERATOR, realm));
    model.put("testLoginHref", Address.ofRealm(realm, TestLoginPages.PATH));
    model.put("partnersHref", Address.ofRealm(realm, "partners"));
    model.put("clientsHref", Address.ofRealm(realm, "clients"));
    model.put("routesHref", Address.ofRealm(realm, "routes"));
    model.put("keysHref", Address.ofRealm(realm, "keys"));
    model.put("entriesHref", Address.ofRealm(realm, "entries"));
    model.put("cacheHref", found.gateway().routes().isEmpty() ? Optional.empty() : Optional.of(Address.ofRealm(realm, "cache")));
    model.put("authorizationsHref", found.idp().map(idp -> Address.ofRealm(realm, "authorizations")));
    model.put("tokensHref", found.idp().flatMap(idp -> idp.contracts().token()).map(rules -> Address.ofRealm(realm, "tokens")));
    model.put("themeHref", Address.ofRealm(realm, "theme"));
    model.put("mayAdd", request.rights().mayEverywhere(AdministratorRole.ADMIN));
    model.put("addHref", Address.ofRealm(realm, "add"));
    model.put("peopleHref", Address.ofRealm(realm, "people"));
    model.put("mayPeopleHere", request.rights().may(AdministratorRole.HELPDESK, realm));
    return pages.show(request, HERE, "console-realm", model);
  }

  @GetMapping("/{realm}/partners")
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> partners(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "q", defaultValue = "") String search,
      @RequestParam(name = "page", defaultValue = "1") int page) {
    find(realm);
    Listed<Partner> found =
        Listed.of(
            partners.all(realm), search, page,
            partner -> Stream.of(partner.displayName(), partner.entityId()),
            number -> Address.ofRealm(realm, "partners", "q", search, "page", number));
    Map<String, Object> model = model(realm);
    model.put("search", search);
    model.put("importHref", Address.ofRealm(realm, "partners/import"));
    model.put("importProviderHref", Address.ofRealm(realm, "providers/import"));
    model.put("testHref", Address.ofRealm(realm, "partners/test"));
    model.put("mayImport", request.rights().may(AdministratorRole.ADMIN, realm));
    model.put("mayTest", request.rights().may(AdministratorRole.OPERATOR, realm));
    model.put(
        "lines",
        found.map(partner -> new PartnerLine(PartnerView.of(partner), Address.ofRealm(realm, "partner", "id", partner.entityId()))));
    return pages.show(request, HERE, "console-partners", model);
  }

  @GetMapping("/{realm}/partner")
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> partner(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam("id") String entityId) {
    find(realm);
    Partner partner =
        partners.find(realm, entityId).orElseThrow(() -> new NotFound("There is no partner " + entityId + "."));
    Map<String, Object> model = model(realm);
    model.put("partner", PartnerView.of(partner));
    model.put("connectHref", ConnectPage.address(realm, AppKind.SAML, entityId));
    model.put("back", Address.ofRealm(realm, "partners"));
    model.put("testLoginHref", Address.ofRealm(realm, TestLoginPages.PATH));
    model.put("mayTestLogin", isTestable(realm, entityId) && request.rights().may(AdministratorRole.OPERATOR, realm));
    if (PartnerView.of(partner).roles().contains("sp") && request.rights().may(AdministratorRole.HELPDESK, realm)) {
      model.put("releaseHref", Address.ofRealm(realm, "people/release", "partner", entityId));
    }
    model.put("testHref", Address.ofRealm(realm, "partner/test"));
    model.put("mayTest", request.rights().may(AdministratorRole.OPERATOR, realm));
    return pages.show(request, HERE, "console-partner", model);
  }

  @GetMapping("/{realm}/clients")
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> clients(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "q", defaultValue = "") String search,
      @RequestParam(name = "page", defaultValue = "1") int page,
      @RequestParam(name = "after", defaultValue = "") String after) {
    Realm found = find(realm);
    Listed<ClientConfig> configured =
        Listed.of(
            found.parties().clients(), search, page,
            client -> Stream.of(client.name(), client.clientId()),
            number -> Address.ofRealm(realm, "clients", "q", search, "page", number));
    Optional<ClientPage> others = found.idp().map(idp -> registered(realm, after));
    Map<String, Object> model = model(realm);
    model.put("search", search);
    model.put("lines", configured.map(client -> line(realm, client)));
    model.put("mayRemove", request.rights().may(AdministratorRole.ADMIN, realm));
    model.put("removeHref", Address.ofRealm(realm, "clients/remove"));
    model.put("registered", others.map(ClientPage::clients).orElse(List.<ClientView>of()));
    model.put("nextRegistered", others.flatMap(ClientPage::next).map(last -> Address.ofRealm(realm, "clients", "after", last)));
    return pages.show(request, HERE, "console-clients", model);
  }

  private ClientPage registered(String realm, String after) {
    try {
      return registered.page(realm, after, Listed.SIZE);
    } catch (NotFound e) {
      // The realm has an identity provider, but this node does not have that role.
      return new ClientPage(List.of(), Optional.empty());
    }
  }

  private static ProviderLine line(Realm realm, ProviderConfig provider) {
    return new ProviderLine(
        provider.name(), provider.issuer(),
        provider.client().flatMap(client -> realm.sp().map(sp -> sp.openIdCallback(client.alias()))));
  }

  private static ClientLine line(String realm, ClientConfig client) {
    List<String> grants = List.copyOf(new TreeSet<>(client.permissions().grants().stream().map(Enum::name).toList()));
    return new ClientLine(client.clientId(), client.name(), grants, client.isPublic(), ConnectPage.address(realm, AppKind.OPENID, client.clientId()));
  }

  @GetMapping("/{realm}/routes")
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> routes(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @PathVariable("realm") String realm,
      @RequestParam(name = "q", defaultValue = "") String search,
      @RequestParam(name = "page", defaultValue = "1") int page) {
    Listed<RouteConfig> found =
        Listed.of(
            find(realm).gateway().routes(), search, page,
            route -> Stream.concat(Stream.of(route.name(), route.match().path()), route.match().hosts().stream()),
            number -> Address.ofRealm(realm, "routes", "q", search, "page", number));
    Map<String, Object> model = model(realm);
    model.put("search", search);
    model.put("lines", found.map(route -> new RouteLine(RouteView.of(route), Address.ofRealm(realm, "route", "name", route.name()))));
    return pages.show(request, HERE, "console-routes", model);
  }

  private boolean isTestable(String realm, String entityId) {
    return find(realm).sp().filter(sp -> sp.identityProviders().contains(entityId)).isPresent();
  }

  private static Map<String, Object> model(String realm) {
    Map<String, Object> model = new HashMap<>();
    model.put("realmName", realm);
    model.put("realmHref", Address.ofRealm(realm, ""));
    return model;
  }

  private Realm find(String realm) {
    return realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
  }
}

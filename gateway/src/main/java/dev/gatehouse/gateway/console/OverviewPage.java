package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.gateway.admin.analytics.AnalyticsEndpoint;
import dev.gatehouse.gateway.admin.analytics.PatternView;
import dev.gatehouse.gateway.admin.configuration.ConfigurationEndpoint;
import dev.gatehouse.gateway.admin.configuration.ConfigurationEndpoint.ConfigurationView;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint.RealmView;
import dev.gatehouse.gateway.admin.revision.RevisionChanges;
import dev.gatehouse.gateway.admin.route.UpstreamEndpoint;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.overview.NodeCertificates;
import dev.gatehouse.gateway.console.overview.OverviewRates;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/** {@code /console/}: rates, the health of the node and what needs attention, in the realms that the administrator may read. */
@Controller
@RequestMapping("/console")
final class OverviewPage {

  /** Lines of one kind: the lists of the realms have the others. */
  private static final int MOST = 20;

  private static final Duration RECENT = Duration.ofHours(1);

  /** Parts of the node with a name in the texts {@code console.health.PART}. */
  private static final Set<String> NAMED =
      Set.of(
          "auditLog", "auditSearch", "certificates", "configuration", "database", "directory", "keyFiles", "listeners", "memory", "ownParts",
          "partners", "providersAsked", "readinessState", "space", "storedRecords", "stores", "tokens", "livenessState", "ping");

  /** @param isKnown whether there is a name for people */
  private record Part(String name, String state, boolean up, boolean isKnown) {}

  /** Who knows what needs attention. */
  record Attention(
      PartnerAttention partners, NodeCertificates certificates, UpstreamEndpoint upstreams, RecentRefusals refusals,
      AnalyticsEndpoint analytics) {}

  private final RealmEndpoint realms;
  private final ConfigurationEndpoint configuration;
  private final RevisionChanges revisions;
  private final HealthEndpoint health;
  private final Attention attention;
  private final OverviewRates rates;
  private final InstantSource time;
  private final ConsolePages pages;

  OverviewPage(
      RealmEndpoint realms,
      ConfigurationEndpoint configuration,
      RevisionChanges revisions,
      HealthEndpoint health,
      Attention attention,
      OverviewRates rates,
      InstantSource time,
      ConsolePages pages) {
    this.realms = realms;
    this.configuration = configuration;
    this.revisions = revisions;
    this.health = health;
    this.attention = attention;
    this.rates = rates;
    this.time = time;
    this.pages = pages;
  }

  @GetMapping("/")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> show(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    List<String> visible = realms.list(request.rights()).realms().stream().map(RealmView::name).toList();
    boolean seesAll = request.rights().mayEverywhere(AdministratorRole.VIEWER);
    ConfigurationView state = configuration.status(request.rights());
    List<Part> parts = parts();
    List<Part> failing = parts.stream().filter(part -> !part.up()).toList();
    Map<String, Object> model = new HashMap<>();
    model.put("parts", parts);
    model.put("failing", failing);
    model.put("state", state);
    model.put("inUse", seesAll ? Optional.of(revisions.inUse()) : Optional.empty());
    model.put("realms", visible.size());
    model.put("rates", rates.of(seesAll ? Optional.empty() : Optional.of(visible), Pages.language(request.http())));
    int waiting = attention(model, request.rights(), visible, state.problems());
    model.put("calm", waiting == 0 && failing.isEmpty() && !state.restartNeeded());
    return pages.show(request, "overview", "console-overview", model);
  }

  /** Adds what needs attention, and returns how much that is. */
  private int attention(Map<String, Object> model, AdminRights rights, List<String> visible, List<?> problems) {
    PartnerAttention.Found found = attention.partners().in(visible);
    boolean seesAll = rights.mayEverywhere(AdministratorRole.VIEWER);
    Map<String, List<?>> lists = new HashMap<>();
    lists.put("problems", problems);
    lists.put("unusable", found.unusable());
    lists.put("ending", found.ending());
    lists.put("ownEnding", seesAll ? attention.certificates().ending() : List.of());
    lists.put("broken", attention.upstreams().all(rights).upstreams().stream().filter(server -> !server.state().equals("up")).toList());
    lists.put("throttled", attention.refusals().throttled(rights));
    lists.put("refused", attention.refusals().failing(rights));
    lists.put("unusual", unusual(rights, visible));
    lists.forEach((name, all) -> model.put(name, first(all)));
    model.put("more", lists.values().stream().mapToInt(all -> Math.max(0, all.size() - MOST)).sum());
    return lists.values().stream().mapToInt(List::size).sum();
  }

  /** Unusual logins name people: only for the help desk. */
  private List<PatternView> unusual(AdminRights rights, List<String> visible) {
    Optional<String> from = Optional.of(time.instant().minus(RECENT).toString());
    return rights.mayEverywhere(AdministratorRole.HELPDESK)
        ? attention.analytics().patterns(Optional.empty(), from, Optional.empty(), MOST).patterns()
        : visible.stream()
            .filter(realm -> rights.may(AdministratorRole.HELPDESK, realm))
            .flatMap(realm -> attention.analytics().patterns(Optional.of(realm), from, Optional.empty(), MOST).patterns().stream())
            .toList();
  }

  /** What has no page of its own, so that a wrong address ends on a page, too. */
  @RequestMapping("/**")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> nothing() {
    throw new NotFound("The console has no such page.");
  }

  private List<Part> parts() {
    Map<String, HealthDescriptor> components =
        health.health() instanceof CompositeHealthDescriptor all ? Optional.ofNullable(all.getComponents()).orElse(Map.of()) : Map.of();
    return components.entrySet().stream()
        .map(part -> part(part.getKey(), part.getValue().getStatus()))
        .toList();
  }

  private static Part part(String name, Status status) {
    return new Part(name, status.getCode(), status.equals(Status.UP), NAMED.contains(name));
  }

  private static <T> List<T> first(List<T> all) {
    return List.copyOf(all.subList(0, Math.min(MOST, all.size())));
  }
}

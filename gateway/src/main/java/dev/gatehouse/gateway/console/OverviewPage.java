package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.AdminResource.UpstreamView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.configuration.ConfigurationEndpoint;
import dev.gatehouse.gateway.admin.configuration.ConfigurationEndpoint.ConfigurationView;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint.RealmView;
import dev.gatehouse.gateway.admin.revision.RevisionChanges;
import dev.gatehouse.gateway.admin.route.UpstreamEndpoint;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/** {@code /console/}: the health of the node and what needs attention, in the realms that the administrator may read. */
@Controller
@RequestMapping("/console")
final class OverviewPage {

  /** Lines of one kind: the lists of the realms have the others. */
  private static final int MOST = 20;

  private record Part(String name, String state, boolean up) {}

  private final RealmEndpoint realms;
  private final PartnerAttention partners;
  private final ConfigurationEndpoint configuration;
  private final RevisionChanges revisions;
  private final HealthEndpoint health;
  private final UpstreamEndpoint upstreams;
  private final RecentRefusals refusals;
  private final ConsolePages pages;

  OverviewPage(
      RealmEndpoint realms,
      PartnerAttention partners,
      ConfigurationEndpoint configuration,
      RevisionChanges revisions,
      HealthEndpoint health,
      UpstreamEndpoint upstreams,
      RecentRefusals refusals,
      ConsolePages pages) {
    this.realms = realms;
    this.partners = partners;
    this.configuration = configuration;
    this.revisions = revisions;
    this.health = health;
    this.upstreams = upstreams;
    this.refusals = refusals;
    this.pages = pages;
  }

  @GetMapping("/")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> show(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    List<RealmView> visible = realms.list(request.rights()).realms();
    PartnerAttention.Found found = partners.in(visible.stream().map(RealmView::name).toList());
    List<PartnerAttention.Unusable> unusable = found.unusable();
    List<PartnerAttention.Ending> ending = found.ending();
    ConfigurationView state = configuration.status(request.rights());
    List<Part> parts = parts();
    Map<String, Object> model = new HashMap<>();
    model.put("parts", parts);
    model.put("state", state);
    model.put("problems", first(state.problems()));
    model.put("inUse", request.rights().mayEverywhere(AdministratorRole.VIEWER) ? Optional.of(revisions.inUse()) : Optional.empty());
    model.put("realms", visible.size());
    model.put("unusable", first(unusable));
    model.put("ending", first(ending));
    model.put("more", Math.max(0, unusable.size() - MOST) + Math.max(0, ending.size() - MOST) + Math.max(0, state.problems().size() - MOST));
    List<UpstreamView> broken =
        upstreams.all(request.rights()).upstreams().stream().filter(server -> !server.state().equals("up")).toList();
    List<RecentRefusals.Throttled> throttled = refusals.throttled(request.rights());
    List<RecentRefusals.Failing> refused = refusals.failing(request.rights());
    model.put("broken", first(broken));
    model.put("throttled", first(throttled));
    model.put("refused", first(refused));
    boolean nobodyWaits = broken.isEmpty() && throttled.isEmpty() && refused.isEmpty();
    List<Part> failing = parts.stream().filter(part -> !part.up()).toList();
    boolean nothingEnds = unusable.isEmpty() && ending.isEmpty();
    model.put("failing", failing);
    model.put("calm", failing.isEmpty() && nothingEnds && nobodyWaits && state.problems().isEmpty() && !state.restartNeeded());
    return pages.show(request, "overview", "console-overview", model);
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
        .map(part -> new Part(part.getKey(), part.getValue().getStatus().getCode(), part.getValue().getStatus().equals(Status.UP)))
        .toList();
  }

  private static <T> List<T> first(List<T> all) {
    return List.copyOf(all.subList(0, Math.min(MOST, all.size())));
  }
}

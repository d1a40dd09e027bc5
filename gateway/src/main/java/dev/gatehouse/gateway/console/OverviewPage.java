package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.configuration.ConfigurationEndpoint;
import dev.gatehouse.gateway.admin.configuration.ConfigurationEndpoint.ConfigurationView;
import dev.gatehouse.gateway.admin.realm.PartnerView;
import dev.gatehouse.gateway.admin.realm.PartnerView.Certificate;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint;
import dev.gatehouse.gateway.admin.realm.RealmEndpoint.RealmView;
import dev.gatehouse.gateway.admin.revision.RevisionChanges;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
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

  /** As the registry announces them, in the log. */
  private static final Duration SOON = Duration.ofDays(30);

  /** Lines of one kind: the lists of the realms have the others. */
  private static final int MOST = 20;

  private record Part(String name, String state, boolean up) {}

  private record Attention(String realm, String name, String text, String href) {}

  private record Ending(String realm, String name, String use, Instant at, boolean ended, String href) {}

  private final RealmEndpoint realms;
  private final PartnerRegistry partners;
  private final ConfigurationEndpoint configuration;
  private final RevisionChanges revisions;
  private final HealthEndpoint health;
  private final InstantSource time;
  private final ConsolePages pages;

  OverviewPage(
      RealmEndpoint realms,
      PartnerRegistry partners,
      ConfigurationEndpoint configuration,
      RevisionChanges revisions,
      HealthEndpoint health,
      InstantSource time,
      ConsolePages pages) {
    this.realms = realms;
    this.partners = partners;
    this.configuration = configuration;
    this.revisions = revisions;
    this.health = health;
    this.time = time;
    this.pages = pages;
  }

  @GetMapping("/")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> show(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    List<RealmView> visible = realms.list(request.rights()).realms();
    List<Attention> unusable = new ArrayList<>();
    List<Ending> ending = new ArrayList<>();
    Instant soon = time.instant().plus(SOON);
    for (RealmView realm : visible) {
      for (Partner partner : partners.all(realm.name())) {
        look(realm.name(), PartnerView.of(partner), soon, unusable, ending);
      }
    }
    ending.sort(Comparator.comparing(Ending::at));
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
    List<Part> failing = parts.stream().filter(part -> !part.up()).toList();
    boolean nothingEnds = unusable.isEmpty() && ending.isEmpty();
    model.put("failing", failing);
    model.put("calm", failing.isEmpty() && nothingEnds && state.problems().isEmpty() && !state.restartNeeded());
    return pages.show(request, "overview", "console-overview", model);
  }

  /** What has no page of its own, so that a wrong address ends on a page, too. */
  @RequestMapping("/**")
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  ResponseEntity<byte[]> nothing() {
    throw new NotFound("The console has no such page.");
  }

  private void look(String realm, PartnerView partner, Instant soon, List<Attention> unusable, List<Ending> ending) {
    String href = Address.ofRealm(realm, "partner", "id", partner.entityId());
    if (partner.metadata().equals("unusable")) {
      unusable.add(new Attention(realm, partner.displayName(), partner.problem().orElse("-"), href));
    }
    for (Certificate certificate : partner.certificates()) {
      if (certificate.expiresAt().isBefore(soon)) {
        boolean ended = !certificate.expiresAt().isAfter(time.instant());
        ending.add(new Ending(realm, partner.displayName(), certificate.use(), certificate.expiresAt(), ended, href));
      }
    }
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

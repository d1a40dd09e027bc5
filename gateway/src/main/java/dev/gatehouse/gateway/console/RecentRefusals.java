package dev.gatehouse.gateway.console;

import dev.gatehouse.common.compute.Busy;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.audit.AuditEndpoint;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.Conflict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.dao.DataAccessException;

/** What the audit log of the last hour says needs attention: people who have to wait, and partners whose messages are refused. */
final class RecentRefusals {

  /** A person who has to wait because of wrong passwords or codes, in a realm. */
  record Throttled(String realm, String name, String reason, String client, Optional<Instant> at) {}

  /**
   * A partner whose messages were refused.
   *
   * @param count refusals of the last hour, at most {@value #MOST}
   * @param reason of the last one
   */
  record Failing(String realm, String partner, int count, String reason, String href) {}

  private static final Duration RECENT = Duration.ofHours(1);
  private static final List<String> THROTTLED = List.of("THROTTLED", "THROTTLED_ACCOUNT", "THROTTLED_ADDRESS");

  /** Fewer are a mistake of somebody, or a stranger who tries. */
  private static final int LEAST = 3;

  static final int MOST = 200;

  private final Realms realms;
  private final PartnerRegistry partners;
  private final AuditEndpoint audit;
  private final InstantSource time;

  RecentRefusals(Realms realms, PartnerRegistry partners, AuditEndpoint audit, InstantSource time) {
    this.realms = realms;
    this.partners = partners;
    this.audit = audit;
    this.time = time;
  }

  /** Returns the last refusal of each person, the newest first, in the realms where the administrator is of the help desk. */
  List<Throttled> throttled(AdminRights rights) {
    Map<List<String>, Throttled> found = new LinkedHashMap<>();
    for (String realm : realms(rights, AdministratorRole.HELPDESK)) {
      THROTTLED.stream()
          .flatMap(reason -> events(realm, "reason", reason))
          .map(line -> new Throttled(realm, line.fields().getOrDefault("name", "-"), line.reason().orElse("-"), line.client(), line.time()))
          .forEach(one -> found.putIfAbsent(List.of(realm, one.name()), one));
    }
    return List.copyOf(found.values());
  }

  /** Returns the partners of the realms that the administrator may read; a name that no partner has does not count. */
  List<Failing> failing(AdminRights rights) {
    return realms(rights, AdministratorRole.VIEWER).stream().flatMap(this::failing).toList();
  }

  private Stream<Failing> failing(String realm) {
    Map<String, Failing> found = new LinkedHashMap<>();
    events(realm, "event", "MessageRefused")
        .filter(line -> partners.find(realm, line.fields().getOrDefault("partner", "-")).isPresent())
        .map(line -> failing(realm, line.fields().getOrDefault("partner", "-"), line.reason().orElse("-")))
        .forEach(one -> found.merge(one.partner(), one, RecentRefusals::sum));
    return found.values().stream().filter(one -> one.count() >= LEAST);
  }

  private static Failing failing(String realm, String partner, String reason) {
    return new Failing(realm, partner, 1, reason, Address.ofRealm(realm, "partner", "id", partner));
  }

  private static Failing sum(Failing newer, Failing older) {
    return new Failing(newer.realm(), newer.partner(), newer.count() + older.count(), newer.reason(), newer.href());
  }

  private List<String> realms(AdminRights rights, AdministratorRole role) {
    return realms.all().stream().map(Realm::name).filter(name -> rights.may(role, name)).sorted().toList();
  }

  /** Returns events of the last hour, the newest first; none on a node without index. */
  private Stream<EventLine> events(String realm, String term, String value) {
    Map<String, String> question =
        Map.of(term, value, "from", time.instant().minus(RECENT).toString(), "limit", String.valueOf(MOST));
    try {
      List<byte[]> events = audit.find(question, Optional.of(realm)).page().events();
      return events.stream().map(EventLine::of);
    } catch (Busy | Conflict | DataAccessException | IOException e) {
      return Stream.empty();
    }
  }
}

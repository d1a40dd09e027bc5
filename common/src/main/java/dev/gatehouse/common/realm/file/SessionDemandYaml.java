package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.SessionDemand;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code session} of a route. */
final class SessionDemandYaml {

  private static final Duration MIN = Duration.ofSeconds(1);

  private final YamlSection route;
  private final Access access;

  SessionDemandYaml(YamlSection route, Access access) {
    this.route = route;
    this.access = access;
  }

  SessionDemand read() {
    Optional<YamlSection> section = route.section("session");
    if (section.isEmpty()) {
      return SessionDemand.NONE;
    }
    Optional<Duration> idle = section.get().value("idle").flatMap(v -> v.duration(MIN, Duration.ofDays(1)));
    Optional<Duration> absolute = section.get().value("absolute").flatMap(v -> v.duration(MIN, Duration.ofDays(30)));
    if (!section.get().has("idle") && !section.get().has("absolute")) {
      route.problem("session", "says nothing", "write idle, absolute or both, or remove it");
    }
    if (access instanceof Access.Public || route.has("bearer")) {
      String place = access instanceof Access.Public ? "a public route" : "a route that takes access tokens";
      route.problem("session", "stands on " + place + ", which has no sessions", "remove it");
    }
    if (idle.isPresent() && absolute.filter(limit -> limit.compareTo(idle.get()) < 0).isPresent()) {
      section.get().problem("idle", "is longer than absolute, and so never counts", "write a shorter time, or remove it");
    }
    return new SessionDemand(idle, absolute);
  }
}

package dev.gatehouse.gateway.refusal;

import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.traffic.HeldBodies;
import dev.gatehouse.gateway.traffic.Protection;
import dev.gatehouse.gateway.traffic.Rates;
import dev.gatehouse.sp.session.AppSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Refuses requests and bytes above the limits, and new sessions while memory is short. Never blocks. */
public final class TrafficGuard {

  private static final Duration UNTIL_MEMORY = Duration.ofSeconds(30);

  private final Rates rates;
  private final Protection protection;
  private final NodeLimits limits;
  private final InstantSource time;

  public TrafficGuard(Rates rates, Protection protection, NodeLimits limits, InstantSource time) {
    this.rates = rates;
    this.protection = protection;
    this.limits = limits;
    this.time = time;
  }

  /** Refuses the request if the app is under maintenance for its subject. */
  public Optional<Refusal> maintained(AddressedHost to, Route route, Decision decision) {
    Instant now = time.instant();
    Optional<Maintenance> maintenance = protection.maintenance().of(to.site().realm().name(), route.config(), now);
    return maintenance
        .filter(m -> m.addresses().stream().noneMatch(block -> block.contains(to.client())))
        .filter(m -> !GroupName.isAny(m.roles(), roles(decision)))
        .map(m -> Refusal.maintenance(route.name(), m.until().map(until -> Duration.between(now, until))));
  }

  private static List<String> roles(Decision decision) {
    if (!(decision instanceof Decision.Permit permit)) {
      return List.of();
    }
    return switch (permit.subject()) {
      case Subject.Anonymous anonymous -> List.of();
      case Subject.Person(AppSession session) -> session.account().roles();
      case Subject.Holder(TokenHolder holder) -> holder.account().roles();
    };
  }

  /** Counts a request to the route before its subject is known. */
  public Optional<Refusal> arrived(AddressedHost to, Route route) {
    return rates
        .arrived(to.site().realm().name(), route.name(), route.config().protection().traffic(), to.client())
        .map(wait -> Refusal.tooManyRequests(route.name(), wait));
  }

  /**
   * Counts a permitted request of a person.
   *
   * @param person or {@code -}
   */
  public Optional<Refusal> permitted(AddressedHost to, Route route, RequestHead head, String person) {
    if (head.framing() instanceof BodyFraming.Length(long bytes) && bytes > maxBody(route)) {
      return Optional.of(Refusal.bodyTooLarge(route.name()));
    }
    return person.equals(Refusals.NOBODY)
        ? Optional.empty()
        : rates
            .asked(to.site().realm().name(), route.name(), route.config().protection().traffic(), person)
            .map(wait -> Refusal.tooManyRequests(route.name(), wait));
  }

  /** The limit of a request's body in bytes. */
  public long maxBody(Route route) {
    Optional<Long> own = route.config().protection().traffic().body();
    return own.isPresent() ? own.get() : limits.messages().body();
  }

  /** The memory of bodies that the gateway itself takes. */
  public HeldBodies bodies() {
    return protection.bodies();
  }

  /** Refuses a person without a session who wants one while memory is short. */
  public Optional<Refusal> newcomer(String route) {
    return protection.memory().isShort() ? Optional.of(Refusal.memoryShort(route, UNTIL_MEMORY)) : Optional.empty();
  }
}

package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.route.Addressed;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.traffic.MemoryReserve;
import dev.gatehouse.gateway.traffic.Rates;
import java.time.Duration;
import java.util.Optional;

/** Refuses what is too much: requests, bytes, and new sessions when memory is short. Never blocks. */
final class TrafficGuard {

  private static final Duration UNTIL_MEMORY = Duration.ofSeconds(30);

  private final Rates rates;
  private final MemoryReserve memory;
  private final Limits limits;

  TrafficGuard(Rates rates, MemoryReserve memory, Limits limits) {
    this.rates = rates;
    this.memory = memory;
    this.limits = limits;
  }

  /** A request has come to the route; who asks is not known yet. */
  Optional<Refusal> arrived(Addressed to, Route route) {
    return rates
        .arrived(to.site().realm().name(), route.name(), route.config().traffic(), to.client())
        .map(wait -> Refusal.tooManyRequests(route.name(), wait));
  }

  /** Somebody may come in. @param person or {@code -} */
  Optional<Refusal> permitted(Addressed to, Route route, RequestHead head, String person) {
    if (head.framing() instanceof BodyFraming.Length(long bytes) && bytes > mostBody(route)) {
      return Optional.of(Refusal.bodyTooLarge(route.name()));
    }
    return person.equals(Refusals.NOBODY)
        ? Optional.empty()
        : rates
            .asked(to.site().realm().name(), route.name(), route.config().traffic(), person)
            .map(wait -> Refusal.tooManyRequests(route.name(), wait));
  }

  /** Bytes of a request's body. */
  long mostBody(Route route) {
    return route.config().traffic().body().orElse(limits.mostBody());
  }

  /** Somebody without a session wants one. */
  Optional<Refusal> newcomer(String route) {
    return memory.isShort() ? Optional.of(Refusal.memoryShort(route, UNTIL_MEMORY)) : Optional.empty();
  }
}

package dev.gatehouse.idp.otp.agent;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How often agents ask: each may ask so many times within a second of the clock, at this node. Only configured agents are counted. */
final class AgentRates {

  private record Agent(String realm, String clientId) {}

  private record Second(long number, int asked) {}

  private final InstantSource clock;
  private final Map<Agent, Second> seconds = new ConcurrentHashMap<>();

  AgentRates(InstantSource clock) {
    this.clock = clock;
  }

  /** Counts a request, and returns whether it is within the limit. */
  boolean admits(String realm, String clientId, int perSecond) {
    long now = clock.instant().getEpochSecond();
    Second counted =
        seconds.compute(
            new Agent(realm, clientId),
            (agent, before) -> before == null || before.number() != now ? new Second(now, 1) : new Second(now, before.asked() + 1));
    return counted.asked() <= perSecond;
  }
}

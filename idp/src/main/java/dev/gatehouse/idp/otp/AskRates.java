package dev.gatehouse.idp.otp;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How often agents and other realms ask: each may ask so many times within a second of the clock, at this node. Only configured ones are
 * counted, so that there are few.
 */
public final class AskRates {

  private record Second(long number, int asked) {}

  private final InstantSource clock;
  private final Map<Record, Second> seconds = new ConcurrentHashMap<>();

  public AskRates(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Counts a request, and returns whether it is within the limit.
   *
   * @param asker who asks, and for what if that has a limit of its own
   */
  public boolean admits(Record asker, int perSecond) {
    long now = clock.instant().getEpochSecond();
    Second counted =
        seconds.compute(
            asker, (who, before) -> before == null || before.number() != now ? new Second(now, 1) : new Second(now, before.asked() + 1));
    return counted.asked() <= perSecond;
  }
}

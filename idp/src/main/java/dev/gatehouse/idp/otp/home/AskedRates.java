package dev.gatehouse.idp.otp.home;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How often trusted realms ask: each may so many times within a second of the clock, at this node. Only configured realms are counted. */
final class AskedRates {

  /** What is asked. */
  enum Kind {
    PASSCODE,
    NAME
  }

  private record Asker(String realm, String trusted, Kind kind) {}

  private record Second(long number, int asked) {}

  private final InstantSource clock;
  private final Map<Asker, Second> seconds = new ConcurrentHashMap<>();

  AskedRates(InstantSource clock) {
    this.clock = clock;
  }

  /** Counts a question, and returns whether it is within the limit. */
  boolean admits(String realm, AskingRealm asking, Kind kind) {
    int most =
        switch (kind) {
          case PASSCODE -> asking.realm().perSecond();
          case NAME -> Math.max(1, asking.realm().perSecond() / 10);
        };
    long now = clock.instant().getEpochSecond();
    Second counted =
        seconds.compute(
            new Asker(realm, asking.realm().name(), kind),
            (asker, before) -> before == null || before.number() != now ? new Second(now, 1) : new Second(now, before.asked() + 1));
    return counted.asked() <= most;
  }
}

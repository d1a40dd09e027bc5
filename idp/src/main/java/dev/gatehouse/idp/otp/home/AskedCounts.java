package dev.gatehouse.idp.otp.home;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** How often trusted realms asked this node since its start, and when last; only configured ones are counted. */
public final class AskedCounts {

  /**
   * What is known of one realm.
   *
   * @param last empty if it has not asked yet
   */
  public record Asked(long times, Optional<Instant> last) {}

  private record Asker(String realm, String trusted) {}

  private final InstantSource clock;
  private final Map<Asker, Asked> counts = new ConcurrentHashMap<>();

  AskedCounts(InstantSource clock) {
    this.clock = clock;
  }

  void count(String realm, String trusted) {
    Optional<Instant> now = Optional.of(clock.instant());
    counts.merge(new Asker(realm, trusted), new Asked(1, now), (before, one) -> new Asked(before.times() + 1, now));
  }

  /** What the trusted realm asked of our realm. */
  public Asked of(String realm, String trusted) {
    return counts.getOrDefault(new Asker(realm, trusted), new Asked(0, Optional.empty()));
  }
}

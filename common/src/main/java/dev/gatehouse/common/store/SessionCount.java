package dev.gatehouse.common.store;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.session.SessionStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The number of sessions of a kind. What keeps sessions offers one for its store, and a node publishes those of its roles.
 *
 * @param kind the word that the audit log has for them where they end
 * @param now the number, as {@link SessionStore#count}; may block, and throws {@link StoreUnavailable} while the store cannot be asked
 */
public record SessionCount(String kind, LongSupplier now) {

  /** Publishes the numbers by kind, as the stores have them when somebody asks. Stores that several nodes share tell each node the same. */
  public static SampleFamily publish(List<SessionCount> counts, MetricFamilies metrics) {
    return SampleFamily.builder("gatehouse.sessions")
        .description("Sessions by kind, as their stores count them")
        .tag("kind")
        .gauge(() -> samples(counts))
        .register(metrics);
  }

  /** All or none: whoever adds them up must not take some kinds for all. A failure here would fail the scrape of all metrics. */
  private static Map<List<String>, Double> samples(List<SessionCount> counts) {
    Map<List<String>, Double> samples = new HashMap<>();
    try {
      counts.forEach(count -> samples.put(List.of(count.kind()), (double) count.now().getAsLong()));
    } catch (StoreUnavailable e) {
      return Map.of();
    }
    return samples;
  }
}

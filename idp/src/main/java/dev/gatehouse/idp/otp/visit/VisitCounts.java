package dev.gatehouse.idp.otp.visit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Counts visitors by home and outcome; homes are those of the configuration. */
final class VisitCounts {

  private record Outcome(String home, String outcome) {}

  private final Optional<MeterRegistry> meters;
  private final Map<Outcome, Counter> counters = new ConcurrentHashMap<>();

  VisitCounts(Optional<MeterRegistry> meters) {
    this.meters = meters;
  }

  /** @param home its name, or several names if it is disputed */
  void decided(String home, String outcome) {
    String one = home.contains(" ") ? "-" : home;
    meters.ifPresent(registry -> counters.computeIfAbsent(new Outcome(one, outcome), key -> counter(registry, key)).increment());
  }

  private static Counter counter(MeterRegistry registry, Outcome key) {
    return Counter.builder("gatehouse.otp.visits")
        .description("Passcodes of visitors that their home decided about, or could not")
        .tag("home", key.home())
        .tag("outcome", key.outcome())
        .register(registry);
  }
}

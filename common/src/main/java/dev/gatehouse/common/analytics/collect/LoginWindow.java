package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Pattern.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The different values of some events within about an hour, each with its last time, without those that are excused. */
final class LoginWindow {

  static final Duration LENGTH = Duration.ofHours(1);

  /** More values are not kept; half a hundred is unusual already. */
  private static final int MOST = 50;

  /** The first events of different values that are kept as evidence. */
  private static final int EVIDENCE = 10;

  private static final Duration EXPIRED_EVERY = Duration.ofMinutes(1);

  private final Map<String, Instant> counted = new HashMap<>();
  private final Map<String, Instant> excused = new HashMap<>();
  private final List<Evidence> evidence = new ArrayList<>();
  private Instant expiredAt = Instant.EPOCH;

  /** Counts a value unless it is excused. */
  void count(Evidence event, String value) {
    expire(event.at());
    if (excused.containsKey(value)) {
      return;
    }
    if (!counted.containsKey(value) && evidence.size() < EVIDENCE) {
      evidence.add(event);
    }
    put(counted, value, event.at());
  }

  /** Excuses the name of the event, which is the value. */
  void excuse(Evidence event) {
    expire(event.at());
    counted.remove(event.name());
    evidence.removeIf(one -> one.name().equals(event.name()));
    put(excused, event.name(), event.at());
  }

  private static void put(Map<String, Instant> values, String value, Instant at) {
    if (values.size() < MOST || values.containsKey(value)) {
      values.put(value, at);
    }
  }

  private void expire(Instant now) {
    if (Duration.between(expiredAt, now).abs().compareTo(EXPIRED_EVERY) < 0) {
      return;
    }
    expiredAt = now;
    Instant oldest = now.minus(LENGTH);
    counted.values().removeIf(at -> at.isBefore(oldest));
    excused.values().removeIf(at -> at.isBefore(oldest));
    evidence.removeIf(one -> one.at().isBefore(oldest));
  }

  int counted() {
    return counted.size();
  }

  int excused() {
    return excused.size();
  }

  List<Evidence> evidence() {
    return evidence;
  }
}

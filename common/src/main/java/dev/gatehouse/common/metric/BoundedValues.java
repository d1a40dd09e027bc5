package dev.gatehouse.common.metric;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The values of a label, at most so many: the first ones to occur count as they are, all others as {@link StatusTimers#OTHER}. */
public final class BoundedValues {

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  public BoundedValues(int most) {
    this.most = most;
  }

  /** The value to count; threads that come at the same time may exceed the bound by their number. */
  public String of(String value) {
    if (known.contains(value)) {
      return value;
    }
    if (known.size() >= most) {
      return StatusTimers.OTHER;
    }
    known.add(value);
    return value;
  }
}

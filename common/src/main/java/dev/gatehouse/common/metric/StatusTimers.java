package dev.gatehouse.common.metric;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The timers of what a configuration names, at most so many; all others share one whose labels are {@link #OTHER}. Without the bound, a
 * configuration with thousands of routes would make a scrape of megabytes.
 */
public final class StatusTimers {

  /** The value of every label of what has no timer of its own. */
  public static final String OTHER = "other";

  /** The value of every label of what belongs to nothing in the configuration. */
  private static final String NONE = "-";

  private final HistogramFamily family;
  private final int most;
  private final StatusTimer none;
  private final StatusTimer other;
  private Map<List<String>, StatusTimer> current = Map.of();

  /**
   * @param family its last label is the class of the status
   * @param most the number of timers besides the two that are always there
   */
  public StatusTimers(HistogramFamily family, int most) {
    this.family = family;
    this.most = most;
    this.none = new StatusTimer(family, all(NONE));
    this.other = new StatusTimer(family, all(OTHER));
  }

  private List<String> all(String value) {
    return Collections.nCopies(family.labels().size() - 1, value);
  }

  /** The timer of requests that belong to nothing in the configuration. */
  public StatusTimer none() {
    return none;
  }

  /** Begins a new configuration. */
  public Draft draft() {
    return new Draft();
  }

  private synchronized StatusTimer find(List<String> values) {
    StatusTimer known = current.get(values);
    return known != null ? known : new StatusTimer(family, values);
  }

  private synchronized void use(Map<List<String>, StatusTimer> next) {
    current = Map.copyOf(next);
    family.retain(values -> {
      List<String> named = values.subList(0, values.size() - 1);
      return next.containsKey(named) || named.equals(all(NONE)) || named.equals(all(OTHER));
    });
  }

  /** A configuration that is being read. Timers that it still names go on counting. */
  public final class Draft {

    private final Map<List<String>, StatusTimer> drafted = new HashMap<>();

    /** The timer with these values of the labels without the status; the first ones get their own. */
    public StatusTimer of(String... values) {
      List<String> named = List.of(values);
      StatusTimer known = drafted.get(named);
      if (known != null) {
        return known;
      }
      if (drafted.size() >= most || named.equals(all(NONE)) || named.equals(all(OTHER))) {
        return other;
      }
      StatusTimer timer = find(named);
      drafted.put(named, timer);
      return timer;
    }

    /** Makes this the current configuration; counts of what it no longer names are dropped. */
    public void commit() {
      use(drafted);
    }
  }
}

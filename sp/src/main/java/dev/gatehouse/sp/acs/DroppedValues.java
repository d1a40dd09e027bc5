package dev.gatehouse.sp.acs;

import io.micrometer.core.instrument.Counter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once per identity provider and attribute that values were dropped, and counts all dropped values. */
public final class DroppedValues {

  private static final Logger LOG = LoggerFactory.getLogger(DroppedValues.class);

  /** Attribute names come from outside, so the set must be bounded. */
  private static final int MAX_LOGGED = 1000;

  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private final Counter total;

  /** @param total counts the dropped values */
  public DroppedValues(Counter total) {
    this.total = total;
  }

  void count(String identityProvider, String attribute, long values) {
    total.increment(values);
    if (logged.size() < MAX_LOGGED && logged.add(identityProvider + "\n" + attribute)) {
      LOG.warn(
          "Values of {} from {} were dropped: their scope is not the provider's own, or accept does not list them"
              + " (roles, groups and authnContext of a provider that is not the realm's own count only if listed)",
          clean(attribute),
          identityProvider);
    }
  }

  private static String clean(String name) {
    return name.substring(0, Math.min(200, name.length())).replaceAll("\\p{Cntrl}", "?");
  }
}

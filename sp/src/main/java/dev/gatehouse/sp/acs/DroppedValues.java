package dev.gatehouse.sp.acs;

import io.micrometer.core.instrument.Counter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells once which identity provider's attribute loses values, and counts them all. */
public final class DroppedValues {

  private static final Logger LOG = LoggerFactory.getLogger(DroppedValues.class);

  /** Names of attributes come from outside. */
  private static final int MOST_TOLD = 1000;

  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final Counter total;

  /** @param total counts the values that did not count */
  public DroppedValues(Counter total) {
    this.total = total;
  }

  void count(String identityProvider, String attribute, long values) {
    total.increment(values);
    if (told.size() < MOST_TOLD && told.add(identityProvider + "\n" + attribute)) {
      LOG.warn(
          "Values of {} of {} do not count: their scope is not its own, or accept does not list them (roles, groups and authnContext of"
              + " a provider that is not the realm's own count only there)",
          clean(attribute),
          identityProvider);
    }
  }

  private static String clean(String name) {
    return name.substring(0, Math.min(200, name.length())).replaceAll("\\p{Cntrl}", "?");
  }
}

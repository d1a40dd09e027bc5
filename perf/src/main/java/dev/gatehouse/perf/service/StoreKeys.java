package dev.gatehouse.perf.service;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * About how many keys the stores of a node have, as its metrics say.
 *
 * @param ending of what ends with sessions, codes and tokens, or soon
 * @param marks of messages that must not be used again, and of logouts: they are kept for an hour and longer, whatever is configured
 */
record StoreKeys(double ending, double marks) {

  private static final Pattern KEYS = Pattern.compile("^gatehouse_store_keys\\{store=\"([^\"]+)\"} (\\S+)", Pattern.MULTILINE);
  private static final Set<String> MARKS = Set.of("replay", "sessions.sp-logout-marks");

  /** @param metrics in the format of Prometheus */
  static StoreKeys of(String metrics) throws IOException {
    double ending = 0;
    double marks = 0;
    Matcher found = KEYS.matcher(metrics);
    if (!found.find()) {
      throw new IOException("the metrics have no gatehouse.store.keys:\n" + metrics);
    }
    do {
      double keys = Double.parseDouble(found.group(2));
      if (MARKS.contains(found.group(1))) {
        marks += keys;
      } else {
        ending += keys;
      }
    } while (found.find());
    return new StoreKeys(ending, marks);
  }
}

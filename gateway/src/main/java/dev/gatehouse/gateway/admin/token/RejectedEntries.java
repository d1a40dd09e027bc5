package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TokenImport.Rejected;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Entries of a file that a job has left out, as its result and its problem name them. */
final class RejectedEntries {

  /** Results of a hundred ended jobs are kept in memory. */
  private static final int MOST_LISTED = 2_000;

  private static final int MOST_NAMED = 10;

  private RejectedEntries() {}

  static void put(Map<String, Object> result, List<Rejected> rejected) {
    result.put("rejectedCount", rejected.size());
    result.put(
        "rejected",
        rejected.stream()
            .limit(MOST_LISTED)
            .map(one -> Map.of("number", one.number(), "serial", one.serial(), "reason", one.reason()))
            .toList());
  }

  /** The first ones in a sentence each. */
  static String named(List<Rejected> rejected) {
    String first =
        rejected.stream()
            .limit(MOST_NAMED)
            .map(one -> "Entry " + one.number() + (one.serial().isEmpty() ? "" : " (" + one.serial() + ")") + ": " + one.reason())
            .collect(Collectors.joining(" "));
    return rejected.size() > MOST_NAMED ? first + " And " + (rejected.size() - MOST_NAMED) + " more entries are wrong." : first;
  }
}

package dev.gatehouse.common.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Analytics of a node.
 *
 * @param minutes how long sums by minute are kept
 * @param hours how long sums by hour are kept
 * @param days how long sums by day are kept
 * @param patterns how long unusual patterns are kept; they name people and addresses
 * @param values the most values of a label in an hour that have sums of their own
 * @param places file of MaxMind's format that knows where addresses are
 */
public record AnalyticsNodeConfig(
    Duration minutes, Duration hours, Duration days, Duration patterns, int values, Optional<Path> places) {

  public static final AnalyticsNodeConfig USUAL =
      new AnalyticsNodeConfig(Duration.ofDays(2), Duration.ofDays(60), Duration.ofDays(5 * 365), Duration.ofDays(30), 50, Optional.empty());
}

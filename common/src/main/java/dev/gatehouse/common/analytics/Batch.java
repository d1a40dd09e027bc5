package dev.gatehouse.common.analytics;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What is added to the store at once, or not at all.
 *
 * @param number counted from 1 for each node, so that a batch whose outcome is unknown can be tried again and counts once
 * @param followed the number of the last event of the audit log that is in the amounts of this and earlier batches
 * @param minutes amounts by the begin of their minute
 * @param logins in which unusual patterns are looked for
 */
public record Batch(long number, long followed, Map<Instant, Map<SeriesKey, Amount>> minutes, List<RecentLogin> logins) {}

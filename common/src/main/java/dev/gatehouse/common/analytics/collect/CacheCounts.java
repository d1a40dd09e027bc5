package dev.gatehouse.common.analytics.collect;

/** How often the cache of responses answered, and how often it could not, since the start. */
public record CacheCounts(long hits, long misses) {}

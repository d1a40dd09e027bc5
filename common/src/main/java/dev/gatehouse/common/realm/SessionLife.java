package dev.gatehouse.common.realm;

import java.time.Duration;

/** A session ends after {@code idle} without a request, and {@code absolute} after the login whatever happens. */
public record SessionLife(Duration idle, Duration absolute) {}

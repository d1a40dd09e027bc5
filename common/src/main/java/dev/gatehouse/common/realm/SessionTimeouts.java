package dev.gatehouse.common.realm;

import java.time.Duration;

/** A session ends after {@code idle} without a request, and in any case at {@code absolute} after the login. */
public record SessionTimeouts(Duration idle, Duration absolute) {}

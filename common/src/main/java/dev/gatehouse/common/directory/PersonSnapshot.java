package dev.gatehouse.common.directory;

import java.time.Instant;

/** The person's data in the directory at that time. */
public record PersonSnapshot(Person details, Instant readAt) {}

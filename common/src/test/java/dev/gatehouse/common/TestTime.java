package dev.gatehouse.common;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test advances it. */
public final class TestTime implements InstantSource {

  /** The initial time of {@link #TestTime()}. */
  public static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private Instant now;

  public TestTime() {
    this(START);
  }

  public TestTime(Instant start) {
    now = start;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  public synchronized void advance(Duration by) {
    now = now.plus(by);
  }
}

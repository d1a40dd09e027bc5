package dev.gatehouse.common.analytics;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The length of the periods for which amounts are stored; all begin at whole minutes, hours and days of UTC. */
public enum Resolution {
  MINUTE(Duration.ofMinutes(1)),
  HOUR(Duration.ofHours(1)),
  DAY(Duration.ofDays(1));

  /** Without a wish, an answer has at most so many periods. */
  private static final int USUAL_PERIODS = 400;

  private final Duration length;

  Resolution(Duration length) {
    this.length = length;
  }

  public Duration length() {
    return length;
  }

  /** Returns the begin of the period in which that time is. */
  public Instant floor(Instant time) {
    return Instant.ofEpochSecond(Math.floorDiv(time.getEpochSecond(), length.toSeconds()) * length.toSeconds());
  }

  /** Returns the begins of all periods that have a part of the range. */
  public List<Instant> periods(Instant from, Instant to) {
    return Stream.iterate(floor(from), at -> at.isBefore(to), at -> at.plus(length)).toList();
  }

  /** Returns the number of periods in the range, the first and last in part. */
  public long count(Instant from, Instant to) {
    long seconds = Duration.between(floor(from), to).toSeconds();
    return seconds <= 0 ? 0 : (seconds + length.toSeconds() - 1) / length.toSeconds();
  }

  /** Returns the finest resolution with which the answer about that range is short. */
  public static Resolution fitting(Instant from, Instant to) {
    return Arrays.stream(values()).filter(one -> one.count(from, to) <= USUAL_PERIODS).findFirst().orElse(DAY);
  }

  /** The word of the REST interface. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the resolution of a word. */
  public static Optional<Resolution> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
  }
}

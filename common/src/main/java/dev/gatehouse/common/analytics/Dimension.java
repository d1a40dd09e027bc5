package dev.gatehouse.common.analytics;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a series can be divided by. */
public enum Dimension {
  /** Not divided. */
  TOTAL,
  REALM,
  METHOD,
  REASON,
  PARTNER,
  DIRECTION,
  CLIENT,
  GRANT,
  CAUSE,
  ROUTE,
  STATUS,
  SERVER,
  KIND;

  /** The word of the REST interface. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the dimension of a word. */
  public static Optional<Dimension> of(String word) {
    return Arrays.stream(values()).filter(dimension -> dimension.word().equals(word)).findFirst();
  }
}

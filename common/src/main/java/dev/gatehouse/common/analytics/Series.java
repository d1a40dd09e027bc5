package dev.gatehouse.common.analytics;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is counted or measured. */
public enum Series {
  LOGINS(Kind.COUNT, true, Dimension.METHOD),
  LOGIN_FAILURES(Kind.COUNT, true, Dimension.REASON, Dimension.METHOD),
  REFUSALS(Kind.COUNT, true, Dimension.REASON),
  ASSERTIONS(Kind.COUNT, true, Dimension.PARTNER, Dimension.DIRECTION),
  TOKENS(Kind.COUNT, true, Dimension.CLIENT, Dimension.GRANT),
  SESSIONS_ENDED(Kind.COUNT, true, Dimension.CAUSE),
  REQUESTS(Kind.DURATION, true, Dimension.ROUTE, Dimension.STATUS),
  APP_RESPONSES(Kind.DURATION, false, Dimension.SERVER),
  SESSIONS(Kind.LEVEL, false, Dimension.KIND),
  CACHE(Kind.RATIO, false);

  /** How amounts of a series are read. */
  public enum Kind {
    /** How often something happened. */
    COUNT,
    /** How long something took, in seconds. */
    DURATION,
    /** How much there was at a time. Nodes that share a database see the same number of a label. */
    LEVEL,
    /** Which part of all was so. */
    RATIO
  }

  private final Kind kind;
  private final boolean hasRealms;
  private final List<Dimension> dimensions;

  Series(Kind kind, boolean hasRealms, Dimension... dimensions) {
    this.kind = kind;
    this.hasRealms = hasRealms;
    this.dimensions = List.of(dimensions);
  }

  public Kind kind() {
    return kind;
  }

  /** Returns whether realms have amounts of their own; otherwise only the node has. */
  public boolean hasRealms() {
    return hasRealms;
  }

  /** Returns what the series can be divided by, besides realms. */
  public List<Dimension> dimensions() {
    return dimensions;
  }

  /** The word of the REST interface. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the series of a word. */
  public static Optional<Series> of(String word) {
    return Arrays.stream(values()).filter(series -> series.word().equals(word)).findFirst();
  }
}

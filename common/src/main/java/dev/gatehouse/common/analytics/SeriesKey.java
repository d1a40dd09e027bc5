package dev.gatehouse.common.analytics;

/**
 * What an amount belongs to.
 *
 * @param realm {@link #ALL_REALMS} for the sum over all
 * @param label the value of the dimension; empty for {@link Dimension#TOTAL}
 */
public record SeriesKey(Series series, String realm, Dimension dimension, String label) {

  /** No realm has this name. */
  public static final String ALL_REALMS = "*";

  /** The label of all that have none of their own. */
  public static final String OTHER = "other";

  /** Longer labels are cut: an index of a database cannot have them. */
  private static final int LONGEST_LABEL = 500;

  /** Returns the key of a series that is not divided. */
  public static SeriesKey total(Series series, String realm) {
    return new SeriesKey(series, realm, Dimension.TOTAL, "");
  }

  /** Returns the key of a part. */
  public static SeriesKey of(Series series, String realm, Dimension dimension, String label) {
    String cut = label.length() > LONGEST_LABEL ? label.substring(0, LONGEST_LABEL) : label;
    // PostgreSQL takes no text with this character.
    return new SeriesKey(series, realm, dimension, cut.replace('\0', ' '));
  }

  /** Returns the key in which labels beyond the limit are added up. */
  public SeriesKey other() {
    return new SeriesKey(series, realm, dimension, OTHER);
  }
}

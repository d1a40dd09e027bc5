package dev.gatehouse.common.analytics;

import java.nio.charset.StandardCharsets;

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

  private static final int LONGEST_LABEL = 500;
  private static final int LONGEST_REALM = 100;

  /** Returns the key of a series that is not divided. */
  public static SeriesKey total(Series series, String realm) {
    return new SeriesKey(series, storable(realm, LONGEST_REALM), Dimension.TOTAL, "");
  }

  /** Returns the key of a part. */
  public static SeriesKey of(Series series, String realm, Dimension dimension, String label) {
    return new SeriesKey(series, storable(realm, LONGEST_REALM), dimension, storable(label, LONGEST_LABEL));
  }

  /**
   * Returns the beginning of a text as every database takes it: without the character 0 and without halves of surrogate pairs. Partners
   * and people choose some of these texts, and a batch that a database refuses would be refused for ever.
   */
  public static String storable(String text, int longest) {
    String cut = text.length() > longest ? text.substring(0, longest) : text;
    for (int i = 0; i < cut.length(); i++) {
      if (cut.charAt(i) == 0 || Character.isSurrogate(cut.charAt(i))) {
        // The encoder replaces halves by question marks.
        return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', ' ');
      }
    }
    return cut;
  }

  /** Returns the key in which labels beyond the limit are added up. */
  public SeriesKey other() {
    return new SeriesKey(series, realm, dimension, OTHER);
  }
}

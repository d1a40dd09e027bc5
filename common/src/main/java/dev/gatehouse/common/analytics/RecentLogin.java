package dev.gatehouse.common.analytics;

import java.time.Instant;

/**
 * A login that was tried lately.
 *
 * @param subject the person's id if it succeeded, otherwise the typed name
 * @param name as it was typed
 * @param network one household or office: an IPv4 address, or a /64 of IPv6
 * @param provider roughly one provider: a /16 of IPv4, or a /32 of IPv6
 */
public record RecentLogin(
    Instant at, String realm, boolean succeeded, String subject, String name, String address, String network, String provider) {

  private static final int LONGEST_TEXT = 200;
  private static final int LONGEST_REALM = 100;

  /** Cuts what strangers typed to what is stored. */
  public RecentLogin {
    realm = SeriesKey.storable(realm, LONGEST_REALM);
    subject = storable(subject);
    name = storable(name);
  }

  /** Returns a name or id as it is stored. */
  public static String storable(String text) {
    return SeriesKey.storable(text, LONGEST_TEXT);
  }

  @Override
  public String toString() {
    return "RecentLogin[" + at + ", " + realm + "]";
  }
}

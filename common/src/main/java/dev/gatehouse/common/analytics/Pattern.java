package dev.gatehouse.common.analytics;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Something unusual about logins.
 *
 * @param id the same for what belongs together: kind, realm, subject and day
 * @param subject the network, the person's login name or the typed name that it is about
 * @param node that noticed it first; its events may be of all nodes
 * @param count of different people, networks, or kilometres
 * @param evidence the first and last events
 */
public record Pattern(
    String id, Kind kind, String realm, String subject, int node, Instant firstAt, Instant lastAt, long count, List<Evidence> evidence) {

  /** The kind of a pattern. */
  public enum Kind {
    /** From one network, logins of many people failed. */
    ONE_ADDRESS_MANY_PEOPLE,
    /** One person logged in, or was tried, from many networks. */
    ONE_PERSON_MANY_ADDRESSES,
    /** One person logged in from two places, faster than anybody travels. */
    IMPOSSIBLE_TRAVEL;

    /** The word of the REST interface. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * An event.
   *
   * @param place of the address, if a file of places is configured and knows it
   */
  public record Evidence(Instant at, String address, String name, boolean succeeded, Optional<String> place) {}
}

package dev.gatehouse.common.analytics;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the logins that were tried lately, of all nodes, and the unusual patterns that were found among them. {@link RollupStore#add} adds
 * the logins. Blocks.
 */
public interface PatternStore {

  /** Batches whose logins are new. */
  record Batches(int node, long after, long upTo) {}

  /**
   * A network, person or name that is unusual.
   *
   * @param count of different people or networks
   */
  record Suspect(String realm, String subject, long count) {}

  /** A person of a realm, by the directory's id and by login name. */
  record Erased(String realm, String id, String name) {}

  /** What is stored about a person. */
  record OfPerson(List<RecentLogin> logins, List<Pattern> patterns) {}

  /**
   * Returns networks with a failed login in the batches, from which since that time logins of at least so many names failed that did not
   * succeed there, and of more names than succeeded.
   */
  List<Suspect> networksOfManyPeople(Batches added, Instant since, int least);

  /**
   * Returns people with a login in the batches, or names with a failed one, that came from at least so many providers since that time.
   *
   * @param succeeded whether logins that succeeded are meant
   */
  List<Suspect> subjectsOfManyProviders(Batches added, boolean succeeded, Instant since, int least);

  /** Returns the failed logins from a network of those who did not succeed there, the oldest first; of many the latest. */
  List<RecentLogin> failuresAt(Suspect network, Instant since);

  /** Returns the logins of a person, or the failed ones of a name, the oldest first; of many the latest. */
  List<RecentLogin> loginsOf(Suspect subject, boolean succeeded, Instant since);

  /** Returns the logins since that time of each person who logged in in the batches, by person and the oldest first. */
  List<RecentLogin> loginsOfPeople(Batches added, Instant since);

  /**
   * Keeps a pattern. One with the same id, of whichever node, becomes one with it.
   *
   * @param mostOfDay more patterns of a day are not kept
   * @return whether it was kept
   */
  boolean keep(Pattern pattern, int mostOfDay);

  /**
   * Returns patterns, the latest first.
   *
   * @param realm empty for all realms
   */
  List<Pattern> patterns(Optional<String> realm, Instant from, Instant to, int limit);

  /** Removes patterns that were seen last before that time. */
  void dropPatterns(Instant before);

  /** Removes logins before those times. */
  void dropLogins(Instant failedBefore, Instant succeededBefore);

  /** Removes all logins of a node but so many of the latest ones. */
  void keepLatestLogins(int node, int most);

  /** Returns what is stored about a person. */
  OfPerson ofPerson(Erased person);

  /** Removes the logins of a person and the patterns about them; in patterns about an address only the person's events. */
  OfPerson erase(Erased person);
}

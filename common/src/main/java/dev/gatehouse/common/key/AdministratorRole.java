package dev.gatehouse.common.key;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A role of administrators. Each role may do what the roles before it may. */
public enum AdministratorRole {
  /**
   * Reads the configuration, its revisions, partners, routes, caches, servers of apps and registered clients; asks for decisions by
   * the configuration in use. Reads no lists of people.
   */
  VIEWER,

  /** Reads and ends sessions and authorizations; reads and resets second factors, stored secrets of apps and persistent names. */
  HELPDESK,

  /**
   * Purges caches, switches maintenance, drains servers of apps, reads the files of the configuration anew, reads pending logouts,
   * tests partners, verifies the audit log.
   */
  OPERATOR,

  /** Does everything: proposes revisions, imports partners, removes registered clients, changes persistent names and links. */
  ADMIN;

  /** Returns the role's word in files, options and messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether this role may do what {@code needed} may. */
  public boolean includes(AdministratorRole needed) {
    return compareTo(needed) >= 0;
  }

  /** Returns the role of that word; empty if there is none. */
  public static Optional<AdministratorRole> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** Returns all words, the least role first. */
  static String words() {
    return Arrays.stream(values()).map(AdministratorRole::word).collect(Collectors.joining(", "));
  }
}

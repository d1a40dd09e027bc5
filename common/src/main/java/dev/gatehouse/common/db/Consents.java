package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores which data people agreed to release to a partner: one entry per realm, partner and person. A change is durable once its
 * method has returned. Blocks: call on virtual threads only.
 */
public interface Consents {

  /**
   * A consent that was remembered.
   *
   * @param partner its entity ID
   * @param attributes by SAML name; their values may have changed since then
   * @param since when the person last agreed
   */
  record Consent(String partner, Set<String> attributes, Instant since) {
    public Consent {
      attributes = Set.copyOf(attributes);
    }

    /** Returns whether the consent covers all of these names. */
    public boolean covers(Set<String> names) {
      return attributes.containsAll(names);
    }
  }

  Optional<Consent> find(String realm, String partner, PersonId person);

  /** Returns all consents of a person, ordered by partner. */
  List<Consent> ofPerson(String realm, PersonId person);

  /** Adds these names to those to which the person agreed before. */
  void give(String realm, String partner, PersonId person, Set<String> attributes);

  /** Deletes the consent; returns false if there was none. */
  boolean revoke(String realm, String partner, PersonId person);
}

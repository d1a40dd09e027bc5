package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What people agreed that a partner may be told of them: one entry per realm, partner and person. What returned is durable.
 * Blocks: call on virtual threads only.
 */
public interface Consents {

  /**
   * An answer that was remembered.
   *
   * @param partner its entity ID
   * @param attributes by SAML name; their values may have changed since
   * @param since when the person last agreed
   */
  record Consent(String partner, Set<String> attributes, Instant since) {
    public Consent {
      attributes = Set.copyOf(attributes);
    }

    /** Whether nothing more than this is to be told. */
    public boolean covers(Set<String> names) {
      return attributes.containsAll(names);
    }
  }

  Optional<Consent> find(String realm, String partner, PersonId person);

  /** All of a person's, by partner. */
  List<Consent> ofPerson(String realm, PersonId person);

  /** Adds these to what the person agreed to before. */
  void give(String realm, String partner, PersonId person, Set<String> attributes);

  /** Forgets it; false where there was none. */
  boolean revoke(String realm, String partner, PersonId person);
}

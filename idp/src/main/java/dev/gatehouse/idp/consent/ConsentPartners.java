package dev.gatehouse.idp.consent;

import dev.gatehouse.common.db.Consents.Consent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.List;
import java.util.Optional;

/**
 * Gives the protocols' information about partners to which people have consented. Partners have the same names as in
 * consents.
 */
public interface ConsentPartners {

  /** The display name of the partner. */
  String displayName(RealmRequest request, String partner);

  /**
   * The description of one consented item.
   *
   * @param name for people
   * @param words key of a message that describes it better, {@code consent.item.WORDS}, with the name as its parameter
   */
  record ItemDescription(String name, Optional<String> words) {}

  ItemDescription describe(String partner, String name);

  /** The partners that may currently act in the person's name, with or without a consent. */
  List<Consent> activeConsents(RealmRequest request, PersonId person);

  /** The person revokes the consent: everything that the partner may still do ends. */
  void end(RealmRequest request, PersonId person, String partner);
}

package dev.gatehouse.idp.consent;

import dev.gatehouse.common.db.Consents.Consent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.List;
import java.util.Optional;

/** What the protocols know of those to whom people agreed. Partners are named as consents name them. */
public interface ConsentPartners {

  /** What people call it. */
  String displayName(RealmRequest request, String partner);

  /**
   * How to say what was agreed to.
   *
   * @param name as people know it
   * @param words names a text that says it better, {@code consent.item.WORDS}, with the name in it
   */
  record Told(String name, Optional<String> words) {}

  Told told(String partner, String name);

  /** Who may do something in the person's name now, asked or not. */
  List<Consent> standing(RealmRequest request, PersonId person);

  /** The person takes it back: whatever the partner may still do ends. */
  void end(RealmRequest request, PersonId person, String partner);
}

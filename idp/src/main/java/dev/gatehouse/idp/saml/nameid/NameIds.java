package dev.gatehouse.idp.saml.nameid;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.idp.session.IdpSession;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Issues the NameID under which a partner knows the person of a session. */
public final class NameIds {

  /** The attribute of people that supplies {@code EMAIL}. */
  public static final String MAIL = "mail";

  private final PersistentNameIds persistent;
  private final RandomGenerator random;

  public NameIds(PersistentNameIds persistent, RandomGenerator random) {
    this.persistent = persistent;
    this.random = random;
  }

  /**
   * Returns the NameID of this format. A partner that returns within one session gets the same transient NameID, so
   * that a logout request with any NameID it has stored finds the session.
   *
   * @param idp our entity ID
   * @param mayCreate whether a persistent one may be created
   * @return empty if there is none: no mail address, or none stored and none may be created
   */
  public Optional<NameId> of(IdpSession session, String idp, String partner, NameIdFormat format, boolean mayCreate) {
    return switch (format) {
      case TRANSIENT ->
          session
              .participant(partner, format.uri())
              .map(IdpSession.Participant::nameId)
              .or(() -> Optional.of(qualified(SamlIds.create(random), idp, partner, format)));
      case PERSISTENT -> 
          stored(session, partner, mayCreate)
              .map(
                  stored ->
                      qualified(stored.value(), idp, partner, format).withSpProvidedId(stored.spProvidedId()));
      case EMAIL -> mail(session.snapshot().details());
    };
  }

  /**
   * Returns the NameID that the person has at the partner outside of any session, and makes none; empty if a login would make one, or
   * if there is no mail address.
   */
  public Optional<String> existing(String realm, Person person, String partner, NameIdFormat format) {
    return switch (format) {
      case TRANSIENT -> Optional.empty();
      case PERSISTENT -> persistent.find(realm, partner, person.id()).map(PersistentNameId::value);
      case EMAIL -> mail(person).map(NameId::value);
    };
  }

  private static Optional<NameId> mail(Person person) {
    return person.attributes().getOrDefault(MAIL, List.of()).stream()
        .findFirst()
        .map(mail -> NameId.of(mail, NameIdFormat.EMAIL.uri()));
  }

  private Optional<PersistentNameId> stored(IdpSession session, String partner, boolean mayCreate) {
    return mayCreate
        ? Optional.of(persistent.findOrCreate(
                session.realm(), partner, session.person(), () -> SamlIds.create(random)))
        : persistent.find(session.realm(), partner, session.person());
  }

  private static NameId qualified(String value, String idp, String partner, NameIdFormat format) {
    return new NameId(value, format.uri(), Optional.of(idp), Optional.of(partner));
  }
}

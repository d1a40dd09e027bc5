package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.idp.oauth.client.Client;

/**
 * Subject identifiers (OpenID Connect Core 8): permanent for a client, and never the directory's own id. They are keyed
 * digests, so nothing has to be looked up or stored. The key is the one in {@code data/keys/sealing}, without which a
 * database of stored identifiers could not be opened either. Pairwise identifiers differ between sectors, and cannot be
 * correlated without the key (8.1).
 */
public final class Subjects {

  /** 128 bits: enough that two people never get the same identifier. */
  private static final int DIGITS = 32;

  private final SealingKey key;

  public Subjects(SealingKey key) {
    this.key = key;
  }

  /** Returns 32 hexadecimal digits. */
  public String subject(Realm realm, Client client, PersonId person) {
    return switch (client.config().login().subject()) {
      case SubjectType.Public everybody -> digest(person, realm, "");
      // A sector is never empty.
      case SubjectType.Pairwise(String sector) -> digest(person, realm, sector);
    };
  }

  private String digest(PersonId person, Realm realm, String sector) {
    return key.digest(person.value(), "openid-subject", realm.name(), sector).substring(0, DIGITS);
  }
}

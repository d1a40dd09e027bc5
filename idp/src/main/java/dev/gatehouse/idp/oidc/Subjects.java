package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.idp.oauth.client.Client;

/**
 * Subject identifiers (OpenID Connect Core 8): the same for a client for ever, never the directory's own id. They are keyed
 * digests, so that nothing has to be looked up or kept; the key is the one in {@code data/keys/sealing}, without which the
 * database that would keep them does not open either. Pairwise ones differ from sector to sector, and nobody without the key
 * can tell which belong together (8.1).
 */
public final class Subjects {

  /** 128 bits: enough that no two people ever meet. */
  private static final int DIGITS = 32;

  private final SealingKey key;

  public Subjects(SealingKey key) {
    this.key = key;
  }

  /** 32 hexadecimal digits. */
  public String subject(Realm realm, Client client, PersonId person) {
    return switch (client.config().subject()) {
      case SubjectType.Public everybody -> digest(person, realm, "");
      // No sector is empty.
      case SubjectType.Pairwise(String sector) -> digest(person, realm, sector);
    };
  }

  private String digest(PersonId person, Realm realm, String sector) {
    return key.digest(person.value(), "openid-subject", realm.name(), sector).substring(0, DIGITS);
  }
}

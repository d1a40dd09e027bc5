package dev.gatehouse.idp.saml.nameid;

import dev.gatehouse.common.directory.PersonId;
import java.util.Optional;

/** Persistent NameIDs: random, stored, one for each person and partner (SAML Core 8.3.7). Blocks. */
public interface PersistentIds {

  Optional<String> find(String realm, String partner, PersonId person);

  /** The stored one, or a new one; of parallel calls all get the same. */
  String findOrCreate(String realm, String partner, PersonId person);
}

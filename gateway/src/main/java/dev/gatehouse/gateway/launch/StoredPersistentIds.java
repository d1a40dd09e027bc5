package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.db.PersistentNameIds;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.idp.saml.nameid.PersistentIds;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The idp's persistent NameIDs in the node's database. */
final class StoredPersistentIds implements PersistentIds {
  private final PersistentNameIds table;
  private final RandomGenerator random;

  StoredPersistentIds(PersistentNameIds table, RandomGenerator random) {
    this.table = table;
    this.random = random;
  }

  @Override
  public Optional<String> find(String realm, String partner, PersonId person) {
    return table.find(realm, partner, person);
  }

  @Override
  public String findOrCreate(String realm, String partner, PersonId person) {
    return table.findOrCreate(realm, partner, person, () -> SamlIds.create(random));
  }
}

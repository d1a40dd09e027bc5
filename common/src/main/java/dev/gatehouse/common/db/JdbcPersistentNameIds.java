package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Persistent NameIDs in the table {@code persistent_name_id}. The table's two unique keys decide every race. */
public final class JdbcPersistentNameIds implements PersistentNameIds {

  /** Two equal random values of 128 bits or more never come; five in a row say that {@code fresh} is broken. */
  private static final int TRIES = 5;

  private final JdbcClient jdbc;
  private final InstantSource time;

  public JdbcPersistentNameIds(Database database, InstantSource time) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.time = time;
  }

  @Override
  public Optional<String> find(String realm, String partner, PersonId person) {
    return jdbc.sql("select name_id from persistent_name_id where realm = ? and partner = ? and person_id = ?")
        .params(realm, partner, person.value())
        .query(String.class)
        .optional();
  }

  @Override
  public String findOrCreate(String realm, String partner, PersonId person, Supplier<String> fresh) {
    for (int i = 0; i < TRIES; i++) {
      Optional<String> known = find(realm, partner, person);
      if (known.isPresent()) {
        return known.get();
      }
      String value = fresh.get();
      if (insert(realm, partner, person, value)) {
        return value;
      }
    }
    return find(realm, partner, person)
        .orElseThrow(() -> new IllegalStateException("No fresh value was unique in " + TRIES + " tries"));
  }

  @Override
  public Optional<PersonId> findPerson(String realm, String partner, String value) {
    return jdbc.sql("select person_id from persistent_name_id where realm = ? and partner = ? and name_id = ?")
        .params(realm, partner, value)
        .query(String.class)
        .optional()
        .map(PersonId::new);
  }

  /** False where the person has a name by now, or somebody else has this one. */
  private boolean insert(String realm, String partner, PersonId person, String value) {
    try {
      jdbc.sql(
              "insert into persistent_name_id (realm, partner, person_id, name_id, created_at) values (?, ?, ?, ?, ?)")
          .params(realm, partner, person.value(), value, time.instant().atOffset(ZoneOffset.UTC))
          .update();
      return true;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }
}

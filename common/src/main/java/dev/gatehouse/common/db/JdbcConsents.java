package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Consents in the table {@code consent}. Names of attributes are URIs or words, so a line each holds them. */
public final class JdbcConsents implements Consents {

  private static final String COLUMNS = "select partner, attributes, given_at from consent where realm = ? and ";

  private final JdbcClient jdbc;
  private final InstantSource time;

  public JdbcConsents(Database database, InstantSource time) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.time = time;
  }

  @Override
  public Optional<Consent> find(String realm, String partner, PersonId person) {
    return jdbc.sql(COLUMNS + "partner = ? and person_id = ?")
        .params(realm, partner, person.value())
        .query((row, number) -> consent(row))
        .optional();
  }

  @Override
  public List<Consent> ofPerson(String realm, PersonId person) {
    return jdbc.sql(COLUMNS + "person_id = ? order by partner")
        .params(realm, person.value())
        .query((row, number) -> consent(row))
        .list();
  }

  @Override
  public void give(String realm, String partner, PersonId person, Set<String> attributes) {
    TreeSet<String> all = new TreeSet<>(attributes);
    find(realm, partner, person).map(Consent::attributes).ifPresent(all::addAll);
    String names = String.join("\n", all);
    if (!update(realm, partner, person, names) && !insert(realm, partner, person, names)) {
      // Of two tabs that agree at once, the other one's row is there now.
      update(realm, partner, person, names);
    }
  }

  @Override
  public boolean revoke(String realm, String partner, PersonId person) {
    return jdbc.sql("delete from consent where realm = ? and partner = ? and person_id = ?")
            .params(realm, partner, person.value())
            .update()
        > 0;
  }

  private boolean update(String realm, String partner, PersonId person, String names) {
    return jdbc.sql("update consent set attributes = ?, given_at = ? where realm = ? and partner = ? and person_id = ?")
            .params(names, time.instant().atOffset(ZoneOffset.UTC), realm, partner, person.value())
            .update()
        > 0;
  }

  private boolean insert(String realm, String partner, PersonId person, String names) {
    try {
      jdbc.sql("insert into consent (realm, partner, person_id, attributes, given_at) values (?, ?, ?, ?, ?)")
          .params(realm, partner, person.value(), names, time.instant().atOffset(ZoneOffset.UTC))
          .update();
      return true;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  private static Consent consent(ResultSet row) throws SQLException {
    String names = row.getString("attributes");
    return new Consent(
        row.getString("partner"),
        names.isEmpty() ? Set.of() : Set.of(names.split("\n", -1)),
        row.getObject("given_at", OffsetDateTime.class).toInstant());
  }
}

package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores secrets of people in the table {@code person_secret}. */
public final class JdbcPersonSecrets implements PersonSecrets {

  private static final String OF_PERSON = " where realm = ? and person_id = ?";

  private final JdbcClient jdbc;

  public JdbcPersonSecrets(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  @Override
  public List<SealedSecret> ofPerson(String realm, PersonId person) {
    return jdbc.sql(
            "select app, secret_name, sealed_value, changed_at from person_secret"
                + OF_PERSON
                + " order by app, secret_name")
        .params(realm, person.value())
        .query((row, number) -> secret(row))
        .list();
  }

  @Override
  public void put(String realm, PersonId person, SealedSecret secret) {
    if (!update(realm, person, secret) && !insert(realm, person, secret)) {
      // Another tab stored the secret at the same moment; its row exists now.
      update(realm, person, secret);
    }
  }

  @Override
  public boolean remove(String realm, PersonId person, String app) {
    return jdbc.sql("delete from person_secret" + OF_PERSON + " and app = ?")
            .params(realm, person.value(), app)
            .update()
        > 0;
  }

  private boolean update(String realm, PersonId person, SealedSecret secret) {
    return jdbc.sql(
                "update person_secret set sealed_value = ?, changed_at = ?" + OF_PERSON + " and app = ? and secret_name = ?")
            .params(
                secret.sealedValue(),
                secret.changedAt().atOffset(ZoneOffset.UTC),
                realm,
                person.value(),
                secret.app(),
                secret.name())
            .update()
        > 0;
  }

  private boolean insert(String realm, PersonId person, SealedSecret secret) {
    try {
      jdbc.sql(
              "insert into person_secret (realm, person_id, app, secret_name, sealed_value, changed_at)"
                  + " values (?, ?, ?, ?, ?, ?)")
          .params(
              realm,
              person.value(),
              secret.app(),
              secret.name(),
              secret.sealedValue(),
              secret.changedAt().atOffset(ZoneOffset.UTC))
          .update();
      return true;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  private static SealedSecret secret(ResultSet row) throws SQLException {
    return new SealedSecret(
        row.getString("app"),
        row.getString("secret_name"),
        row.getBytes("sealed_value"),
        row.getObject("changed_at", OffsetDateTime.class).toInstant());
  }
}

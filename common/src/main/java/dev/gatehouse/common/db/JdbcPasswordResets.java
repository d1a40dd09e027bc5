package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores links for new passwords in the table {@code password_reset}. */
public final class JdbcPasswordResets implements PasswordResets {

  private static final String COLUMNS = "select person_id, digest, created_at, expires_at, proved_by from password_reset";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public JdbcPasswordResets(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
  }

  @Override
  public void put(String realm, PasswordReset reset) {
    transaction.executeWithoutResult(
        status -> {
          remove(realm, reset.person());
          jdbc.sql(
                  "insert into password_reset (realm, person_id, digest, created_at, expires_at, proved_by)"
                      + " values (?, ?, ?, ?, ?, ?)")
              .params(
                  realm,
                  reset.person().value(),
                  reset.digest(),
                  reset.createdAt().atOffset(ZoneOffset.UTC),
                  reset.expiresAt().atOffset(ZoneOffset.UTC),
                  reset.provedBy())
              .update();
        });
  }

  @Override
  public Optional<PasswordReset> find(String realm, String digest) {
    return jdbc.sql(COLUMNS + " where realm = ? and digest = ?")
        .params(realm, digest)
        .query((row, number) -> reset(row))
        .optional();
  }

  @Override
  public Optional<PasswordReset> ofPerson(String realm, PersonId person) {
    return jdbc.sql(COLUMNS + " where realm = ? and person_id = ?")
        .params(realm, person.value())
        .query((row, number) -> reset(row))
        .optional();
  }

  @Override
  public boolean take(String realm, String digest) {
    return jdbc.sql("delete from password_reset where realm = ? and digest = ?").params(realm, digest).update() > 0;
  }

  @Override
  public boolean remove(String realm, PersonId person) {
    return jdbc.sql("delete from password_reset where realm = ? and person_id = ?").params(realm, person.value()).update() > 0;
  }

  @Override
  public void removeExpired(Instant time) {
    jdbc.sql("delete from password_reset where expires_at < ?").param(time.atOffset(ZoneOffset.UTC)).update();
  }

  private static PasswordReset reset(ResultSet row) throws SQLException {
    return new PasswordReset(
        new PersonId(row.getString("person_id")),
        row.getString("digest"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("expires_at", OffsetDateTime.class).toInstant(),
        row.getString("proved_by"));
  }
}

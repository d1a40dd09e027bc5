package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores second factors in tables. Each acceptance is one update or delete whose condition is the rule, so that the database lets
 * exactly one caller succeed.
 */
public final class JdbcSecondFactors implements SecondFactors {

  private static final String EVERYBODY = "*";
  private static final String OF_PERSON = " where realm = ? and person_id = ?";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  /** Written only while no node runs, so it is read once, as soon as the database answers, and not at every login. */
  private volatile Optional<Boolean> wereLost = Optional.empty();

  public JdbcSecondFactors(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
  }

  private boolean wereLost() {
    if (wereLost.isEmpty()) {
      wereLost = Optional.of(jdbc.sql("select count(*) from second_factor_loss").query(Integer.class).single() > 0);
    }
    return wereLost.orElseThrow();
  }

  @Override
  public List<Factor> of(String realm, PersonId person) {
    return jdbc.sql(
            "select factor_id, label, digits, sealed_secret, created_at, used_at from second_factor"
                + OF_PERSON
                + " order by created_at, factor_id")
        .params(realm, person.value())
        .query((row, number) -> factor(row))
        .list();
  }

  @Override
  public boolean needsConfirmation(String realm, PersonId person) {
    return wereLost()
        && jdbc.sql("select count(*) from second_factor_confirmation where realm = ? and person_id in (?, ?)")
                .params(realm, person.value(), EVERYBODY)
                .query(Integer.class)
                .single()
            == 0
        && of(realm, person).isEmpty();
  }

  @Override
  public void confirm(String realm, Optional<PersonId> person, Instant at) {
    String id = person.map(PersonId::value).orElse(EVERYBODY);
    jdbc.sql(
            "merge into second_factor_confirmation (realm, person_id, confirmed_at) key (realm, person_id) values (?, ?, ?)")
        .params(realm, id, utc(at))
        .update();
  }

  @Override
  public boolean add(String realm, PersonId person, Factor factor, int limit) {
    createState(realm, person);
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              lock(realm, person);
              if (of(realm, person).size() >= limit) {
                return false;
              }
              jdbc.sql(
                      "insert into second_factor (realm, person_id, factor_id, label, digits, sealed_secret, created_at)"
                          + " values (?, ?, ?, ?, ?, ?, ?)")
                  .params(
                      realm,
                      person.value(),
                      factor.id(),
                      factor.label(),
                      factor.digits(),
                      factor.sealedSecret(),
                      utc(factor.createdAt()))
                  .update();
              return true;
            }));
  }

  @Override
  public boolean remove(String realm, PersonId person, String factor) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              lock(realm, person);
              int gone =
                  jdbc.sql("delete from second_factor" + OF_PERSON + " and factor_id = ?")
                      .params(realm, person.value(), factor)
                      .update();
              if (of(realm, person).isEmpty()) {
                deleteAll(realm, person);
              }
              return gone > 0;
            }));
  }

  @Override
  public boolean removeAll(String realm, PersonId person) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              lock(realm, person);
              return deleteAll(realm, person) > 0;
            }));
  }

  @Override
  public void erase(String realm, PersonId person) {
    transaction.executeWithoutResult(
        status -> {
          lock(realm, person);
          deleteAll(realm, person);
          delete("second_factor_confirmation", realm, person);
        });
  }

  @Override
  public boolean admit(String realm, PersonId person, int limit) {
    createState(realm, person);
    return jdbc.sql(
                "update second_factor_state set wrong_codes = wrong_codes + 1" + OF_PERSON + " and wrong_codes < ?")
            .params(realm, person.value(), limit)
            .update()
        > 0;
  }

  @Override
  public int wrongCodes(String realm, PersonId person) {
    return jdbc.sql("select wrong_codes from second_factor_state" + OF_PERSON)
        .params(realm, person.value())
        .query(Integer.class)
        .optional()
        .orElse(0);
  }

  @Override
  public boolean accept(String realm, PersonId person, String factor, long step, Instant at) {
    createState(realm, person);
    boolean isFirst =
        jdbc.sql("update second_factor_state set last_step = ?, wrong_codes = 0" + OF_PERSON + " and last_step < ?")
                .params(step, realm, person.value(), step)
                .update()
            > 0;
    if (isFirst) {
      jdbc.sql("update second_factor set used_at = ?" + OF_PERSON + " and factor_id = ?")
          .params(utc(at), realm, person.value(), factor)
          .update();
    }
    return isFirst;
  }

  @Override
  public void forgive(String realm, PersonId person) {
    jdbc.sql("update second_factor_state set wrong_codes = 0" + OF_PERSON).params(realm, person.value()).update();
  }

  @Override
  public void keepRecoveryCodes(String realm, PersonId person, Set<String> digests) {
    transaction.executeWithoutResult(
        status -> {
          lock(realm, person);
          delete("recovery_code", realm, person);
          digests.forEach(
              digest ->
                  jdbc.sql("insert into recovery_code (realm, person_id, digest) values (?, ?, ?)")
                      .params(realm, person.value(), digest)
                      .update());
        });
  }

  @Override
  public boolean takeRecoveryCode(String realm, PersonId person, String digest) {
    return jdbc.sql("delete from recovery_code" + OF_PERSON + " and digest = ?")
            .params(realm, person.value(), digest)
            .update()
        > 0;
  }

  @Override
  public int recoveryCodesLeft(String realm, PersonId person) {
    return jdbc.sql("select count(*) from recovery_code" + OF_PERSON)
        .params(realm, person.value())
        .query(Integer.class)
        .single();
  }

  /** Creates the person's state row, so that every later change has a row to lock. */
  private void createState(String realm, PersonId person) {
    boolean isThere =
        jdbc.sql("select count(*) from second_factor_state" + OF_PERSON)
                .params(realm, person.value())
                .query(Integer.class)
                .single()
            > 0;
    if (isThere) {
      return;
    }
    try {
      jdbc.sql("insert into second_factor_state (realm, person_id, last_step, wrong_codes) values (?, ?, 0, 0)")
          .params(realm, person.value())
          .update();
    } catch (DuplicateKeyException e) {
      // Another caller has just created it.
    }
  }

  /** Locks the person's state: changes of one person's factors happen one after the other. */
  private void lock(String realm, PersonId person) {
    jdbc.sql("select last_step from second_factor_state" + OF_PERSON + " for update")
        .params(realm, person.value())
        .query(Long.class)
        .optional();
  }

  private int deleteAll(String realm, PersonId person) {
    delete("recovery_code", realm, person);
    delete("second_factor_state", realm, person);
    return delete("second_factor", realm, person);
  }

  private int delete(String table, String realm, PersonId person) {
    return jdbc.sql("delete from " + table + OF_PERSON).params(realm, person.value()).update();
  }

  private static Factor factor(ResultSet row) throws SQLException {
    OffsetDateTime used = row.getObject("used_at", OffsetDateTime.class);
    return new Factor(
        row.getString("factor_id"),
        row.getString("label"),
        row.getInt("digits"),
        row.getBytes("sealed_secret"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        Optional.ofNullable(used).map(OffsetDateTime::toInstant));
  }

  private static OffsetDateTime utc(Instant at) {
    return at.atOffset(ZoneOffset.UTC);
  }
}

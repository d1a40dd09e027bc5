package dev.gatehouse.common.otp;

import static dev.gatehouse.common.otp.TokenRows.PERSON;
import static dev.gatehouse.common.otp.TokenRows.instant;
import static dev.gatehouse.common.otp.TokenRows.utc;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.remembered.RememberedAbsences;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores authenticator apps as tokens of the kind {@link TokenType.Kind#APP}, and beside them what only apps have. Nodes of the former
 * version know the tables {@code second_factor} and {@code second_factor_state} alone: both are written until these nodes are gone.
 */
public final class JdbcSecondFactors implements SecondFactors {

  private static final String EVERYBODY = "*";

  private final TokenRows rows;
  private final JdbcClient jdbc;

  /** Most people have none, and each login by a password asks. Only {@link #add} adds apps, and its rows are counted. */
  private final RememberedAbsences without;

  /** Written only while no node runs, so it is read once, as soon as the database answers, and not at every login. */
  private volatile Optional<Boolean> wereLost = Optional.empty();

  /** An app, and whether it has a row among the tokens. */
  private record Row(Factor factor, boolean isToken) {}

  public JdbcSecondFactors(Database database) {
    this.rows = new TokenRows(database);
    this.jdbc = rows.jdbc;
    this.without = new RememberedAbsences(database.changes());
  }

  private boolean wereLost() {
    if (wereLost.isEmpty()) {
      wereLost = Optional.of(jdbc.sql("select count(*) from second_factor_loss").query(Integer.class).single() > 0);
    }
    return wereLost.orElseThrow();
  }

  @Override
  public List<Factor> of(String realm, PersonId person) {
    return without.read(CountedUpdates.key(realm, person), () -> read(realm, person));
  }

  private List<Factor> read(String realm, PersonId person) {
    return jdbc.sql(
            "select f.factor_id, f.label, f.digits, f.sealed_secret, f.created_at, coalesce(t.used_at, f.used_at) as used_at, t.serial"
                + " from second_factor f left join otp_token t on t.realm = f.realm and t.serial = f.factor_id"
                + " where f.realm = ? and f.person_id = ? order by f.created_at, f.factor_id")
        .params(realm, person.value())
        .query((row, number) -> new Row(factor(row), row.getString("serial") != null))
        .list()
        .stream()
        .map(row -> row.isToken() ? row.factor() : adopted(realm, person, row.factor()))
        .toList();
  }

  private static boolean about(String realm, PersonId person, BooleanSupplier change) {
    return CountedUpdates.about(realm, person, change::getAsBoolean);
  }

  /** An app that a node of the former version has set up becomes a token. */
  private Factor adopted(String realm, PersonId person, Factor factor) {
    long used =
        jdbc.sql("select last_step from second_factor_state" + PERSON)
            .params(realm, person.value())
            .query(Long.class)
            .optional()
            .orElse(-1L);
    try {
      about(
          realm,
          person,
          () -> {
            rows.createHolder(realm, person);
            rows.insert(realm, app(person, factor, used));
            return true;
          });
    } catch (DuplicateKeyException e) {
      // Another caller has just adopted it.
    }
    return factor;
  }

  private static Token app(PersonId person, Factor factor, long used) {
    TokenType usual = TokenType.USUAL;
    TokenType type = new TokenType(TokenType.Kind.APP, usual.hash(), factor.digits(), usual.period());
    return new Token(
        factor.id(), type, factor.sealedSecret(), Token.State.ENABLED, Optional.of(person), used, 0, Optional.empty(), factor.usedAt(),
        Optional.empty());
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
    return about(realm, person, () -> added(realm, person, factor, limit));
  }

  private boolean added(String realm, PersonId person, Factor factor, int limit) {
    rows.createHolder(realm, person);
    rows.createState(realm, person);
    of(realm, person);
    return rows.inTransaction(
        realm,
        person,
        () -> {
          lockState(realm, person);
          if (rows.count("second_factor", realm, person) >= limit) {
            return false;
          }
          jdbc.sql(
                  "insert into second_factor (realm, person_id, factor_id, label, digits, sealed_secret, created_at)"
                      + " values (?, ?, ?, ?, ?, ?, ?)")
              .params(
                  realm, person.value(), factor.id(), factor.label(), factor.digits(), factor.sealedSecret(), utc(factor.createdAt()))
              .update();
          rows.insert(realm, app(person, factor, -1));
          return true;
        });
  }

  @Override
  public boolean remove(String realm, PersonId person, String factor) {
    return rows.inTransaction(
        realm,
        person,
        () -> {
          lockState(realm, person);
          return rows.deleteApps(realm, person, Optional.of(factor)) > 0;
        });
  }

  @Override
  public boolean removeAll(String realm, PersonId person) {
    return rows.inTransaction(
        realm,
        person,
        () -> {
          lockState(realm, person);
          return rows.deleteApps(realm, person, Optional.empty()) > 0;
        });
  }

  @Override
  public void erase(String realm, PersonId person) {
    rows.inTransaction(
        realm,
        person,
        () -> {
          lockState(realm, person);
          rows.deleteApps(realm, person, Optional.empty());
          rows.forgetApps(realm, person);
          rows.delete("second_factor_confirmation", realm, person);
          return true;
        });
  }

  @Override
  public boolean accept(String realm, PersonId person, String factor, long step, Instant at) {
    return about(realm, person, () -> rows.acceptApp(realm, person, factor, step, at));
  }

  @Override
  public int wrongCodes(String realm, PersonId person) {
    return jdbc.sql("select wrong_codes from second_factor_state" + PERSON)
        .params(realm, person.value())
        .query(Integer.class)
        .optional()
        .orElse(0);
  }

  @Override
  public int countWrong(String realm, PersonId person) {
    String update = "update second_factor_state set wrong_codes = wrong_codes + 1" + PERSON;
    about(
        realm,
        person,
        () -> {
          rows.createState(realm, person);
          return jdbc.sql(update).params(realm, person.value()).update() > 0;
        });
    return wrongCodes(realm, person);
  }

  @Override
  public boolean forgive(String realm, PersonId person, int most) {
    String update = "update second_factor_state set wrong_codes = 0" + PERSON + " and wrong_codes < ?";
    return about(
        realm,
        person,
        () -> {
          rows.createState(realm, person);
          return jdbc.sql(update).params(realm, person.value(), most).update() > 0;
        });
  }

  @Override
  public void keepRecoveryCodes(String realm, PersonId person, Set<String> digests) {
    rows.inTransaction(
        realm,
        person,
        () -> {
          lockState(realm, person);
          rows.delete("recovery_code", realm, person);
          digests.forEach(
              digest ->
                  jdbc.sql("insert into recovery_code (realm, person_id, digest) values (?, ?, ?)")
                      .params(realm, person.value(), digest)
                      .update());
          return true;
        });
  }

  @Override
  public boolean takeRecoveryCode(String realm, PersonId person, String digest) {
    String delete = "delete from recovery_code" + PERSON + " and digest = ?";
    return about(realm, person, () -> jdbc.sql(delete).params(realm, person.value(), digest).update() > 0);
  }

  @Override
  public int recoveryCodesLeft(String realm, PersonId person) {
    return jdbc.sql("select count(*) from recovery_code" + PERSON).params(realm, person.value()).query(Integer.class).single();
  }

  /** Locks the row by which nodes of the former version order their changes; always after that of the holder. */
  private void lockState(String realm, PersonId person) {
    jdbc.sql("select last_step from second_factor_state" + PERSON + " for update")
        .params(realm, person.value())
        .query(Long.class)
        .optional();
  }

  private static Factor factor(ResultSet row) throws SQLException {
    return new Factor(
        row.getString("factor_id"),
        row.getString("label"),
        row.getInt("digits"),
        row.getBytes("sealed_secret"),
        instant(row, "created_at").orElseThrow(),
        instant(row, "used_at"));
  }
}

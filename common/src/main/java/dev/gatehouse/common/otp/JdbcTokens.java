package dev.gatehouse.common.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores tokens in tables. Each use is one update whose condition is the rule, so that the database lets exactly one caller succeed; it
 * also sees wrong passcodes that were counted meanwhile, so that parallel guesses gain nothing.
 */
public final class JdbcTokens implements Tokens {

  private static final String COLUMNS =
      "serial, kind, hash, digits, period, sealed_seed, state, person_id, last_used, drift, expires_at, used_at";
  private static final String TOKEN = " where realm = ? and serial = ?";
  private static final String PERSON = " where realm = ? and person_id = ?";
  private static final String NOT_LOCKED =
      " and not exists (select 1 from otp_person p where p.realm = ? and p.person_id = ? and p.wrong_passcodes >= ?)";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public JdbcTokens(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
  }

  @Override
  public List<Token> of(String realm, PersonId person) {
    return jdbc.sql("select " + COLUMNS + " from otp_token" + PERSON + " order by serial")
        .params(realm, person.value())
        .query((row, number) -> token(row))
        .list();
  }

  @Override
  public Optional<Token> find(String realm, String serial) {
    return jdbc.sql("select " + COLUMNS + " from otp_token" + TOKEN)
        .params(realm, serial)
        .query((row, number) -> token(row))
        .optional();
  }

  @Override
  public List<Token> list(String realm, String after, int limit) {
    return jdbc.sql("select " + COLUMNS + " from otp_token where realm = ? and serial > ? order by serial limit ?")
        .params(realm, after, limit)
        .query((row, number) -> token(row))
        .list();
  }

  @Override
  public Set<String> add(String realm, Collection<Token> tokens) {
    try {
      return addUnlessThere(realm, tokens);
    } catch (DuplicateKeyException e) {
      // Another caller has just added one of them; this time it is found.
      return addUnlessThere(realm, tokens);
    }
  }

  private Set<String> addUnlessThere(String realm, Collection<Token> tokens) {
    Set<String> there = new TreeSet<>();
    transaction.executeWithoutResult(
        status -> {
          for (Token token : tokens) {
            if (find(realm, token.serial()).isPresent()) {
              there.add(token.serial());
            } else if (there.isEmpty()) {
              insert(realm, token);
            }
          }
          if (!there.isEmpty()) {
            status.setRollbackOnly();
          }
        });
    return there;
  }

  private void insert(String realm, Token token) {
    jdbc.sql("insert into otp_token (realm, " + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .params(
            realm, token.serial(), token.type().kind().name(), token.type().hash().name(), token.type().digits(), token.type().period(),
            token.sealedSeed(), token.state().name(),
            new SqlParameterValue(Types.VARCHAR, token.person().map(PersonId::value).orElse(null)),
            token.lastUsed(), token.drift(), time(token.expiresAt()), time(token.usedAt()))
        .update();
  }

  @Override
  public boolean remove(String realm, String serial) {
    unassign(realm, serial);
    return jdbc.sql("delete from otp_token" + TOKEN).params(realm, serial).update() > 0;
  }

  @Override
  public boolean assign(String realm, String serial, PersonId person) {
    createHolder(realm, person);
    return inTransaction(
        realm,
        person,
        () ->
            of(realm, person).size() < MOST
                && jdbc.sql("update otp_token set person_id = ?" + TOKEN + " and person_id is null")
                        .params(person.value(), realm, serial)
                        .update()
                    > 0);
  }

  @Override
  public boolean unassign(String realm, String serial) {
    Optional<PersonId> person = find(realm, serial).flatMap(Token::person);
    return person.isPresent()
        && inTransaction(
            realm,
            person.get(),
            () -> {
              int taken =
                  jdbc.sql("update otp_token set person_id = null, state = 'DISABLED'" + TOKEN + " and person_id = ?")
                      .params(realm, serial, person.get().value())
                      .update();
              if (taken > 0 && of(realm, person.get()).isEmpty()) {
                forget(realm, person.get());
              }
              return taken > 0;
            });
  }

  @Override
  public boolean change(String realm, String serial, Token.State state) {
    return jdbc.sql("update otp_token set state = ?" + TOKEN).params(state.name(), realm, serial).update() > 0;
  }

  @Override
  public boolean use(String realm, Use use, int most) {
    return jdbc.sql(
                "update otp_token set last_used = ?, drift = ?, used_at = ?"
                    + TOKEN
                    + " and person_id = ? and state = 'ENABLED' and last_used < ?"
                    + NOT_LOCKED)
            .params(
                use.used(), use.drift(), utc(use.at()), realm, use.serial(), use.person().value(), use.used(), realm, use.person().value(),
                most)
            .update()
        > 0;
  }

  @Override
  public void keepUses(String realm, Collection<Used> uses) {
    transaction.executeWithoutResult(status -> uses.forEach(used -> keep(realm, used.token(), used.use())));
  }

  private void keep(String realm, Token token, Use use) {
    String sql = "update otp_token set last_used = ?, drift = ?, used_at = ?" + TOKEN + " and sealed_seed = ? and last_used < ?";
    jdbc.sql(sql).params(use.used(), use.drift(), utc(use.at()), realm, token.serial(), token.sealedSeed(), use.used()).update();
  }

  @Override
  public boolean resynchronise(String realm, String serial, long used, int drift) {
    return jdbc.sql("update otp_token set last_used = ?, drift = ?" + TOKEN + " and last_used < ?")
            .params(used, drift, realm, serial, used)
            .update()
        > 0;
  }

  @Override
  public TokenHolder holder(String realm, PersonId person) {
    return jdbc.sql("select sealed_pins, new_pin, wrong_passcodes, locked_until from otp_person" + PERSON)
        .params(realm, person.value())
        .query(
            (row, number) ->
                new TokenHolder(
                    Optional.ofNullable(row.getBytes("sealed_pins")),
                    row.getBoolean("new_pin"),
                    row.getInt("wrong_passcodes"),
                    instant(row, "locked_until")))
        .optional()
        .orElse(TokenHolder.NEW);
  }

  @Override
  public int countWrong(String realm, PersonId person, int most, Optional<Instant> lockedUntil) {
    createHolder(realm, person);
    jdbc.sql(
            "update otp_person set locked_until = case when wrong_passcodes + 1 >= ? then cast(? as timestamp with time zone) end,"
                + " wrong_passcodes = wrong_passcodes + 1"
                + PERSON
                + " and wrong_passcodes < ?")
        .params(most, time(lockedUntil), realm, person.value(), most)
        .update();
    return holder(realm, person).wrong();
  }

  @Override
  public void endLock(String realm, PersonId person, int wrong, Instant now) {
    jdbc.sql("update otp_person set wrong_passcodes = ?, locked_until = null" + PERSON + " and locked_until <= ?")
        .params(wrong, realm, person.value(), utc(now))
        .update();
  }

  @Override
  public void forgive(String realm, PersonId person) {
    jdbc.sql("update otp_person set wrong_passcodes = 0, locked_until = null" + PERSON).params(realm, person.value()).update();
  }

  @Override
  public void keepPins(String realm, PersonId person, Optional<byte[]> sealed, boolean newPin) {
    createHolder(realm, person);
    jdbc.sql("update otp_person set sealed_pins = ?, new_pin = ?" + PERSON)
        .params(new SqlParameterValue(Types.VARBINARY, sealed.orElse(null)), newPin, realm, person.value())
        .update();
  }

  @Override
  public void keepEmergency(String realm, PersonId person, Set<String> digests, boolean fixed, Instant until) {
    createHolder(realm, person);
    inTransaction(
        realm,
        person,
        () -> {
          delete("otp_emergency", realm, person);
          digests.forEach(
              digest ->
                  jdbc.sql("insert into otp_emergency (realm, person_id, digest, fixed, expires_at) values (?, ?, ?, ?, ?)")
                      .params(realm, person.value(), digest, fixed, utc(until))
                      .update());
          return true;
        });
  }

  @Override
  public boolean useEmergency(String realm, PersonId person, String digest, Instant now, int most) {
    String rule = PERSON + " and digest = ? and expires_at > ? and fixed = ?" + NOT_LOCKED;
    boolean once =
        jdbc.sql("delete from otp_emergency" + rule)
                .params(realm, person.value(), digest, utc(now), false, realm, person.value(), most)
                .update()
            > 0;
    return once
        || jdbc.sql("select count(*) from otp_emergency" + rule)
                .params(realm, person.value(), digest, utc(now), true, realm, person.value(), most)
                .query(Integer.class)
                .single()
            > 0;
  }

  @Override
  public int emergencyLeft(String realm, PersonId person, Instant now) {
    return jdbc.sql("select count(*) from otp_emergency" + PERSON + " and expires_at > ?")
        .params(realm, person.value(), utc(now))
        .query(Integer.class)
        .single();
  }

  @Override
  public void erase(String realm, PersonId person) {
    inTransaction(
        realm,
        person,
        () -> {
          jdbc.sql("update otp_token set person_id = null, state = 'DISABLED'" + PERSON).params(realm, person.value()).update();
          forget(realm, person);
          return true;
        });
  }

  private void forget(String realm, PersonId person) {
    delete("otp_emergency", realm, person);
    delete("otp_person", realm, person);
  }

  private void delete(String table, String realm, PersonId person) {
    jdbc.sql("delete from " + table + PERSON).params(realm, person.value()).update();
  }

  /** Creates the person's row, so that every later change has a row to lock. */
  private void createHolder(String realm, PersonId person) {
    boolean isThere =
        jdbc.sql("select count(*) from otp_person" + PERSON).params(realm, person.value()).query(Integer.class).single() > 0;
    if (isThere) {
      return;
    }
    try {
      jdbc.sql("insert into otp_person (realm, person_id, new_pin, wrong_passcodes) values (?, ?, false, 0)")
          .params(realm, person.value())
          .update();
    } catch (DuplicateKeyException e) {
      // Another caller has just created it.
    }
  }

  /** Locks the person's row: what several rows must agree on happens one after the other. */
  private boolean inTransaction(String realm, PersonId person, java.util.function.BooleanSupplier work) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              jdbc.sql("select wrong_passcodes from otp_person" + PERSON + " for update")
                  .params(realm, person.value())
                  .query(Integer.class)
                  .optional();
              return work.getAsBoolean();
            }));
  }

  private static Token token(ResultSet row) throws SQLException {
    return new Token(
        row.getString("serial"),
        new TokenType(
            TokenType.Kind.valueOf(row.getString("kind")),
            TokenType.Hash.valueOf(row.getString("hash")),
            row.getInt("digits"),
            row.getInt("period")),
        row.getBytes("sealed_seed"),
        Token.State.valueOf(row.getString("state")),
        Optional.ofNullable(row.getString("person_id")).map(PersonId::new),
        row.getLong("last_used"),
        row.getInt("drift"),
        instant(row, "expires_at"),
        instant(row, "used_at"));
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    @Nullable OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
    return Optional.ofNullable(at).map(OffsetDateTime::toInstant);
  }

  private static SqlParameterValue time(Optional<Instant> at) {
    return new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, at.map(JdbcTokens::utc).orElse(null));
  }

  private static OffsetDateTime utc(Instant at) {
    return at.atOffset(ZoneOffset.UTC);
  }
}

package dev.gatehouse.common.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPeople.Returned;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Rows of the tables of tokens, and the lock of a person's row, for all classes that change them. */
final class TokenRows {

  /** What a person's row says that counts. */
  static final String OF_HOLDER = "sealed_pins, new_pin, wrong_passcodes, locked_until";

  static final String COLUMNS =
      "serial, kind, hash, digits, period, sealed_seed, state, person_id, last_used, drift, expires_at, used_at, replaces, suite";
  /** The columns, where other tables have some of the same name. */
  static final String OF_TOKEN = "otp_token." + COLUMNS.replace(", ", ", otp_token.");

  static final String TOKEN = " where realm = ? and serial = ?";
  static final String PERSON = " where realm = ? and person_id = ?";

  /** Tokens of which nodes of the former version have not removed the app. */
  static final String LISTED =
      " and (kind <> 'APP' or exists (select 1 from second_factor f where f.realm = otp_token.realm and f.factor_id = otp_token.serial))";

  /** A token that was taken from its person is disabled; one that was lost stays lost. */
  private static final String TAKEN =
      "update otp_token set person_id = null, replaces = null, state = case when state = 'LOST' then 'LOST' else 'DISABLED' end";

  /** So often a row that was deleted meanwhile is made. */
  private static final int TRIES = 5;

  /** Moves a token on by a use, where no later one was: used, drift, time; realm, serial number, sealed seed, used. */
  static final String FOLLOW =
      "update otp_token set last_used = ?, drift = ?, used_at = ?" + TOKEN + " and sealed_seed = ? and last_used < ?";

  final JdbcTemplate template;
  final JdbcClient jdbc;
  final TransactionTemplate transaction;

  TokenRows(Database database) {
    this.template = CountedUpdates.of(database.dataSource(), database.changes());
    this.jdbc = JdbcClient.create(template);
    this.transaction = DatabaseTransactions.of(database);
  }

  /** Creates the person's row, so that every later change has a row to lock. */
  void createHolder(String realm, PersonId person) {
    if (count("otp_person", realm, person) > 0) {
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

  /** Locks the person's row: what several rows must agree on happens one after the other. The work changes nothing of anybody else. */
  boolean inTransaction(String realm, PersonId person, BooleanSupplier work) {
    return CountedUpdates.about(
        realm,
        person,
        () ->
            Boolean.TRUE.equals(
                transaction.execute(
                    status -> {
                      isLocked(realm, person);
                      return work.getAsBoolean();
                    })));
  }

  void insert(String realm, Token token) {
    jdbc.sql("insert into otp_token (realm, " + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .params(
            realm, token.serial(), token.type().kind().name(), token.type().hash().name(), token.type().digits(), token.type().period(),
            token.sealedSeed(), token.state().name(), text(token.person().map(PersonId::value)), token.lastUsed(), token.drift(),
            time(token.expiresAt()), time(token.usedAt()), text(token.replaces()), text(token.type().suite()))
        .update();
  }

  /** Those that people set up: whoever had one keeps its seed, so that it must not be anybody else's. Imports have no such number. */
  private static final String SET_UP = " and serial like 'app-%'";

  /**
   * Takes a token from the person, or all. An app is deleted, because its seed is sealed for its person, and so is a token that the person
   * set up. With the last one goes what is stored about the person. Returns how many there were.
   */
  int take(String realm, PersonId person, Optional<String> serial) {
    int apps = deleteApps(realm, person, serial);
    String one = serial.isPresent() ? " and serial = ?" : "";
    List<String> values = new ArrayList<>(List.of(realm, person.value()));
    serial.ifPresent(values::add);
    int taken = jdbc.sql("delete from otp_token" + PERSON + one + SET_UP).params(values).update();
    taken += jdbc.sql(TAKEN + PERSON + one).params(values).update();
    if (taken > 0) {
      forgetWithoutTokens(realm, person);
    }
    return apps + taken;
  }

  /** Takes all tokens from the person but apps, with what is stored for them: PIN, and what stands in for a token. */
  List<Returned> takeAllButApps(String realm, PersonId person) {
    String kind = " and kind <> 'APP'";
    List<String> values = List.of(realm, person.value());
    List<Returned> returned =
        jdbc.sql("select serial from otp_token" + PERSON + kind + " order by serial")
            .params(values)
            .query((row, number) -> new Returned(row.getString("serial"), row.getString("serial").startsWith("app-")))
            .list();
    jdbc.sql("delete from otp_token" + PERSON + kind + SET_UP).params(values).update();
    jdbc.sql(TAKEN + PERSON + kind).params(values).update();
    delete("otp_emergency", realm, person);
    // The count of wrong codes is of apps, too.
    jdbc.sql("update otp_person set sealed_pins = null, new_pin = false" + PERSON).params(values).update();
    forgetWithoutTokens(realm, person);
    return returned;
  }

  /** Deletes an app of the person, or all; with the last one, recovery codes and what was used of apps. */
  int deleteApps(String realm, PersonId person, Optional<String> id) {
    List<String> values = new ArrayList<>(List.of(realm, person.value()));
    id.ifPresent(values::add);
    jdbc.sql("delete from second_factor" + PERSON + (id.isPresent() ? " and factor_id = ?" : "")).params(values).update();
    int deleted =
        jdbc.sql("delete from otp_token" + PERSON + (id.isPresent() ? " and serial = ?" : "") + " and kind = 'APP'")
            .params(values)
            .update();
    if (deleted > 0 && count("second_factor", realm, person) == 0) {
      forgetApps(realm, person);
      forgetWithoutTokens(realm, person);
    }
    return deleted;
  }

  /** Creates the person's row of apps, so that every later change has a row to lock. */
  void createState(String realm, PersonId person) {
    if (count("second_factor_state", realm, person) > 0) {
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

  /** Marks the step of an app where nodes of the former version look; returns false if this or a later one was used there. */
  boolean acceptApp(String realm, PersonId person, String app, long step, Instant at) {
    createState(realm, person);
    boolean isFirst =
        jdbc.sql("update second_factor_state set last_step = ?" + PERSON + " and last_step < ?")
                .params(step, realm, person.value(), step)
                .update()
            > 0;
    if (isFirst) {
      jdbc.sql("update second_factor set used_at = ?" + PERSON + " and factor_id = ?")
          .params(utc(at), realm, person.value(), app)
          .update();
    }
    return isFirst;
  }

  /** Deletes recovery codes, and what was used and counted of apps. */
  void forgetApps(String realm, PersonId person) {
    delete("recovery_code", realm, person);
    delete("second_factor_state", realm, person);
  }

  private void forgetWithoutTokens(String realm, PersonId person) {
    if (count("otp_token", realm, person) == 0) {
      forget(realm, person);
    }
  }

  int count(String table, String realm, PersonId person) {
    return jdbc.sql("select count(*) from " + table + PERSON).params(realm, person.value()).query(Integer.class).single();
  }

  /**
   * Does work that gives the person a token, unless they are gone. Their row of the register is locked first, as by whoever disables them:
   * that waits, or has been before. The person's own row is there and locked: whoever takes the last token at the moment deletes it, and it
   * is made again. Without a token in the end nothing is left of it.
   */
  boolean unlessGone(String realm, PersonId person, BooleanSupplier work) {
    return CountedUpdates.about(realm, person, () -> givenUnlessGone(realm, person, work));
  }

  private boolean givenUnlessGone(String realm, PersonId person, BooleanSupplier work) {
    for (int i = 0; i < TRIES; i++) {
      createHolder(realm, person);
      Optional<Boolean> done = Objects.requireNonNull(transaction.execute(status -> givenLocked(realm, person, work)));
      if (done.isPresent()) {
        return done.get();
      }
    }
    throw new IllegalStateException("The row of a person was deleted again and again");
  }

  /** Empty if the person's row was deleted meanwhile. */
  private Optional<Boolean> givenLocked(String realm, PersonId person, BooleanSupplier work) {
    boolean isGone = isGone(realm, person);
    if (!isLocked(realm, person)) {
      return Optional.empty();
    }
    boolean given = !isGone && work.getAsBoolean();
    if (!given) {
      forgetWithoutTokens(realm, person);
    }
    return Optional.of(given);
  }

  private boolean isLocked(String realm, PersonId person) {
    return jdbc.sql("select wrong_passcodes from otp_person" + PERSON + " for update")
        .params(realm, person.value())
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  private boolean isGone(String realm, PersonId person) {
    return jdbc.sql("select status from otp_known_person" + PERSON + " for update")
        .params(realm, person.value())
        .query(String.class)
        .optional()
        .filter("GONE"::equals)
        .isPresent();
  }

  void forget(String realm, PersonId person) {
    delete("otp_emergency", realm, person);
    delete("otp_person", realm, person);
  }

  void delete(String table, String realm, PersonId person) {
    jdbc.sql("delete from " + table + PERSON).params(realm, person.value()).update();
  }

  /** Reads columns by their places: H2 makes a table of their names for each result. */
  static TokenHolder holder(ResultSet row) throws SQLException {
    return new TokenHolder(Optional.ofNullable(row.getBytes(1)), row.getBoolean(2), row.getInt(3), instant(row, 4));
  }

  /** Reads {@link #COLUMNS} that are the first ones. */
  static Token token(ResultSet row) throws SQLException {
    return token(row, 1);
  }

  /** @param first the place of the first of {@link #COLUMNS} */
  static Token token(ResultSet row, int first) throws SQLException {
    return new Token(
        row.getString(first),
        new TokenType(
            TokenType.Kind.valueOf(row.getString(first + 1)),
            TokenType.Hash.valueOf(row.getString(first + 2)),
            row.getInt(first + 3),
            row.getInt(first + 4),
            Optional.ofNullable(row.getString(first + 13))),
        row.getBytes(first + 5),
        Token.State.valueOf(row.getString(first + 6)),
        Optional.ofNullable(row.getString(first + 7)).map(PersonId::new),
        row.getLong(first + 8),
        row.getInt(first + 9),
        instant(row, first + 10),
        instant(row, first + 11),
        Optional.ofNullable(row.getString(first + 12)));
  }

  private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
    @Nullable OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
    return Optional.ofNullable(at).map(OffsetDateTime::toInstant);
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    @Nullable OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
    return Optional.ofNullable(at).map(OffsetDateTime::toInstant);
  }

  static SqlParameterValue time(Optional<Instant> at) {
    return new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, at.map(TokenRows::utc).orElse(null));
  }

  static SqlParameterValue text(Optional<String> text) {
    return new SqlParameterValue(Types.VARCHAR, text.orElse(null));
  }

  static OffsetDateTime utc(Instant at) {
    return at.atOffset(ZoneOffset.UTC);
  }
}

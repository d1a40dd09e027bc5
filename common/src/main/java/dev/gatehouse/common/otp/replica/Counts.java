package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.replica.WrongPasscodes.Wrong;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Counts of wrong passcodes on this server's own disk: they are known here if the store of all servers loses them, and the primary's rows
 * follow them.
 */
final class Counts {

  private static final int AT_ONCE = 200;

  /** Until then a row that was brought to the primary has come back. */
  private static final String KEPT = "10 minutes";

  private record Person(String realm, PersonId id, Wrong wrong) {}

  private final JdbcClient own;

  Counts(Database own) {
    this.own = JdbcClient.create(own.dataSource());
  }

  static SqlParameterValue time(Optional<Instant> at) {
    return new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, at.map(one -> one.atOffset(ZoneOffset.UTC)).orElse(null));
  }

  static Wrong wrong(ResultSet row) throws SQLException {
    @Nullable OffsetDateTime lock = row.getObject("locked_until", OffsetDateTime.class);
    return new Wrong(row.getInt("wrong"), Optional.ofNullable(lock).map(OffsetDateTime::toInstant));
  }

  /** Keeps how many there are. */
  void keep(String realm, PersonId person, Wrong wrong) {
    own.sql(
            """
            insert into otp_count (realm, person_id, wrong, locked_until, brought, changed_at) values (?, ?, ?, ?, false, now())
            on conflict (realm, person_id) do update set wrong = excluded.wrong, locked_until = excluded.locked_until, brought = false,
              changed_at = excluded.changed_at
            """)
        .params(realm, person.value(), wrong.count(), time(wrong.lockedUntil()))
        .update();
  }

  /** Returns the count of the row, or a higher one that is known here. */
  TokenHolder highest(String realm, PersonId person, TokenHolder row) {
    return own.sql("select wrong, locked_until from otp_count where realm = ? and person_id = ?")
        .params(realm, person.value())
        .query((found, index) -> wrong(found))
        .optional()
        .map(known -> Wrong.of(row).highest(known).in(row))
        .orElse(row);
  }

  /**
   * Brings counts to the primary, which may be this server's own database; returns how many. What the store of all servers has by now is
   * written, under the lock of the person's row: of two servers, the later one writes what is true.
   */
  int bring(Database primary, WrongPasscodes shared) {
    List<Person> waiting =
        own.sql(
                "select realm, person_id, wrong, locked_until from otp_count where not brought order by realm, person_id limit "
                    + AT_ONCE)
            .query((row, index) -> new Person(row.getString("realm"), new PersonId(row.getString("person_id")), wrong(row)))
            .list();
    JdbcClient there = JdbcClient.create(primary.dataSource());
    for (Person one : waiting) {
      DatabaseTransactions.of(primary).executeWithoutResult(status -> write(there, one, shared));
      own.sql("update otp_count set brought = true where realm = ? and person_id = ? and wrong = ?")
          .params(one.realm(), one.id().value(), one.wrong().count())
          .update();
    }
    return waiting.size();
  }

  private static void write(JdbcClient there, Person person, WrongPasscodes shared) {
    String which = " where realm = ? and person_id = ?";
    boolean hasRow =
        there.sql("select wrong_passcodes from otp_person" + which + " for update")
            .params(person.realm(), person.id().value())
            .query(Integer.class)
            .optional()
            .isPresent();
    Wrong now = shared.find(person.realm(), person.id()).orElse(person.wrong());
    if (hasRow) {
      there.sql("update otp_person set wrong_passcodes = ?, locked_until = ?" + which)
          .params(now.count(), time(now.lockedUntil()), person.realm(), person.id().value())
          .update();
    } else if (now.count() > 0) {
      there.sql(
              "insert into otp_person (realm, person_id, new_pin, wrong_passcodes, locked_until) values (?, ?, false, ?, ?)"
                  + " on conflict do nothing")
          .params(person.realm(), person.id().value(), now.count(), time(now.lockedUntil()))
          .update();
    }
  }

  /** Forgets what the rows have. */
  void forget() {
    own.sql("delete from otp_count where brought and changed_at < now() - interval '" + KEPT + "'").update();
  }
}

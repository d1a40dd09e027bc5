package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.Tokens.Used;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Uses of tokens at a replica, on its own disk until the primary has them: its rows are the primary's, and get them from there. They tell
 * position, clock and last use of a token; that its code is used up is told by a mark, which all servers see.
 */
final class Uses {

  private static final int AT_ONCE = 1_000;

  private record Waiting(String realm, String serial, byte[] seed, long used, int drift, OffsetDateTime at) {

    Object[] forPrimary() {
      return new Object[] {used, drift, at, realm, serial, seed, used};
    }
  }

  private final JdbcClient own;
  private final JdbcTemplate many;
  private final TransactionTemplate transaction;

  Uses(Database own) {
    this.own = JdbcClient.create(own.dataSource());
    this.many = new JdbcTemplate(own.dataSource());
    this.transaction = DatabaseTransactions.of(own);
  }

  /** Keeps uses, where no later one is kept. */
  void keep(String realm, Collection<Used> uses) {
    List<Object[]> rows =
        uses.stream()
            .map(
                used ->
                    new Object[] {
                      realm, used.token().serial(), used.token().sealedSeed(), used.use().used(), used.use().drift(),
                      used.use().at().atOffset(ZoneOffset.UTC)
                    })
            .toList();
    transaction.executeWithoutResult(
        status ->
            many.batchUpdate(
                """
                insert into otp_use (realm, serial, sealed_seed, last_used, drift, used_at, brought) values (?, ?, ?, ?, ?, ?, false)
                on conflict (realm, serial) do update set sealed_seed = excluded.sealed_seed, last_used = excluded.last_used,
                  drift = excluded.drift, used_at = excluded.used_at, brought = false
                where otp_use.sealed_seed <> excluded.sealed_seed or otp_use.last_used < excluded.last_used
                """,
                rows));
  }

  /** Brings uses to the primary, which may be this server's own database; returns how many. */
  int bring(Database primary) {
    List<Waiting> waiting =
        own.sql(
                "select realm, serial, sealed_seed, last_used, drift, used_at from otp_use where not brought order by realm, serial limit "
                    + AT_ONCE)
            .query(
                (row, index) ->
                    new Waiting(
                        row.getString("realm"), row.getString("serial"), row.getBytes("sealed_seed"), row.getLong("last_used"),
                        row.getInt("drift"), row.getObject("used_at", OffsetDateTime.class)))
            .list();
    if (waiting.isEmpty()) {
      return 0;
    }
    // In one order at all servers, so that none waits for the other.
    DatabaseTransactions.of(primary)
        .executeWithoutResult(
            status ->
                new JdbcTemplate(primary.dataSource())
                    .batchUpdate(
                        "update otp_token set last_used = ?, drift = ?, used_at = ?"
                            + " where realm = ? and serial = ? and sealed_seed = ? and last_used < ?",
                        waiting.stream().map(Waiting::forPrimary).toList()));
    transaction.executeWithoutResult(
        status ->
            many.batchUpdate(
                "update otp_use set brought = true where realm = ? and serial = ? and last_used = ?",
                waiting.stream().map(one -> new Object[] {one.realm(), one.serial(), one.used()}).toList()));
    return waiting.size();
  }

  /** Returns the token after the use that is kept here, if its row does not have that. */
  Token current(String realm, Token row) {
    return own.sql("select last_used, drift, used_at from otp_use where realm = ? and serial = ? and sealed_seed = ? and last_used > ?")
        .params(realm, row.serial(), row.sealedSeed(), row.lastUsed())
        .query(
            (use, index) ->
                new Token(
                    row.serial(), row.type(), row.sealedSeed(), row.state(), row.person(), use.getLong("last_used"), use.getInt("drift"),
                    row.expiresAt(), Optional.of(use.getObject("used_at", OffsetDateTime.class).toInstant()), row.replaces()))
        .optional()
        .orElse(row);
  }

  /** Returns whether neither this nor a later use is kept here. */
  boolean isFirst(String realm, Used used) {
    return own.sql("select count(*) from otp_use where realm = ? and serial = ? and sealed_seed = ? and last_used >= ?")
            .params(realm, used.token().serial(), used.token().sealedSeed(), used.use().used())
            .query(Integer.class)
            .single()
        == 0;
  }

  /** Forgets what the rows have, which came back from the primary. */
  void forget() {
    own.sql(
            """
            delete from otp_use u where brought and not exists (
              select 1 from otp_token t
              where t.realm = u.realm and t.serial = u.serial and t.sealed_seed = u.sealed_seed and t.last_used < u.last_used)
            """)
        .update();
  }

  /** Returns whether that is a password that counts until its end. */
  boolean isFixedEmergency(String realm, PersonId person, String digest) {
    return own.sql("select count(*) from otp_emergency where realm = ? and person_id = ? and digest = ? and fixed")
            .params(realm, person.value(), digest)
            .query(Integer.class)
            .single()
        > 0;
  }

  long waiting() {
    return own.sql("select count(*) from otp_use where not brought").query(Long.class).single();
  }
}

package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.replica.WrongPasscodes.Wrong;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What a server does while the store of all servers is away: if it may, it goes on with marks and counts in its own database. Later it
 * compares them with those of the others: a code that counted at both sides is recorded.
 */
final class Isolation {

  private static final Logger LOG = LoggerFactory.getLogger(Isolation.class);
  private static final int AT_ONCE = 500;

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_6f74706dL;

  /** @param end until when it is kept; empty if a node of the former version has made it */
  private record Mark(ReplayKey key, OffsetDateTime at, boolean begun, Optional<OffsetDateTime> end) {}

  private record Counted(String realm, PersonId person, Wrong wrong) {}

  private final Duration most;
  private final String server;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final AuditLog audit;
  private final InstantSource time;
  private final Counts counts;
  private final DataSource own;
  private final AtomicLong twice = new AtomicLong();
  private volatile long reached = System.nanoTime();
  private volatile boolean active;
  private volatile Instant since = Instant.EPOCH;

  /** Whether the own database may have marks that were not compared, of this node or of another one. */
  private volatile boolean waiting = true;

  Isolation(Duration most, String server, Database own, Counts counts, AuditLog audit, InstantSource time) {
    this.counts = counts;
    this.own = own.dataSource();
    this.most = most;
    this.server = server;
    this.jdbc = JdbcClient.create(own.dataSource());
    this.transaction = DatabaseTransactions.of(own);
    this.audit = audit;
    this.time = time;
  }

  /**
   * Returns whether this server goes on by itself, because the store of all servers is out of reach; throws if that store is not used, and
   * this server may not. One that answers, and refuses or is another one, is a mistake that somebody has to correct.
   */
  boolean isAlone(Stores stores) {
    Optional<String> problem = stores.problem();
    if (problem.isEmpty()) {
      return false;
    }
    if (most.isZero() || System.nanoTime() - reached > most.toNanos()) {
      throw new StoreUnavailable(problem.get());
    }
    if (!stores.isOutOfReach()) {
      throw new StoreUnavailable(problem.get() + " (otp.isolated is for a Valkey that is out of reach: nothing is decided here meanwhile)");
    }
    if (!active) {
      since = time.instant();
      active = true;
      waiting = true;
      LOG.error("{} Passcodes are checked with this server's own marks, for at most {} since it was reached last.", problem.get(), most);
      record("isolated");
    }
    return true;
  }

  private void record(String change) {
    audit.record(new AuditEvent.OtpServerChanged(AuditEvent.Context.node(), server, change, ""));
  }

  /** The store answers: the time begins anew. */
  void reached() {
    reached = System.nanoTime();
  }

  /** Marks a code here; returns false if it is marked here. */
  boolean mark(ReplayKey key, Instant end) {
    String columns = "realm, issuer, id, marked_at, begun, ends_at";
    return jdbc.sql("insert into otp_isolated_mark (" + columns + ") values (?, ?, ?, ?, false, ?) on conflict do nothing")
            .params(key.realm(), key.issuer(), key.id(), time.instant().atOffset(ZoneOffset.UTC), end.atOffset(ZoneOffset.UTC))
            .update()
        > 0;
  }

  /** Returns whether the code was marked here, and the others do not know that yet. */
  boolean isMarked(ReplayKey key) {
    return mayWait()
        && jdbc.sql("select count(*) from otp_isolated_mark where realm = ? and issuer = ? and id = ?")
                .params(key.realm(), key.issuer(), key.id())
                .query(Integer.class)
                .single()
            > 0;
  }

  /** Other nodes of this server, whose marks are in the same table, may have been isolated when this one was not. */
  private boolean mayWait() {
    return waiting || !most.isZero();
  }

  Optional<Wrong> wrong(String realm, PersonId person) {
    return jdbc.sql("select wrong, locked_until from otp_isolated_wrong where realm = ? and person_id = ?")
        .params(realm, person.value())
        .query((row, index) -> Counts.wrong(row))
        .optional();
  }

  Wrong change(String realm, PersonId person, TokenHolder row, UnaryOperator<Wrong> change) {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              jdbc.sql("insert into otp_isolated_wrong (realm, person_id, wrong, locked_until) values (?, ?, ?, ?) on conflict do nothing")
                  .params(realm, person.value(), row.wrong(), Counts.time(row.lockedUntil()))
                  .update();
              Wrong before =
                  jdbc.sql("select wrong, locked_until from otp_isolated_wrong where realm = ? and person_id = ? for update")
                      .params(realm, person.value())
                      .query((found, index) -> Counts.wrong(found))
                      .single();
              Wrong after = change.apply(before);
              jdbc.sql("update otp_isolated_wrong set wrong = ?, locked_until = ? where realm = ? and person_id = ?")
                  .params(after.count(), Counts.time(after.lockedUntil()), realm, person.value())
                  .update();
              return after;
            }));
  }

  /** Compares what was marked here with what the others have marked, now that they are reached. */
  void compare(ReplayCache marks, Duration kept, WrongPasscodes wrong) {
    if (!mayWait()) {
      return;
    }
    // One node of this server at a time: the mark that another one makes meanwhile is not a second use.
    try (Connection session = own.getConnection(); Statement sql = session.createStatement()) {
      try (ResultSet row = sql.executeQuery("select pg_try_advisory_lock(" + LOCK + ")")) {
        if (!row.next() || !row.getBoolean(1)) {
          return;
        }
      }
      try {
        compareAlone(marks, kept, wrong);
      } finally {
        sql.execute("select pg_advisory_unlock(" + LOCK + ")");
      }
    } catch (SQLException e) {
      throw new StoreUnavailable("The database of this server does not answer", e);
    }
  }

  private void compareAlone(ReplayCache marks, Duration kept, WrongPasscodes wrong) {
    List<Counted> counted =
        jdbc.sql("select realm, person_id, wrong, locked_until from otp_isolated_wrong")
            .query(
                (row, index) ->
                    new Counted(
                        row.getString("realm"), new PersonId(row.getString("person_id")),
                        Counts.wrong(row)))
            .list();
    for (Counted one : counted) {
      counts.keep(one.realm(), one.person(), wrong.change(one.realm(), one.person(), TokenHolder.NEW, there -> there.highest(one.wrong())));
      jdbc.sql("delete from otp_isolated_wrong where realm = ? and person_id = ? and wrong = ?")
          .params(one.realm(), one.person().value(), one.wrong().count())
          .update();
    }
    List<Mark> found =
        jdbc.sql("select realm, issuer, id, marked_at, begun, ends_at from otp_isolated_mark order by marked_at limit " + AT_ONCE)
            .query(
                (row, index) ->
                    new Mark(
                        new ReplayKey(row.getString("realm"), row.getString("issuer"), row.getString("id")),
                        row.getObject("marked_at", OffsetDateTime.class), row.getBoolean("begun"),
                        Optional.ofNullable(row.getObject("ends_at", OffsetDateTime.class))))
            .list();
    long late = found.stream().filter(mark -> !compare(mark, marks, kept)).count();
    if (late > 0) {
      // The marks of the others have ended meanwhile: nobody can say any more.
      LOG.error("Of {} codes that counted here while isolated, it is not known whether they counted at another server as well", late);
      audit.record(new AuditEvent.OtpServerChanged(AuditEvent.Context.node(), server, "compared-late", String.valueOf(late)));
    }
    waiting = !found.isEmpty();
    if (found.isEmpty()) {
      if (active) {
        active = false;
        LOG.warn("The store of all servers answers again; this server's own marks have been compared with its marks");
        record("rejoined");
      }
    }
  }

  /** Returns false if the mark is a code's, and it is not known whether the others had it. */
  private boolean compare(Mark mark, ReplayCache marks, Duration kept) {
    ReplayKey key = mark.key();
    Instant now = time.instant();
    String which = " where realm = ? and issuer = ? and id = ?";
    jdbc.sql("update otp_isolated_mark set begun = true" + which).params(key.realm(), key.issuer(), key.id()).update();
    Instant least = now.plus(kept);
    boolean isFirst = marks.firstSeen(key, mark.end().map(OffsetDateTime::toInstant).filter(least::isBefore).orElse(least));
    // Other marks are made again wherever the same is done again, which is no second use of anything.
    boolean isCode = key.issuer().equals(Token.MARKS);
    if (isCode && !isFirst) {
      twice.incrementAndGet();
      // A server that ended while it compared may find its own mark.
      String certainty = mark.begun() ? "perhaps" : "yes";
      LOG.error("A code counted at two servers: {} of realm {}, here at {} ({})", key.id(), key.realm(), mark.at(), certainty);
      audit.record(
          new AuditEvent.CodeCountedTwice(
              new AuditEvent.Context(key.realm(), "-", Optional.empty()), key.id().replaceFirst(" \\d+$", ""), server,
              mark.at().toInstant(), certainty));
    }
    jdbc.sql("delete from otp_isolated_mark" + which).params(key.realm(), key.issuer(), key.id()).update();
    return !isCode || !isFirst || mark.at().toInstant().plus(kept).isAfter(now);
  }

  /** Returns since when this server goes on with marks of its own; empty if it does not. */
  Optional<Instant> since() {
    return Optional.of(since).filter(at -> active);
  }

  long waiting() {
    return mayWait() ? waiting(jdbc) : 0;
  }

  /** Returns how many marks of a server the others do not have yet, as its own database says. */
  static long waiting(JdbcClient own) {
    return own.sql("select count(*) from otp_isolated_mark").query(Long.class).single();
  }

  /** Returns how many codes were found that counted at two servers. */
  long countedTwice() {
    return twice.get();
  }
}

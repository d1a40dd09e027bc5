package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several servers that check one-time passwords together. Once a second it learns who is the primary, from the store that all
 * servers use: a primary that was replaced changes and accepts nothing from then on, and replicas follow the new one.
 */
public final class OtpServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OtpServer.class);
  private static final Duration BROUGHT_EVERY = Duration.ofMillis(250);

  /** For the comparison of marks after the longest isolation. */
  private static final Duration MARGIN = Duration.ofHours(2);

  /** What a server is now. */
  public enum State {
    /** Has not found out yet. */
    STARTING,
    PRIMARY,
    REPLICA,
    /** Is a replica that copies the tokens of another primary. */
    COPYING,
    /** Was the primary until another server was nominated. */
    REPLACED
  }

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final Stores stores;
  private final AuditLog audit;
  private final PrimaryLink link;
  private final Replication replication;
  private final PrimaryRecords records;
  private final Uses uses;
  private final WrongPasscodes wrong;
  private final Isolation isolation;
  private final Tokens ownTokens;
  private final Tokens tokens;
  private final RepeatedTask beating;
  private final RepeatedTask bringing;
  private volatile Duration marksKept = Duration.ZERO;
  private volatile State state = State.STARTING;
  private volatile String problem = "It is not known yet which server is the primary";
  private volatile PrimaryRecord known = new PrimaryRecord(0, "");

  /**
   * Begins.
   *
   * @throws ReplicationRefused if this server cannot be what it is configured to be; the message says what to do
   */
  public OtpServer(
      OtpServerConfig config, PostgresDatabase own, InstallationRecord installation, Stores stores, AuditLog audit, InstantSource time) {
    this.config = config;
    this.own = own;
    this.stores = stores;
    this.audit = audit;
    this.link = new PrimaryLink(config, installation);
    this.replication = new Replication(own);
    this.records = new PrimaryRecords(stores, time);
    this.uses = new Uses(own);
    this.wrong = new WrongPasscodes(stores, time);
    this.isolation = new Isolation(config.isolated(), config.server(), own, audit, time);
    this.ownTokens = new JdbcTokens(own);
    this.tokens = new ServerTokens(this, ownTokens, uses, wrong, isolation, stores, time);
    if (!own.isBegunAway()) {
      begin();
      beat();
    }
    this.beating = RepeatedTask.begin("otp-server", "The other servers of one-time passwords cannot be followed", this::beat);
    this.bringing = RepeatedTask.every(BROUGHT_EVERY, "otp-uses", "Uses of tokens cannot be brought to the primary yet", this::bring);
  }

  private void begin() {
    Optional<PrimaryRecord> row = replication.primary().or(replication::followed);
    if (config.isReplica()) {
      if (row.isEmpty()) {
        throw new ReplicationRefused(
            "This server is a replica of one-time passwords, and its database has no copy of the primary's: ./gatehouse otp push");
      }
      return;
    }
    if (row.isPresent() && !row.get().server().equals(config.server())) {
      throw new ReplicationRefused(
          "otp.role is primary, but its database is a copy of that of " + row.get().server() + ": write role: replica, or the name of this "
              + "server as it was");
    }
    replication.unpublishable().ifPresent(reason -> {
      throw new ReplicationRefused(reason);
    });
    PrimaryRecord self = row.orElseGet(() -> new PrimaryRecord(1, config.server()));
    // What this server has learnt itself counts also where the other store was lost.
    PrimaryRecord counts = newest(records.find(), replication.followed()).orElse(self);
    if (counts.follows(self) || counts.epoch() == self.epoch() && !counts.server().equals(self.server())) {
      throw new ReplicationRefused(
          "This server is not the primary of one-time passwords any more: " + counts.server() + " is, since epoch " + counts.epoch()
              + ". Write otp.role: replica, and give the command ./gatehouse otp push --replace");
    }
    if (row.isEmpty()) {
      replication.primary(self);
    }
    replication.publish();
  }

  /** Finds out what this server is. */
  private synchronized void beat() {
    if (own.problem().isPresent()) {
      return;
    }
    if (state == State.STARTING && own.isBegunAway()) {
      begin();
    }
    Optional<PrimaryRecord> shared = newest(shared(), replication.followed());
    PrimaryRecord row = replication.primary().or(replication::followed).orElse(known);
    if (row.server().equals(config.server())) {
      primary(row, shared);
      return;
    }
    PrimaryRecord counts = shared.filter(record -> record.follows(row)).orElse(row);
    if (!counts.server().equals(config.server())) {
      replica(counts);
    }
    // Otherwise it is being nominated now: its own row comes last.
  }

  private static Optional<PrimaryRecord> newest(Optional<PrimaryRecord> one, Optional<PrimaryRecord> other) {
    return Stream.concat(one.stream(), other.stream()).max(Comparator.comparingLong(PrimaryRecord::epoch));
  }

  /** Returns the record that all servers see; empty while it cannot be read. */
  private Optional<PrimaryRecord> shared() {
    if (stores.problem().isPresent()) {
      return Optional.empty();
    }
    try {
      Optional<PrimaryRecord> found = records.find();
      isolation.reached();
      Duration longest = records.longestIsolation(config.isolated());
      marksKept = longest.isZero() ? longest : longest.plus(MARGIN);
      isolation.compare(stores.replayCache(), marksKept, wrong);
      return found;
    } catch (StoreUnavailable e) {
      return Optional.empty();
    }
  }

  private void primary(PrimaryRecord row, Optional<PrimaryRecord> shared) {
    if (shared.filter(record -> record.follows(row)).isPresent()) {
      PrimaryRecord other = shared.get();
      if (state != State.REPLACED) {
        String words =
            "This server is not the primary of one-time passwords any more: " + other.server() + " is, since epoch " + other.epoch()
                + ". It changes and accepts nothing; write otp.role: replica, and give the command ./gatehouse otp push --replace";
        problem = words;
        state = State.REPLACED;
        LOG.error("{}", words);
        replication.guard();
        replication.followed(other);
        record("replaced", other.server() + " " + other.epoch());
      }
      known = other;
      return;
    }
    if (stores.problem().isEmpty() && shared.filter(record -> !row.follows(record)).isEmpty()) {
      records.raise(row);
    }
    known = row;
    if (state != State.PRIMARY) {
      become(State.PRIMARY);
      replication.unfollow().ifPresent(former -> record("nominated", former.server() + " " + row.epoch()));
      link.close();
    }
  }

  private void replica(PrimaryRecord primary) {
    boolean isAnother = replication.followed().filter(followed -> followed.server().equals(primary.server())).isEmpty();
    if (isAnother) {
      become(State.COPYING);
    }
    known = primary;
    if (!link.leadTo(primary)) {
      become(State.COPYING);
      problem = "The primary of one-time passwords is " + primary.server() + ", which otp.servers does not name";
      return;
    }
    if (isAnother) {
      follow(primary);
    } else if (replication.progress(config.server()).isDone()) {
      become(State.REPLICA);
    } else {
      become(State.COPYING);
    }
    link.tell(known, uses, isolation);
    uses.forget();
  }

  /** Copies the tokens of a new primary, if that serves the same configuration with the same keys. */
  private void follow(PrimaryRecord primary) {
    Optional<PostgresDatabase> to = link.answering();
    if (to.isEmpty()) {
      return;
    }
    Replication there = new Replication(to.get());
    if (!there.primary().equals(Optional.of(primary))) {
      return;
    }
    if (!there.versions().equals(replication.versions())) {
      problem =
          "The new primary " + primary.server() + " has another configuration or other keys: stop this node, and give the command "
              + "./gatehouse otp push --replace";
      return;
    }
    LOG.warn("{} is the primary of one-time passwords since epoch {}: its tokens are copied", primary.server(), primary.epoch());
    replication.unsubscribe(config.server());
    there.dropSlot(config.server());
    replication.empty(false);
    replication.resubscribe(config.server(), link.config(primary.server()).orElseThrow());
    replication.followed(primary);
    record("followed", primary.server() + " " + primary.epoch());
  }

  private void become(State next) {
    if (state != next) {
      LOG.info("This server of one-time passwords is {} now (epoch {}, primary {})", next, known.epoch(), known.server());
      state = next;
      problem = next == State.COPYING ? "The tokens of the primary are being copied" : "";
    }
  }

  private void record(String change, String detail) {
    audit.record(new AuditEvent.OtpServerChanged(AuditEvent.Context.node(), config.server(), change, detail));
  }

  private void bring() {
    Optional<PostgresDatabase> to =
        switch (state) {
          case PRIMARY -> Optional.of(own);
          case REPLICA -> link.trusted();
          case STARTING, COPYING, REPLACED -> Optional.empty();
        };
    if (to.isPresent() && own.problem().isEmpty()) {
      while (uses.bring(to.get()) > 0) {
        LOG.debug("More uses of tokens are brought to the primary");
      }
    }
  }

  /** Returns the tokens of this server, as it sees them. */
  public Tokens tokens() {
    return tokens;
  }

  /** Throws {@link StoreUnavailable} unless passcodes can be checked here. */
  void requireServing() {
    State now = state;
    if (now != State.PRIMARY && now != State.REPLICA) {
      throw new StoreUnavailable(problem);
    }
  }

  /** Returns how long marks of codes are kept at least. */
  Duration marksKept() {
    return marksKept;
  }

  public boolean isPrimary() {
    return state == State.PRIMARY;
  }

  /** Returns the tokens of the primary, which take changes; throws {@link StoreUnavailable} while it cannot be reached. */
  Tokens primaryTokens() {
    requireServing();
    if (isPrimary()) {
      requireStillPrimary();
      return ownTokens;
    }
    return link.tokens()
        .orElseThrow(() -> new StoreUnavailable("The primary " + known.server() + " cannot be reached: nothing can be changed now"));
  }

  /** A primary that was replaced a moment ago changes nothing any more. */
  private void requireStillPrimary() {
    if (records.find().filter(record -> record.follows(known)).isPresent()) {
      throw new StoreUnavailable("Another server was nominated as the primary");
    }
  }

  public State state() {
    return state;
  }

  /** Returns who is the primary, as far as this server knows. */
  public PrimaryRecord primary() {
    return known;
  }

  /** Returns the name of this server. */
  public String name() {
    return config.server();
  }

  /** Returns why passcodes are not checked here; empty if they are. */
  public Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty() && state != State.PRIMARY && state != State.REPLICA);
  }

  /** Returns what waits here for other servers: uses of tokens, and marks of used codes. */
  Uses uses() {
    return uses;
  }

  Isolation isolation() {
    return isolation;
  }

  boolean isOwnAway() {
    return own.problem().isPresent();
  }

  /** Returns the database to which the audit log is consolidated; empty while this is the primary, or none is known. */
  public Optional<PostgresDatabase> primaryDatabase() {
    return isPrimary() ? Optional.empty() : link.database();
  }

  @Override
  public void close() {
    bringing.close();
    beating.close();
    link.close();
  }
}

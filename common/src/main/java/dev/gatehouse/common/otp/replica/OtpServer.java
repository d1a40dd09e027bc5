package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
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
 * servers use: a primary that was replaced changes and accepts nothing from then on, and replicas of it keep their copy and serve nothing
 * until the operator lets them copy the new one.
 */
public final class OtpServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OtpServer.class);
  private static final Duration BROUGHT_EVERY = Duration.ofMillis(250);

  /** For the comparison of marks after the longest isolation: by then Valkey is reached again. */
  private static final Duration MARGIN = Duration.ofDays(7);

  /** How long marks are kept of codes whose use only a row would tell, until the rows of all servers have it. */
  private static final Duration UNTIL_COPIED = Duration.ofDays(90);

  /** Who has not found out for so long who the primary is serves nothing. */
  private static final Duration BEAT_ENDS = Duration.ofSeconds(10);

  private static final String LATE = "It has not been found out for " + BEAT_ENDS.toSeconds() + " s which server is the primary";
  private static final Comparator<PrimaryRecord> EPOCHS = Comparator.comparingLong(PrimaryRecord::epoch);

  private final OtpServerConfig config;
  private final PostgresDatabase own;
  private final Stores stores;
  private final AuditLog audit;
  private final PrimaryLink link;
  private final PrimaryStart start;
  private final ReplicaCopy copy;
  private final Replication replication;
  private final PrimaryRecords records;
  private final Uses uses;
  private final Counts counts;
  private final WrongPasscodes wrong;
  private final Isolation isolation;
  private final SlotWatch slots = new SlotWatch();
  private final InstantSource time;
  private final Tokens ownTokens;
  private final Tokens tokens;
  private final RepeatedTask beating;
  private final RepeatedTask bringing;
  private final RepeatedTask telling;
  private final RepeatedTask comparing;
  private volatile Duration marksKept = Duration.ZERO;
  private volatile ServerState state = ServerState.STARTING;
  private volatile String problem = "It is not known yet which server is the primary";
  private volatile PrimaryRecord known = new PrimaryRecord(0, "");
  private volatile long lastBeat = System.nanoTime();
  private boolean isFenced;

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
    this.counts = new Counts(own);
    this.isolation = new Isolation(config.isolated(), config.server(), own, counts, audit, time);
    this.ownTokens = new JdbcTokens(own);
    this.tokens = new ServerTokens(this, ownTokens, uses, counts, wrong, isolation, stores, time);
    this.time = time;
    this.start = new PrimaryStart(config, own);
    this.copy = new ReplicaCopy(config.server(), own, link, uses, isolation);
    if (!own.isBegunAway()) {
      start.begin(shared());
      beat();
    }
    this.beating = RepeatedTask.begin("otp-server", "The other servers of one-time passwords cannot be followed", this::beat);
    this.bringing = RepeatedTask.every(BROUGHT_EVERY, "otp-uses", "Uses of tokens cannot be brought to the primary yet", this::bring);
    // Each on a thread of its own: a primary or a database that hangs delays nobody who finds out which server counts.
    this.telling = RepeatedTask.begin("otp-primary", "The primary cannot be told how far this server is", this::tell);
    this.comparing = RepeatedTask.begin("otp-marks", "Marks cannot be compared with those of the other servers yet", this::compare);
  }

  /** Finds out what this server is. */
  private synchronized void beat() {
    if (own.problem().isPresent()) {
      return;
    }
    if (state == ServerState.STARTING && own.isBegunAway()) {
      start.begin(shared());
    }
    Optional<PrimaryRecord> shared = shared();
    PrimaryRecord row = replication.primary().or(replication::followed).orElse(known);
    if (row.server().equals(config.server())) {
      primary(row, shared);
    } else {
      PrimaryRecord counting = others(shared).filter(record -> record.follows(row)).max(EPOCHS).orElse(row);
      if (!counting.server().equals(config.server())) {
        replica(counting);
      }
      // Otherwise it is being nominated now: its own row comes last.
    }
    lastBeat = System.nanoTime();
  }

  private Stream<PrimaryRecord> others(Optional<PrimaryRecord> shared) {
    return Stream.concat(shared.stream(), replication.followed().stream());
  }

  /** Returns the record that all servers see; empty while it cannot be read. */
  private Optional<PrimaryRecord> shared() {
    try {
      Optional<PrimaryRecord> found = records.find();
      isolation.reached();
      return found;
    } catch (StoreUnavailable e) {
      return Optional.empty();
    }
  }

  private void compare() {
    if (stores.problem().isEmpty() && own.problem().isEmpty()) {
      Duration longest = records.longestIsolation(config.isolated());
      marksKept = longest.isZero() ? longest : longest.plus(MARGIN);
      isolation.compare(stores.replayCache(), marksKept, wrong);
    }
  }

  private void primary(PrimaryRecord row, Optional<PrimaryRecord> shared) {
    Optional<PrimaryRecord> by = others(shared).filter(record -> record.replaces(row)).max(EPOCHS);
    if (by.isPresent()) {
      replace(by.get());
      return;
    }
    if (stores.problem().isEmpty() && shared.filter(record -> !row.follows(record)).isEmpty()) {
      records.raise(row);
    }
    known = row;
    new Heartbeat(own).beat();
    if (state != ServerState.PRIMARY) {
      become(ServerState.PRIMARY, row, "");
      replication.unfollow().ifPresent(former -> record("nominated", former.server() + " " + row.epoch()));
      link.close();
    }
  }

  private void replace(PrimaryRecord other) {
    if (state != ServerState.REPLACED) {
      problem = PrimaryStart.replaced(other);
      state = ServerState.REPLACED;
      LOG.error("{}", problem);
      record("replaced", other.words());
    }
    known = other; // Last: who changes something compares this with what all servers see.
    if (!isFenced) {
      // Again and again until it is done.
      replication.guard();
      replication.followed(other);
      isFenced = true;
    }
    new Slots(own).dropUnread();
  }

  private void replica(PrimaryRecord primary) {
    ReplicaCopy.Found found = copy.look(primary);
    boolean isOutdated = found.state() == ServerState.OUTDATED;
    if (isOutdated && state != ServerState.OUTDATED) {
      record("outdated", primary.words());
    }
    if (!isOutdated && (state == ServerState.OUTDATED || state != ServerState.STARTING && !known.equals(primary))) {
      record("followed", primary.words());
    }
    become(found.state(), primary, found.why());
    known = primary;
  }

  private void tell() {
    boolean isCopy = state == ServerState.REPLICA || state == ServerState.BEHIND || state == ServerState.COPYING;
    if (own.problem().isEmpty() && state != ServerState.STARTING) {
      (isCopy ? copy.tell(state, time.instant()) : Optional.<String>empty()).ifPresent(what -> record(what, known.words()));
      if (state == ServerState.OUTDATED) {
        copy.tellOutdated();
      }
      if (isPrimary()) {
        slots.look(own).forEach(this::record);
      }
      uses.forget();
      counts.forget();
    }
  }

  private void become(ServerState next, PrimaryRecord primary, String why) {
    problem = why;
    if (state != next) {
      LOG.info("This server of one-time passwords is {} now (epoch {}, primary {}) {}", next, primary.epoch(), primary.server(), why);
      state = next;
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
          case STARTING, COPYING, BEHIND, OUTDATED, REPLACED -> Optional.empty();
        };
    if (to.isPresent() && own.problem().isEmpty() && stores.problem().isEmpty() && isCounting()) {
      while (uses.bring(to.get()) + counts.bring(to.get(), wrong) > 0) {
        LOG.debug("More is brought to the primary");
      }
    }
  }

  /** Returns the tokens of this server, as it sees them. */
  public Tokens tokens() {
    return tokens;
  }

  /** Throws {@link StoreUnavailable} unless passcodes can be checked here. */
  void requireServing() {
    if (!state.isServing()) {
      throw new StoreUnavailable(problem);
    }
    if (isBeatLate()) {
      throw new StoreUnavailable(LATE);
    }
  }

  /** Returns how long marks of codes are kept at least. */
  Duration marksKept() {
    return marksKept;
  }

  public boolean isPrimary() {
    return state == ServerState.PRIMARY;
  }

  /** Returns the tokens of the primary, which take changes; throws {@link StoreUnavailable} while it cannot be reached. */
  Tokens primaryTokens() {
    requireServing();
    // Before each change: a primary that was replaced a moment ago changes nothing any more, and nobody changes its database.
    if (!isCounting()) {
      throw new StoreUnavailable("Another server was nominated as the primary, or it is not known which one is");
    }
    return isPrimary()
        ? ownTokens
        : link.tokens()
            .orElseThrow(() -> new StoreUnavailable("The primary " + known.server() + " cannot be reached: nothing can be changed now"));
  }

  /** Returns whether all servers see the primary that this one knows; throws {@link StoreUnavailable} if that cannot be read. */
  private boolean isCounting() {
    return records.find().equals(Optional.of(known));
  }

  /** Marks something that counts once for all servers, also if the row that tells so is lost with the primary. */
  boolean isFirst(ReplayKey key) {
    return stores.replayCache().firstSeen(key, time.instant().plus(UNTIL_COPIED));
  }

  private boolean isBeatLate() {
    return System.nanoTime() - lastBeat > BEAT_ENDS.toNanos();
  }

  public ServerState state() {
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

  OtpServerConfig config() {
    return config;
  }

  /** Returns what this server knows of all. */
  public OtpOverview overview() {
    return OtpOverview.of(this, isPrimary() ? Optional.of(own) : link.trusted());
  }

  /** Returns why passcodes are not checked here; empty if they are. */
  public Optional<String> problem() {
    return state.isServing() ? Optional.of(LATE).filter(late -> isBeatLate()) : Optional.of(problem);
  }

  /** Returns what waits here for other servers: uses of tokens, and marks of used codes. */
  Uses uses() {
    return uses;
  }

  Isolation isolation() {
    return isolation;
  }

  /** Returns how many bytes of PostgreSQL's log are kept for a replica that has not read them; 0 at a replica. */
  long retained() {
    return isPrimary() ? new Slots(own).retained() : 0;
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
    comparing.close();
    telling.close();
    bringing.close();
    beating.close();
    link.close();
  }
}

package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditTail;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.search.AuditIndex;
import dev.gatehouse.common.audit.search.EventFields;
import dev.gatehouse.common.audit.shared.EventSources.Reached;
import dev.gatehouse.common.audit.shared.EventSources.Source;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.postgres.NodeTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the events of this node's log into the database. {@link #follow} is called again and again by one thread. How far it came is
 * committed together with the events, so that each event is there once, whenever the follower or the database ends.
 */
public final class EventFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventFollower.class);
  static final int AT_ONCE = 5_000;

  /** A node says that often how far it is. */
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long PROGRESS_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * What is followed.
   *
   * @param leftOut names of events that are not loaded
   */
  public record FollowedLog(JsonLinesAuditLog log, AuditSegments segments, Set<String> leftOut, Unarchived unarchived) {}

  /** Knows what the archive lacks. */
  @FunctionalInterface
  public interface Unarchived {
    /** Returns the time of the oldest event that should be in the archive and is not; empty if there is none. */
    Optional<Instant> since() throws IOException;
  }

  private final Database database;
  private final Supplier<NodeTable.Self> self;
  private final FollowedLog followed;
  private final Duration keep;
  private final InstantSource time;
  private final EventPartitions partitions;

  // Guarded by this object.
  private Optional<Source> source = Optional.empty();
  private Optional<AuditTail> tail = Optional.empty();
  private Optional<FormerEvents> former = Optional.empty();
  private NavigableSet<LocalDate> days = new TreeSet<>();
  private Instant oldest = Instant.MIN;
  private long told;
  private long shown = System.nanoTime();
  private boolean isClosed;

  private volatile long position;
  private volatile long upToDate = System.nanoTime();

  /**
   * @param self this node, whose number may become another one while the database is away
   * @param keep events that are older when the follower begins are not loaded
   */
  public EventFollower(Database database, Supplier<NodeTable.Self> self, FollowedLog followed, Duration keep, InstantSource time) {
    this.database = database;
    this.self = self;
    this.followed = followed;
    this.keep = keep;
    this.time = time;
    this.partitions = new EventPartitions(database.dataSource());
  }

  /** Loads the events that were written since; does nothing while the database is away. */
  public synchronized void follow() throws IOException, SQLException {
    try {
      while (!isClosed && database.problem().isEmpty() && followOnce(false)) {
        showProgress();
      }
    } catch (IOException | SQLException | RuntimeException e) {
      reset();
      throw e;
    }
  }

  /** The next run asks the database how far it came: an answer to a commit may have been lost. */
  private void reset() {
    source = Optional.empty();
    tail.ifPresent(AuditTail::close);
    tail = Optional.empty();
    days = new TreeSet<>();
  }

  private Source begun() throws IOException, SQLException {
    if (source.isPresent()) {
      return source.get();
    }
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      oldest = EventSources.now(connection).minus(keep);
      List<Source> known = EventSources.of(connection, self.get().instance());
      Source ours = null;
      for (Source one : known) {
        if (ours == null && isOurs(one)) {
          ours = one;
        }
      }
      if (ours == null) {
        ours = EventSources.add(connection, self.get(), AuditIndex.before(followed.segments().all(), oldest));
        LOG.info("Events of the audit log from number {} on are loaded into the database", ours.seq() + 1);
      }
      connection.commit();
      former = known.size() > 1 || !known.isEmpty() && !known.contains(ours) ? Optional.of(FormerEvents.of(known, ours)) : Optional.empty();
      source = Optional.of(ours);
      position = ours.seq();
      tail = Optional.of(new AuditTail(followed.segments(), ours.seq()));
      return ours;
    }
  }

  /** A data folder that was set back to an older state writes other events under numbers that are loaded already. */
  private boolean isOurs(Source known) throws IOException {
    if (followed.log().written() < known.seq()) {
      return false;
    }
    if (known.chain().isEmpty()) {
      return true;
    }
    try (AuditTail last = new AuditTail(followed.segments(), known.seq() - 1)) {
      return last.next(1, known.seq()).stream().allMatch(line -> line.chain().equals(known.chain()));
    }
  }

  /** Returns whether there may be more. */
  private boolean followOnce(boolean isLast) throws IOException, SQLException {
    Source from = begun();
    Instant now = time.instant();
    long written = followed.log().written();
    List<AuditTail.Line> lines = tail.orElseThrow().next(AT_ONCE, written);
    long nanos = System.nanoTime();
    if (lines.isEmpty() && nanos - told < BEAT_NANOS && !isLast) {
      noteUpToDate(from.seq() >= written, nanos);
      return false;
    }
    if (!lines.isEmpty() && lines.getFirst().seq() > from.seq() + 1) {
      LOG.warn(
          "Events {} to {} are in no file of the audit log any more, and are not loaded into the database",
          from.seq() + 1, lines.getFirst().seq() - 1);
    }
    Source to = lines.isEmpty() ? from : new Source(from.id(), lines.getLast().seq(), lines.getLast().chain());
    Instant until = to.seq() >= written ? now : earlier(now, lines);
    Reached reached = new Reached(to.seq(), to.chain(), written, until, isLast, followed.unarchived().since());
    load(from, reached, lines);
    source = Optional.of(to);
    position = to.seq();
    told = nanos;
    noteUpToDate(to.seq() >= written, nanos);
    return !lines.isEmpty() && to.seq() < written;
  }

  private void noteUpToDate(boolean isAll, long nanos) {
    if (isAll) {
      upToDate = nanos;
    }
  }

  private static Instant earlier(Instant now, List<AuditTail.Line> lines) {
    Instant last = lines.isEmpty() ? Instant.EPOCH : lines.getLast().time().orElse(Instant.EPOCH);
    return last.isBefore(now) ? last : now;
  }

  private void load(Source from, Reached to, List<AuditTail.Line> lines) throws SQLException {
    EventCopy copy = new EventCopy();
    Set<LocalDate> needed = new HashSet<>();
    Set<Long> known = former.isPresent() ? former.get().among(database.dataSource(), lines) : Set.of();
    for (AuditTail.Line line : lines) {
      Optional<EventFields> fields =
          EventFields.of(line.bytes())
              .filter(one -> !followed.leftOut().contains(one.event()) && one.millis() >= oldest.toEpochMilli());
      if (fields.isPresent() && !known.contains(line.seq())) {
        copy.add(from.id(), line.seq(), fields.get(), line.withoutFeed());
        needed.add(EventPartitions.day(fields.get().millis()));
      }
    }
    if (!lines.isEmpty()) {
      // Lines that are not loaded prove nothing: less may be left out now than when the former ones were loaded.
      former = former.filter(events -> lines.getLast().seq() < events.last());
    }
    if (!days.containsAll(needed)) {
      days = partitions.ensure(needed);
    }
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      if (!EventSources.advance(connection, self.get(), from, to)) {
        throw new SQLException(
            "The database is not where this node left it: it was set back, or a copy of this data folder is in use");
      }
      if (copy.rows() > 0) {
        copy.send(connection);
      }
      connection.commit();
    }
  }

  private void showProgress() throws IOException {
    long now = System.nanoTime();
    if (now - shown >= PROGRESS_NANOS) {
      shown = now;
      LOG.info("Loading the audit log into the database: {} of {} events", position, followed.log().written());
    }
  }

  /** Returns how many events are not loaded yet. */
  public long behind() throws IOException {
    return Math.max(0, followed.log().written() - position);
  }

  /** Returns how long ago all events were loaded. */
  public Duration lag() {
    return Duration.ofNanos(System.nanoTime() - upToDate);
  }

  /** Ends without a word to the database, which is another one's from now on. */
  public synchronized void abandon() {
    isClosed = true;
    reset();
  }

  /** Loads what is left, and says that no more events follow. */
  @Override
  public synchronized void close() {
    try {
      if (database.problem().isEmpty()) {
        follow();
        followOnce(true);
      }
    } catch (IOException | SQLException | RuntimeException e) {
      LOG.debug("The last events are loaded after the next start", e);
    }
    isClosed = true;
    reset();
  }
}

package dev.gatehouse.common.postgres;

import dev.gatehouse.common.throttle.RepeatedTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The nodes of the deployment, in the table {@code node}: each says once a second that it runs, and which revision it serves. */
public final class NodeTable implements AutoCloseable {

  /** A node that has said nothing for longer counts as gone. */
  static final int GONE_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(NodeTable.class);

  private static final int FORGOTTEN_HOURS = 24;

  /** The number of the advisory lock: any that nothing else in the database uses. */
  private static final long LOCK = 0x67617465_6e6f6465L;

  /** The greatest {@code index}, as in an artifact. */
  private static final int LAST = 65535;

  /**
   * This node.
   *
   * @param instance identifies its data folder
   * @param number its {@code index}
   * @param servesApps whether it has a share of the rates of routes
   */
  public record Self(String instance, int number, String host, String version, boolean servesApps) {

    private Self numbered(int other) {
      return new Self(instance, other, host, version, servesApps);
    }
  }

  /**
   * A node that runs, or ran within a day.
   *
   * @param revision that it serves; 0 if files hold its configuration
   * @param isRunning whether it said so lately
   * @param leases the work that it does for all
   * @param startedAt empty for a node of a former version, as {@code revisionSince}
   */
  public record Member(
      int number,
      String host,
      String version,
      long revision,
      Instant seenAt,
      boolean isRunning,
      List<String> leases,
      Optional<Instant> startedAt,
      Optional<Instant> revisionSince,
      boolean isDraining) {}

  /** The drain of this node, which administrators switch at any node. */
  public record Drain(BooleanSupplier isDraining, Consumer<Boolean> drain) {}

  private final PostgresDatabase database;
  private final JdbcClient jdbc;
  private final Numbering numbering;
  private final OffsetDateTime startedAt = OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
  private volatile Self self;
  private Optional<RepeatedTask> beating = Optional.empty();
  private volatile Optional<Drain> drain = Optional.empty();
  private volatile boolean joined = true;
  private volatile int servingApps = 1;
  private volatile List<Member> known = List.of();

  /** How a node comes by its number. */
  public enum Numbering {
    /** Its configuration says it. */
    FIXED,
    /** It takes one that no other node has: that which it has or had last, if it is free, else the lowest. */
    FREE
  }

  private NodeTable(PostgresDatabase database, Self self, Numbering numbering) {
    this.database = database;
    this.jdbc = JdbcClient.create(database.dataSource());
    this.self = self;
    this.numbering = numbering;
  }

  /**
   * Adds this node with its number.
   *
   * @throws PostgresUnusable if another node that runs has the same number
   */
  public static NodeTable join(PostgresDatabase database, Self self) throws PostgresUnusable {
    return join(database, self, Numbering.FIXED);
  }

  /**
   * Adds this node.
   *
   * @throws PostgresUnusable if another node that runs has the same fixed number, or no number is free
   */
  public static NodeTable join(PostgresDatabase database, Self self, Numbering numbering) throws PostgresUnusable {
    NodeTable table = new NodeTable(database, self, numbering);
    table.join(0);
    return table;
  }

  private void join(long revision) throws PostgresUnusable {
    Optional<String> refusal =
        Objects.requireNonNull(
            new TransactionTemplate(new JdbcTransactionManager(database.dataSource()))
                .execute(
                    status -> {
                      jdbc.sql("select pg_advisory_xact_lock(?)").param(LOCK).query(row -> {});
                      Optional<Integer> before = ownNumber();
                      Optional<String> problem = numbering == Numbering.FREE ? takeFree(before) : otherOfNumber();
                      if (problem.isEmpty()) {
                        takeOver(before);
                        write(revision);
                      }
                      return problem;
                    }));
    if (refusal.isPresent()) {
      throw database.refused(refusal.get());
    }
    joined = true;
  }

  private Optional<Integer> ownNumber() {
    return jdbc.sql("select number from node where instance = ?").param(self.instance()).query(Integer.class).optional();
  }

  /** A node that is only cut off from the database keeps its number for as long as it is listed. */
  private Optional<String> takeFree(Optional<Integer> before) {
    Optional<Integer> free =
        jdbc.sql(
                """
                select n from generate_series(0, ?) n
                where not exists (select 1 from node where number = n and instance <> ? and seen_at > now() - make_interval(hours => ?))
                order by n <> ?, n limit 1
                """)
            .params(LAST, self.instance(), FORGOTTEN_HOURS, before.orElse(self.number()))
            .query(Integer.class)
            .optional();
    free.ifPresent(number -> self = self.numbered(number));
    return free.isPresent() ? Optional.empty() : Optional.of("knows " + (LAST + 1) + " nodes: no index is free");
  }

  /** The former holder of the number is forgotten: how far its audit log was counted says nothing about that of this node. */
  private void takeOver(Optional<Integer> before) {
    int former = jdbc.sql("delete from node where number = ? and instance <> ?").params(self.number(), self.instance()).update();
    if (former > 0 || numbering == Numbering.FREE && !before.equals(Optional.of(self.number()))) {
      jdbc.sql("update analytics_progress set followed = ? where node = ?").params(Long.MAX_VALUE, self.number()).update();
    }
  }

  /** Returns the table for a node that joins once the database answers. */
  public static NodeTable away(PostgresDatabase database, Self self, Numbering numbering) {
    NodeTable table = new NodeTable(database, self, numbering);
    table.joined = false;
    return table;
  }

  /** Returns what is to be said of nodes that run as another version, as those of {@link #known}; empty if there are none. */
  public Optional<String> otherVersions() {
    return otherVersions(known, self.version());
  }

  /** As {@link #otherVersions()}, of the nodes that run now. */
  public Optional<String> otherVersionsNow() {
    return otherVersions(members(), self.version());
  }

  private static Optional<String> otherVersions(List<Member> members, String version) {
    return OtherNode.ofOtherVersion(
        members.stream().filter(Member::isRunning).map(member -> new OtherNode(member.number(), member.host(), member.version())), version);
  }

  /** Returns the hosts of the nodes that run. */
  public static List<String> running(PostgresDatabase database) {
    return JdbcClient.create(database.dataSource())
        .sql("select host from node where seen_at > now() - make_interval(secs => ?) order by number")
        .param(GONE_SECONDS)
        .query(String.class)
        .list();
  }

  private Optional<String> otherOfNumber() {
    return jdbc.sql(
            "select host from node where number = ? and instance <> ? and seen_at > now() - make_interval(secs => ?) limit 1")
        .params(self.number(), self.instance(), GONE_SECONDS)
        .query(String.class)
        .optional()
        .map(host -> OtherNode.ofSameNumber(self.number(), host));
  }

  /** Begins to say once a second that this node runs. */
  public void begin(LongSupplier revision, Drain ofNode) {
    drain = Optional.of(ofNode);
    beating =
        Optional.of(
            RepeatedTask.begin("node-table", "The other nodes cannot be told that this node runs", () -> beat(revision.getAsLong())));
  }

  private void beat(long revision) throws PostgresUnusable {
    if (joined && isStillOurs()) {
      write(revision);
    } else {
      int before = self.number();
      join(revision);
      if (before != self.number()) {
        LOG.warn("The index {} has another node by now: this node has the index {}", before, self.number());
      }
    }
    known = members();
  }

  /** Another node has the number if it took that while this one was cut off. */
  private boolean isStillOurs() {
    return jdbc.sql("update node set seen_at = now() where instance = ? and number = ?")
            .params(self.instance(), self.number())
            .update()
        > 0;
  }

  private void write(long revision) {
    boolean isDraining = drain.filter(own -> own.isDraining().getAsBoolean()).isPresent();
    jdbc.sql(
            """
            insert into node (instance, number, host, version, revision, serves_apps, started_at, draining, revision_since, seen_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, now(), now())
            on conflict (instance) do update set number = excluded.number, host = excluded.host, version = excluded.version,
              revision_since = case when node.started_at = excluded.started_at and node.revision = excluded.revision
                then node.revision_since else now() end,
              drain_wanted = case when node.started_at = excluded.started_at then node.drain_wanted end,
              revision = excluded.revision, serves_apps = excluded.serves_apps, started_at = excluded.started_at,
              draining = excluded.draining, seen_at = excluded.seen_at
            """)
        .params(self.instance(), self.number(), self.host(), self.version(), revision, self.servesApps(), startedAt, isDraining)
        .update();
    drain.ifPresent(this::drainAsWanted);
    servingApps =
        jdbc.sql("select count(*) from node where serves_apps and seen_at > now() - make_interval(secs => ?)")
            .param(GONE_SECONDS)
            .query(Integer.class)
            .single();
  }

  /** Returns this node. */
  public Self self() {
    return self;
  }

  /** Returns the number of this node, which may become another one while the database is away for long. */
  public int number() {
    return self.number();
  }

  private void drainAsWanted(Drain own) {
    Optional<Boolean> wanted =
        jdbc.sql("select drain_wanted from node where instance = ? and drain_wanted is not null")
            .param(self.instance())
            .query(Boolean.class)
            .optional();
    if (wanted.isPresent()) {
      own.drain().accept(wanted.get());
      jdbc.sql("update node set draining = ?, drain_wanted = null where instance = ? and drain_wanted = ?")
          .params(wanted.get(), self.instance(), wanted.get())
          .update();
    }
  }

  /** Tells the node of that number, which does it within a second, to drain itself or to return to normal. Returns false if none runs. */
  public boolean drain(int number, boolean wanted) {
    return jdbc.sql("update node set drain_wanted = ? where number = ? and seen_at > now() - make_interval(secs => ?)")
            .params(wanted, number, GONE_SECONDS)
            .update()
        > 0;
  }

  /** Returns what identifies this node. */
  String instance() {
    return self.instance();
  }

  /** Returns how many nodes serve apps, at least this one; the last known number while the database is away. */
  public int servingApps() {
    return Math.max(1, servingApps);
  }

  /** Returns the nodes as they were a second ago, or when the database answered last; asks nobody. */
  public List<Member> known() {
    return known;
  }

  /** Returns the nodes, by their numbers. */
  public List<Member> members() {
    return jdbc.sql(
            """
            select number, host, version, revision, seen_at, seen_at > now() - make_interval(secs => ?) as running, started_at,
              revision_since, coalesce(drain_wanted, draining) as drained,
              (select string_agg(name, ' ' order by name) from lease where holder = instance and ends_at > now()) as leases
            from node where seen_at > now() - make_interval(hours => ?) order by number, seen_at desc
            """)
        .params(GONE_SECONDS, FORGOTTEN_HOURS)
        .query(
            (row, index) ->
                new Member(
                    row.getInt("number"), row.getString("host"), row.getString("version"), row.getLong("revision"),
                    row.getObject("seen_at", OffsetDateTime.class).toInstant(), row.getBoolean("running"),
                    Optional.ofNullable(row.getString("leases")).map(names -> List.of(names.split(" "))).orElse(List.of()),
                    instant(row, "started_at"), instant(row, "revision_since"), row.getBoolean("drained")))
        .list();
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
  }

  /** Releases the number of this node. Its row stays until another node takes the number, so that the last holder is known. */
  @Override
  public void close() {
    beating.ifPresent(RepeatedTask::close);
    if (database.problem().isEmpty()) {
      jdbc.sql("update node set seen_at = to_timestamp(0) where instance = ? and number = ?").params(self.instance(), self.number()).update();
    }
  }
}

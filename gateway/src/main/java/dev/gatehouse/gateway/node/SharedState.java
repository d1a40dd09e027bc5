package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.otp.replica.OtpPush;
import dev.gatehouse.common.postgres.Announcements;
import dev.gatehouse.common.postgres.Announcements.Topic;
import dev.gatehouse.common.postgres.DataFolder;
import dev.gatehouse.common.postgres.DatabaseKeyPlace;
import dev.gatehouse.common.postgres.Deployment;
import dev.gatehouse.common.postgres.JobTable;
import dev.gatehouse.common.postgres.Leases;
import dev.gatehouse.common.postgres.NodeTable.Numbering;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.postgres.SharedSwitches;
import dev.gatehouse.common.snapshot.LocalSnapshot;
import dev.gatehouse.common.snapshot.LocalSnapshot.Part;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared stores of a node, verified to belong together and to this node; what it agrees on with the other nodes; and its audit log. The
 * node serves nothing before.
 */
public final class SharedState implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SharedState.class);
  private static final int SEQUENCE_BITS = 44;

  private final PostgresDatabase database;
  private final InstallationRecord record;
  private final DatabaseKeyPlace keys;
  private final Announcements announcements;
  private final Leases leases;
  private final NodeTable nodes;
  private final AuditUpkeep audit;
  private final LocalSnapshot snapshot;
  private final SharedSwitches switches;
  private volatile Optional<ClockWatch> clock = Optional.empty();

  private SharedState(
      PostgresDatabase database,
      InstallationRecord record,
      DatabaseKeyPlace keys,
      Announcements announcements,
      Leases leases,
      NodeTable nodes,
      AuditUpkeep audit,
      LocalSnapshot snapshot) {
    this.database = database;
    this.record = record;
    this.keys = keys;
    this.announcements = announcements;
    this.leases = leases;
    this.nodes = nodes;
    this.audit = audit;
    this.snapshot = snapshot;
    this.switches = new SharedSwitches(database, snapshot, database.isBegunAway());
    announcements.on(Topic.KEYS, keys::refresh);
    announcements.on(Topic.SWITCHES, switches::refresh);
  }

  /**
   * Compares the stores with each other and with what this node knows.
   *
   * @param version of this program
   * @throws PostgresUnusable in one sentence with the remedy
   */
  public static SharedState open(
      Node node, PostgresDatabase database, JsonLinesAuditLog log, InstantSource time, SecureRandom random, String version)
      throws PostgresUnusable {
    boolean isAway = database.isBegunAway();
    LocalSnapshot snapshot = snapshot(node, random);
    InstallationRecord record = isAway ? kept(node, snapshot) : compared(node, database, random);
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      DataFolder folder = new DataFolder(node.data(), random);
      NodeTable nodes = joined(node, database, folder, version);
      opened.push(nodes);
      if (!isAway) {
        nodes.otherVersionsNow().ifPresent(sentence -> LOG.warn("{}", sentence));
      }
      Leases leases = new Leases(database, folder.instance());
      opened.push(leases);
      Announcements announcements = new Announcements(database);
      opened.push(announcements);
      AuditUpkeep audit = new AuditUpkeep(log, NodeAudit.checkpoints(node, log, name(node, record, folder), time, random));
      opened.push(audit);
      if (!isAway) {
        snapshot.begin(record.latest(), record.finished().format().getBytes(StandardCharsets.UTF_8));
      }
      DatabaseKeyPlace keys = new DatabaseKeyPlace(database, master(node, random), time, Optional.of(snapshot), isAway);
      SharedState state = new SharedState(database, record, keys, announcements, leases, nodes, audit, snapshot);
      log.record(
          new AuditEvent.InstallationChanged(AuditEvent.Context.node(), record.id(), record.generation(), "started", ""));
      return state;
    } catch (PostgresUnusable | RuntimeException e) {
      opened.forEach(SharedState::close);
      throw e;
    }
  }

  private static NodeTable joined(Node node, PostgresDatabase database, DataFolder folder, String version) throws PostgresUnusable {
    Numbering numbering = node.index().isPresent() ? Numbering.FIXED : Numbering.FREE;
    NodeTable.Self self =
        new NodeTable.Self(
            folder.instance(), node.index().orElseGet(folder::lastNumber), DataFolder.host(), version, node.roles().contains(Role.GATEWAY));
    if (database.isBegunAway()) {
      return NodeTable.away(database, self, numbering);
    }
    NodeTable nodes = NodeTable.join(database, self, numbering);
    folder.keepNumber(nodes.number());
    return nodes;
  }

  /** Names the log in its checkpoints: a number that another node may have later names none. */
  private static String name(Node node, InstallationRecord record, DataFolder folder) {
    return record.id() + "/" + (node.index().isPresent() ? String.valueOf(node.number()) : folder.instance());
  }

  /**
   * Opens PostgreSQL; while no server answers, what this node keeps on its own disk begins in its place.
   *
   * @throws PostgresUnusable if the server must not be used, or is away and this node has no snapshot
   * @throws dev.gatehouse.common.snapshot.SnapshotRefused if the snapshot must not be used
   */
  public static PostgresDatabase openDatabase(Node node, SecureRandom random) throws PostgresUnusable {
    PostgresConfig config = node.state().requireShared().postgres();
    try {
      PostgresDatabase opened = PostgresDatabase.open(config);
      Optional<String> refusal = otpRefusal(node, opened);
      if (refusal.isPresent()) {
        opened.close();
        throw new SharedUnusable(refusal.get());
      }
      return opened;
    } catch (PostgresUnusable e) {
      LocalSnapshot snapshot = snapshot(node, random);
      if (!e.isAway() || snapshot.read(Part.INSTALLATION).isEmpty() || snapshot.read(Part.REVISION).isEmpty()) {
        throw e;
      }
      LOG.error(
          "{} The node starts with the configuration and the keys that it had last, revision {}; what needs the database answers 503.",
          e.getMessage() + ".", snapshot.read(Part.REVISION).orElseThrow().version());
      InstallationRecord record = kept(node, snapshot);
      return PostgresDatabase.away(config, e, record, sequenceInDatabase(snapshot, record));
    }
  }

  /** A node that does not know of the other servers would count what they count by itself. */
  private static Optional<String> otpRefusal(Node node, PostgresDatabase database) {
    if (node.isOtpReplica() && !OtpPush.isDone(database)) {
      return Optional.of(
          "This server is a replica of one-time passwords, and its database has no copy of the primary's: give the command "
              + "./gatehouse otp push.");
    }
    return node.state().requireShared().otp().isPresent()
        ? Optional.empty()
        : OtpPush.server(database)
            .map(
                server ->
                    "The database is one of several servers for one-time passwords, of which " + server
                        + " is the primary: write otp in gatehouse.yaml as its other nodes have it.");
  }

  private static LocalSnapshot snapshot(Node node, SecureRandom random) {
    return new LocalSnapshot(node.data().resolve("snapshot"), master(node, random), node.state().requireShared().deployment());
  }

  /** Returns the sequence of the present generation, at which it began with 0. */
  private static long sequence(LocalSnapshot snapshot, InstallationRecord record) {
    long kept = snapshot.read(Part.SEQUENCE).map(LocalSnapshot.Kept::version).orElse(0L);
    return kept >> SEQUENCE_BITS == record.latest() ? kept & (1L << SEQUENCE_BITS) - 1 : 0;
  }

  private static long sequenceInDatabase(LocalSnapshot snapshot, InstallationRecord record) {
    return sequence(snapshot, record) == 0
        ? 0
        : snapshot.read(Part.SEQUENCE).map(kept -> number(kept.content())).orElse(0L);
  }

  /** Returns 0 for the copy of a former version, which has no content. */
  static long number(byte[] content) {
    return content.length < Long.BYTES ? 0 : ByteBuffer.wrap(content).getLong();
  }

  /** Returns what PostgreSQL has acknowledged of the sequence, as this node knows by itself. */
  long sequenceInDatabase() {
    return sequenceInDatabase(snapshot, record);
  }

  /** Returns the sequence that the other store acknowledged to this node, as it knows by itself. */
  long sequence() {
    return sequence(snapshot, record);
  }

  /** @param inDatabase what PostgreSQL has acknowledged of it, which stays behind while it is away */
  void keepSequence(long acknowledged, long inDatabase) {
    long highest = Math.max(inDatabase, sequenceInDatabase(snapshot, record));
    byte[] content = ByteBuffer.allocate(Long.BYTES).putLong(highest).array();
    snapshot.keep(Part.SEQUENCE, record.latest() << SEQUENCE_BITS | acknowledged, content);
  }

  /** Returns the record of the snapshot, which must be that beside the keys. */
  private static InstallationRecord kept(Node node, LocalSnapshot snapshot) {
    Optional<InstallationRecord> record =
        snapshot.read(Part.INSTALLATION).flatMap(kept -> InstallationRecord.parse(new String(kept.content(), StandardCharsets.UTF_8)));
    Optional<InstallationRecord> known =
        new FileRecordLocation(StoredState.folders(node).of(StoreName.KEYS)).read().flatMap(InstallationRecord::parse);
    if (record.isEmpty() || !record.equals(known)) {
      throw new SharedUnusable(
          "The snapshot in " + node.data().resolve("snapshot") + " is of another installation, or of before a recovery: remove the folder, "
              + "and start the node when PostgreSQL answers");
    }
    return record.get();
  }

  /** Returns the keys of the deployment, for a command; throws as {@link #open}. */
  static KeyPlace keys(Node node, PostgresDatabase database, InstantSource time, SecureRandom random) throws PostgresUnusable {
    compared(node, database, random);
    return new DatabaseKeyPlace(database, master(node, random), time);
  }

  private static InstallationRecord compared(Node node, PostgresDatabase database, SecureRandom random) throws PostgresUnusable {
    new MoveMark(node.data()).requireAt(MoveMark.Target.SHARED);
    SharedConfig shared = node.state().requireShared();
    FileRecordLocation own = new FileRecordLocation(StoredState.folders(node).of(StoreName.KEYS));
    Optional<InstallationRecord> known = own.read().flatMap(InstallationRecord::parse);
    InstallationRecord record = new Deployment(database).require(shared.deployment(), master(node, random), known, random);
    if (record.raising().filter(change -> !change.replaced().isEmpty()).isPresent()) {
      throw new SharedUnusable("A recovery of the shared stores was interrupted: give the same command (./gatehouse recover) again.");
    }
    InstallationRecord finished = record.finished();
    if (!known.equals(Optional.of(finished))) {
      own.write(finished.format());
    }
    return record;
  }

  static SealingKey master(Node node, SecureRandom random) {
    return SealingKey.of(Base64.getDecoder().decode(node.state().requireShared().masterKey().value()), random);
  }

  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("A part of the shared state could not be closed properly", e);
    }
  }

  public PostgresDatabase database() {
    return database;
  }

  /** Returns the record in PostgreSQL, of which the beginning may not be finished. */
  InstallationRecord record() {
    return record;
  }

  void watched(ClockWatch watch) {
    clock = Optional.of(watch);
  }

  /** Returns what is wrong with the clock of this node. */
  Optional<String> clockProblem() {
    return clock.flatMap(ClockWatch::problem);
  }

  public SharedSwitches switches() {
    return switches;
  }

  public LocalSnapshot snapshot() {
    return snapshot;
  }

  /** Returns whether the node started while the database was away. */
  public boolean isBegunAway() {
    return database.isBegunAway();
  }

  public KeyPlace keys() {
    return keys;
  }

  public Announcements announcements() {
    return announcements;
  }

  public Leases leases() {
    return leases;
  }

  public NodeTable nodes() {
    return nodes;
  }

  public JobTable jobs() {
    return new JobTable(database, nodes);
  }

  /** Ends the own threads, and tells the other nodes that this one is gone; the stores are closed by the code that opened them. */
  @Override
  public void close() {
    audit.close();
    announcements.close();
    close(leases);
    close(nodes);
  }
}

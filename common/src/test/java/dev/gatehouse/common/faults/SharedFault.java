package dev.gatehouse.common.faults;

import static dev.gatehouse.common.faults.Damage.lasting;

import dev.gatehouse.common.faults.Damage.Repair;
import dev.gatehouse.common.faults.Site.Shape;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What is done to a site under load. */
public enum SharedFault {
  NONE("no fault: the balancer changes the node at every request", Shape.SENTINELS, Reach.NODES, (site, ledger) -> Damage.sleep(2)),
  NODE_KILLED("kill -9 of a node", Shape.SENTINELS, Reach.NODES, NodeFaults.killed(site -> site.nodes().getLast()), NodeFaults::startAgain),
  FIRST_NODE_KILLED(
      "kill -9 of the node that started first", Shape.SENTINELS, Reach.NODES, NodeFaults.killed(site -> site.nodes().getFirst()),
      NodeFaults::startAgain),
  IDP_NODE_KILLED(
      "kill -9 of a node that is an identity provider alone; four nodes, two of each role", Shape.ROLES, Reach.NODES,
      NodeFaults.killed(site -> site.nodes().get(1)), NodeFaults::startAgain),
  GATEWAY_NODE_KILLED(
      "kill -9 of a node that is a gateway alone; four nodes, two of each role", Shape.ROLES, Reach.NODES,
      NodeFaults.killed(site -> site.nodes().getLast()), NodeFaults::startAgain),
  LEASE_HOLDER_KILLED(
      "kill -9 of the node that does the scheduled work for all", Shape.SENTINELS, Reach.NODES, NodeFaults::leaseHolderKilled,
      NodeFaults::startAgain),
  NODE_STALLED("a node stands still for 5 s", Shape.SENTINELS, Reach.MEMORY, NodeFaults::stalled),
  ROLLING_RESTART("each node is stopped (SIGTERM) and started again", Shape.SENTINELS, Reach.NODES, NodeFaults::rollingRestart),
  VALKEY_PRIMARY_KILLED(
      "kill -9 of the Valkey primary; Sentinels promote a replica", Shape.SENTINELS, Reach.MEMORY, StoreFaults::valkeyPrimaryKilled,
      StoreFaults::startValkeyAgain),
  VALKEY_PRIMARY_DEPOSED(
      "the Valkey primary stands still until a replica is promoted, and then answers again", Shape.SENTINELS, Reach.MEMORY,
      StoreFaults::valkeyPrimaryDeposed),
  VALKEY_REPLICA_KILLED(
      "kill -9 of a Valkey replica", Shape.SENTINELS, Reach.STORES, StoreFaults::valkeyReplicaKilled, StoreFaults::startValkeyAgain),
  SENTINEL_KILLED("kill -9 of the Sentinel that nodes ask first", Shape.SENTINELS, Reach.STORES, StoreFaults::sentinelKilled),
  VALKEY_STALLED(
      "Valkey stands still for 2 s, and nobody promotes", Shape.LINES, Reach.MEMORY,
      lasting(2, site -> site.valkey().signal("STOP"), site -> site.valkey().signal("CONT"))),
  VALKEY_SLOW("Valkey answers each request 2 s late for 10 s", Shape.LINES, Reach.SLOW, StoreFaults::valkeySlow),
  NODE_WITHOUT_VALKEY(
      "a node is cut off from Valkey for 6 s", Shape.LINES, Reach.MEMORY,
      lasting(6, site -> site.valkeyLine(1).cut(), site -> site.valkeyLine(1).repair())),
  NODE_WITHOUT_POSTGRESQL(
      "a node is cut off from PostgreSQL for 6 s", Shape.SENTINELS, Reach.STORES,
      lasting(6, site -> site.postgresLines(1).forEach(CutLine::cut), site -> site.postgresLines(1).forEach(CutLine::repair))),
  POSTGRESQL_STALLED(
      "PostgreSQL stands still for 2 s", Shape.SENTINELS, Reach.STORES,
      lasting(2, site -> site.postgres().pause(), site -> site.postgres().resume())),
  POSTGRESQL_SLOW("PostgreSQL answers each request 2 s late for 10 s", Shape.SENTINELS, Reach.SLOW, StoreFaults::postgresSlow),
  POSTGRESQL_PRIMARY_KILLED(
      "kill -9 of the PostgreSQL primary; its synchronous standby is promoted after 1 s", Shape.SENTINELS, Reach.STORES,
      StoreFaults::postgresPrimaryKilled),
  POSTGRESQL_PRIMARY_DEPOSED(
      "the PostgreSQL primary stands still until the standby is promoted, and then answers again", Shape.SENTINELS, Reach.STORES,
      StoreFaults::postgresPrimaryDeposed),
  POSTGRESQL_STANDBY_KILLED(
      "kill -9 of PostgreSQL's synchronous standby, which is started again after 6 s", Shape.SENTINELS, Reach.STORES,
      lasting(6, site -> site.standby().kill(), site -> site.standby().startAgain())),
  VALKEY_WITHOUT_REPLICAS(
      "the Valkey primary is cut off from its replicas for 6 s, and nobody promotes", Shape.LINES, Reach.MEMORY,
      lasting(6, site -> site.primaryLine().cut(), site -> site.primaryLine().repair())),
  POSTGRESQL_WITHOUT_STANDBY(
      "the PostgreSQL primary is cut off from its synchronous standby for 6 s", Shape.SENTINELS, Reach.STORES,
      lasting(6, site -> site.standbyLine().cut(), site -> site.standbyLine().repair())),
  VALKEY_DISK_FULL(
      "the disk of the Valkey primary is full; it ends, and Sentinels promote a replica", Shape.SMALL_DISKS, Reach.MEMORY,
      StoreFaults::valkeyDiskFull, StoreFaults::emptyValkeyDisk),
  POSTGRESQL_DISK_FULL(
      "the disk of the PostgreSQL primary is full for 6 s; then it is started again, if it ended", Shape.SMALL_DISKS, Reach.STORES,
      lasting(6, site -> site.disks().postgres().fill(), StoreFaults::emptyPostgresDisk)),
  NODE_DISK_FULL("the disk of a node is full for 6 s", Shape.SMALL_DISKS, Reach.NODES, NodeFaults::diskFull),
  VALKEY_PRIMARY_CUT_OFF(
      "the Valkey primary is cut off from its replicas and Sentinels, and nodes still reach it until 5 s after a promotion",
      Shape.PARTITIONS, Reach.MEMORY, StoreFaults::valkeyPrimaryCutOff),
  NODE_ALONE_WITH_PRIMARY(
      "a node and the Valkey primary are cut off from the replicas and Sentinels until 5 s after a promotion", Shape.PARTITIONS,
      Reach.MEMORY, StoreFaults::nodeAloneWithPrimary),
  DIRECTORY_KILLED(
      "kill -9 of the slapd that takes changes; two others follow it", Shape.DIRECTORIES, Reach.NODES, NodeFaults::directoryKilled,
      NodeFaults::startDirectoryAgain),
  NODE_CLOCK_AHEAD(
      "a node is started again with a clock that is 2 min ahead", Shape.SENTINELS, Reach.NODES, NodeFaults::clockAhead,
      NodeFaults::restartLast),
  CONFIGURATION_APPLIED(
      "the configuration is changed twelve times, at either node, while the balancer changes the node at every request", Shape.SENTINELS,
      Reach.NODES, NodeFaults::configured),
  CONFIGURATION_WHILE_CUT_OFF(
      "the configuration is changed while a node is cut off from PostgreSQL for 6 s", Shape.SENTINELS, Reach.STORES,
      NodeFaults::configuredWhileCutOff),
  CONFIGURATION_WHILE_KILLED(
      "the configuration is changed when a node was just killed, which is then started again", Shape.SENTINELS, Reach.NODES,
      NodeFaults::configuredWhileKilled),
  NODE_AND_VALKEY_PRIMARY_KILLED(
      "two faults: kill -9 of a node and of the Valkey primary; Sentinels promote a replica", Shape.SENTINELS, Reach.MEMORY,
      StoreFaults::nodeAndValkeyPrimaryKilled, StoreFaults::startAllAgain),
  VALKEY_PRIMARY_AND_REPLICA_KILLED(
      "two faults: kill -9 of the Valkey primary and of a replica, which is started again 5 s after the promotion of the other one",
      Shape.SENTINELS, Reach.SLOW, StoreFaults::valkeyPrimaryAndReplicaKilled, StoreFaults::startValkeyAgain);

  /** How far a fault goes, and what may be seen of it. */
  public enum Reach {
    /** The other node and the stores go on. */
    NODES(Duration.ofSeconds(2), false),
    /** Until another server has taken over, or the fault is over. */
    STORES(Duration.ofSeconds(10), false),
    /** As with stores; a node may not hear of changes, and goes by its memory as long as the documentation says. */
    MEMORY(Duration.ofSeconds(10), true),
    /** As with memory; the fault itself lasts for some ten seconds. */
    SLOW(Duration.ofSeconds(20), true);

    /** As long as a heartbeat counts. */
    private static final Duration MEMORY_COUNTS = Duration.ofSeconds(2);

    private final Duration gap;
    private final boolean isDeaf;

    Reach(Duration gap, boolean isDeaf) {
      this.gap = gap;
      this.isDeaf = isDeaf;
    }

    /** Returns how long after its end a session may be accepted by a node that cannot have heard of it. */
    Duration allowance(Duration staleness) {
      return isDeaf ? MEMORY_COUNTS.plus(staleness) : Ledger.HEARD;
    }
  }

  private final String description;
  private final Shape shape;
  private final Reach reach;
  private final Damage damage;
  private final Repair repair;

  SharedFault(String description, Shape shape, Reach reach, Damage damage) {
    this(description, shape, reach, damage, site -> {});
  }

  SharedFault(String description, Shape shape, Reach reach, Damage damage, Repair repair) {
    this.description = description;
    this.shape = shape;
    this.reach = reach;
    this.damage = damage;
    this.repair = repair;
  }

  public String description() {
    return description;
  }

  /** Returns whether two things fail at once, of which nothing is promised. */
  public boolean isDouble() {
    return this == NODE_AND_VALKEY_PRIMARY_KILLED || this == VALKEY_PRIMARY_AND_REPLICA_KILLED;
  }

  /** Returns what the site needs. */
  public Shape shape() {
    return shape;
  }

  /** Returns how long pages, and other work, may be away at most. */
  public Duration mostGap() {
    return reach.gap;
  }

  /** Returns within which time every node serves a configuration, from when it could. */
  public Duration servedWithin() {
    return this == CONFIGURATION_APPLIED ? Duration.ofSeconds(1) : reach.gap;
  }

  /** Returns whether configurations are applied. */
  public boolean isOfConfigurations() {
    return this == CONFIGURATION_APPLIED || this == CONFIGURATION_WHILE_CUT_OFF || this == CONFIGURATION_WHILE_KILLED;
  }

  /** Returns the kinds of facts that the load acknowledges. */
  public List<String> kinds() {
    return Stream.of(Fact.Kind.values())
        .filter(kind -> kind != Fact.Kind.PASSWORD || shape == Shape.DIRECTORIES)
        .map(Enum::name)
        .toList();
  }

  Reach reach() {
    return reach;
  }

  /** Does the damage, and ends it where it ends by itself. */
  void inject(Site site, Ledger ledger) throws Exception {
    damage.to(site, ledger);
  }

  /** Starts again what was killed, after everything was checked without it. */
  void repair(Site site) throws Exception {
    repair.at(site);
  }
}

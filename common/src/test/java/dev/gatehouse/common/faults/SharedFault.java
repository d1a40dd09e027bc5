package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Site.Shape;
import dev.gatehouse.common.valkey.ValkeySentinels;
import dev.gatehouse.common.valkey.ValkeyServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What is done to a site under load. */
public enum SharedFault {
  NONE("no fault: the balancer changes the node at every request", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      sleep(2);
    }
  },
  NODE_KILLED("kill -9 of a node", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      site.nodes().getLast().kill();
    }

    @Override
    void repair(Site site) {
      site.nodes().getLast().startAgainAndAwait();
    }
  },
  LEASE_HOLDER_KILLED("kill -9 of the node that does the scheduled work for all", Shape.SENTINELS) {
    @Override
    void inject(Site site) throws Exception {
      LeaseHolder.of(site).kill();
    }

    @Override
    void repair(Site site) {
      site.nodes().stream().filter(node -> !node.isRunning()).forEach(SiteNode::startAgainAndAwait);
    }
  },
  NODE_STALLED("a node stands still for 5 s", Shape.SENTINELS) {
    @Override
    void inject(Site site) throws Exception {
      site.nodes().getLast().signal("STOP");
      sleep(5);
      site.nodes().getLast().signal("CONT");
    }
  },
  ROLLING_RESTART("each node is stopped (SIGTERM) and started again", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      for (SiteNode node : site.nodes()) {
        node.stop();
        node.startAgainAndAwait();
        site.balancer().awaitAll();
      }
    }
  },
  VALKEY_PRIMARY_KILLED("kill -9 of the Valkey primary; Sentinels promote a replica", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.sentinels().primary();
      primary.kill();
      site.sentinels().awaitPromotion(primary);
    }

    @Override
    void repair(Site site) {
      startAgain(site);
    }
  },
  VALKEY_PRIMARY_DEPOSED("the Valkey primary stands still until a replica is promoted, and then answers again", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.sentinels().primary();
      primary.signal("STOP");
      site.sentinels().awaitPromotion(primary);
      sleep(1);
      primary.signal("CONT");
    }
  },
  VALKEY_STALLED("Valkey stands still for 2 s, and nobody promotes", Shape.LINES) {
    @Override
    void inject(Site site) {
      site.valkey().signal("STOP");
      sleep(2);
      site.valkey().signal("CONT");
    }
  },
  VALKEY_SLOW("Valkey answers each request 2 s late for 10 s", Shape.LINES) {
    @Override
    void inject(Site site) {
      List<CutLine> lines = List.of(site.valkeyLine(0), site.valkeyLine(1));
      lines.forEach(line -> line.delay(SLOW));
      sleep(10);
      lines.forEach(line -> line.delay(Duration.ZERO));
    }
  },
  NODE_WITHOUT_VALKEY("a node is cut off from Valkey for 6 s", Shape.LINES) {
    @Override
    void inject(Site site) {
      site.valkeyLine(1).cut();
      sleep(6);
      site.valkeyLine(1).repair();
    }
  },
  NODE_WITHOUT_POSTGRESQL("a node is cut off from PostgreSQL for 6 s", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      site.postgresLines(1).forEach(CutLine::cut);
      sleep(6);
      site.postgresLines(1).forEach(CutLine::repair);
    }
  },
  POSTGRESQL_STALLED("PostgreSQL stands still for 2 s", Shape.SENTINELS) {
    @Override
    void inject(Site site) throws Exception {
      site.postgres().pause();
      sleep(2);
      site.postgres().resume();
    }
  },
  POSTGRESQL_SLOW("PostgreSQL answers each request 2 s late for 10 s", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      List<CutLine> lines = Stream.concat(site.postgresLines(0).stream(), site.postgresLines(1).stream()).toList();
      lines.forEach(line -> line.delay(SLOW));
      sleep(10);
      lines.forEach(line -> line.delay(Duration.ZERO));
    }
  },
  POSTGRESQL_PRIMARY_KILLED("kill -9 of the PostgreSQL primary; its synchronous standby is promoted after 1 s", Shape.SENTINELS) {
    @Override
    void inject(Site site) throws Exception {
      site.postgres().kill();
      sleep(1);
      site.standby().promote();
    }
  },
  POSTGRESQL_PRIMARY_DEPOSED("the PostgreSQL primary stands still until the standby is promoted, and then answers again", Shape.SENTINELS) {
    @Override
    void inject(Site site) throws Exception {
      site.postgres().pause();
      sleep(1);
      site.standby().promote();
      sleep(3);
      site.postgres().resume();
    }
  },
  VALKEY_WITHOUT_REPLICAS("the Valkey primary is cut off from its replicas for 6 s, and nobody promotes", Shape.LINES) {
    @Override
    void inject(Site site) {
      site.primaryLine().cut();
      sleep(6);
      site.primaryLine().repair();
    }
  },
  POSTGRESQL_WITHOUT_STANDBY("the PostgreSQL primary is cut off from its synchronous standby for 6 s", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      site.standbyLine().cut();
      sleep(6);
      site.standbyLine().repair();
    }
  },
  VALKEY_DISK_FULL("the disk of the Valkey primary is full; it ends, and Sentinels promote a replica", Shape.SMALL_DISKS) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.sentinels().primary();
      site.disks().valkey().fill();
      site.sentinels().awaitPromotion(primary);
    }

    @Override
    void repair(Site site) throws Exception {
      site.disks().valkey().empty();
      startAgain(site);
    }
  },
  POSTGRESQL_DISK_FULL("the disk of the PostgreSQL primary is full for 6 s; then it is started again, if it ended", Shape.SMALL_DISKS) {
    @Override
    void inject(Site site) throws Exception {
      site.disks().postgres().fill();
      sleep(6);
      site.disks().postgres().empty();
      if (!site.postgres().isRunning()) {
        site.postgres().startAgain();
      }
    }
  },
  NODE_DISK_FULL("the disk of a node is full for 6 s", Shape.SMALL_DISKS) {
    @Override
    void inject(Site site) throws Exception {
      site.disks().node().fill();
      sleep(6);
      site.disks().node().empty();
    }
  },
  VALKEY_PRIMARY_CUT_OFF("the Valkey primary is cut off from its replicas and Sentinels, and nodes still reach it until 5 s after a promotion", Shape.PARTITIONS) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.valkey();
      site.primaryLine().cutFrom(ValkeySentinels.OTHER_HOSTS);
      site.sentinels().awaitPromotion(primary);
      sleep(5);
      site.primaryLine().repair();
    }
  },
  NODE_ALONE_WITH_PRIMARY("a node and the Valkey primary are cut off from the replicas and Sentinels until 5 s after a promotion", Shape.PARTITIONS) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.valkey();
      site.sentinelLines().forEach(CutLine::cut);
      site.primaryLine().cutFrom(ValkeySentinels.OTHER_HOSTS);
      site.sentinels().awaitPromotion(primary);
      sleep(5);
      site.primaryLine().repair();
      site.sentinelLines().forEach(CutLine::repair);
    }
  },
  DIRECTORY_KILLED("kill -9 of the slapd that takes changes; two others follow it", Shape.DIRECTORIES) {
    @Override
    void inject(Site site) {
      site.directories().orElseThrow().killProvider();
      sleep(3);
    }

    @Override
    void repair(Site site) throws Exception {
      site.directories().orElseThrow().restartProvider();
    }
  },
  NODE_CLOCK_AHEAD("a node is started again with a clock that is 2 min ahead", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      site.nodes().getLast().stop();
      site.nodes().getLast().startAgainAndAwait(ClockAhead.environment(Duration.ofMinutes(2)));
      sleep(15);
    }

    @Override
    void repair(Site site) {
      site.nodes().getLast().stop();
      site.nodes().getLast().startAgainAndAwait();
    }
  },
  CONFIGURATION_APPLIED("the configuration is changed twice, while the balancer changes the node at every request", Shape.SENTINELS) {
    @Override
    void inject(Site site) throws Exception {
      site.changeConfiguration();
      site.changeConfiguration();
      sleep(2);
    }
  },
  NODE_AND_VALKEY_PRIMARY_KILLED("two faults: kill -9 of a node and of the Valkey primary; Sentinels promote a replica", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.sentinels().primary();
      site.nodes().getLast().kill();
      primary.kill();
      site.sentinels().awaitPromotion(primary);
    }

    @Override
    void repair(Site site) {
      startAgain(site);
      site.nodes().getLast().startAgainAndAwait();
    }
  },
  VALKEY_PRIMARY_AND_REPLICA_KILLED(
      "two faults: kill -9 of the Valkey primary and of a replica, which is started again 5 s after the promotion of the other one", Shape.SENTINELS) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.sentinels().primary();
      ValkeyServer replica = site.sentinels().servers().stream().filter(server -> server != primary).findFirst().orElseThrow();
      primary.kill();
      replica.kill();
      site.sentinels().awaitPromotion(primary);
      sleep(5);
      replica.startAgain();
      sleep(2);
    }

    @Override
    void repair(Site site) {
      startAgain(site);
    }
  };

  private static final Duration SLOW = Duration.ofSeconds(2);

  private final String description;
  private final Shape shape;

  SharedFault(String description, Shape shape) {
    this.description = description;
    this.shape = shape;
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

  /** Does the damage, and ends it where it ends by itself. */
  abstract void inject(Site site) throws Exception;

  /** Starts again what was killed, after everything was checked without it. */
  void repair(Site site) throws Exception {}

  private static void startAgain(Site site) {
    site.sentinels().servers().stream().filter(server -> !server.isRunning()).forEach(ValkeyServer::startAgain);
  }

  private static void sleep(int seconds) {
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

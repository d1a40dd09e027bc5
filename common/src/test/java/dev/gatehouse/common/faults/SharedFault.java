package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Site.Shape;
import dev.gatehouse.common.valkey.ValkeySentinels;
import dev.gatehouse.common.valkey.ValkeyServer;
import java.time.Duration;

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
      site.sentinels().servers().stream().filter(server -> !server.isRunning()).forEach(ValkeyServer::startAgain);
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
      site.sentinels().servers().stream().filter(server -> !server.isRunning()).forEach(ValkeyServer::startAgain);
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
  };

  private final String description;
  private final Shape shape;

  SharedFault(String description, Shape shape) {
    this.description = description;
    this.shape = shape;
  }

  public String description() {
    return description;
  }

  /** Returns what the site needs. */
  public Shape shape() {
    return shape;
  }

  /** Does the damage, and ends it where it ends by itself. */
  abstract void inject(Site site) throws Exception;

  /** Starts again what was killed, after everything was checked without it. */
  void repair(Site site) throws Exception {}

  private static void sleep(int seconds) {
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

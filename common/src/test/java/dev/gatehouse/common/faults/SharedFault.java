package dev.gatehouse.common.faults;

import dev.gatehouse.common.valkey.ValkeyServer;
import java.time.Duration;

/** What is done to a site under load. */
public enum SharedFault {
  NONE("no fault: the balancer changes the node at every request", true) {
    @Override
    void inject(Site site) {
      sleep(2);
    }
  },
  NODE_KILLED("kill -9 of a node", true) {
    @Override
    void inject(Site site) {
      site.nodes().getLast().kill();
    }

    @Override
    void repair(Site site) {
      site.nodes().getLast().startAgainAndAwait();
    }
  },
  NODE_STALLED("a node stands still for 5 s", true) {
    @Override
    void inject(Site site) throws Exception {
      site.nodes().getLast().signal("STOP");
      sleep(5);
      site.nodes().getLast().signal("CONT");
    }
  },
  ROLLING_RESTART("each node is stopped (SIGTERM) and started again", true) {
    @Override
    void inject(Site site) {
      for (SiteNode node : site.nodes()) {
        node.stop();
        node.startAgainAndAwait();
        sleep(3);
      }
    }
  },
  VALKEY_PRIMARY_KILLED("kill -9 of the Valkey primary; Sentinels promote a replica", true) {
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
  VALKEY_PRIMARY_DEPOSED("the Valkey primary stands still until a replica is promoted, and then answers again", true) {
    @Override
    void inject(Site site) {
      ValkeyServer primary = site.sentinels().primary();
      primary.signal("STOP");
      site.sentinels().awaitPromotion(primary);
      sleep(1);
      primary.signal("CONT");
    }
  },
  VALKEY_STALLED("Valkey stands still for 2 s, and nobody promotes", false) {
    @Override
    void inject(Site site) {
      site.valkey().signal("STOP");
      sleep(2);
      site.valkey().signal("CONT");
    }
  },
  NODE_WITHOUT_VALKEY("a node is cut off from Valkey for 6 s", false) {
    @Override
    void inject(Site site) {
      site.valkeyLine(1).cut();
      sleep(6);
      site.valkeyLine(1).repair();
    }
  },
  NODE_WITHOUT_POSTGRESQL("a node is cut off from PostgreSQL for 6 s", true) {
    @Override
    void inject(Site site) {
      site.postgresLines(1).forEach(CutLine::cut);
      sleep(6);
      site.postgresLines(1).forEach(CutLine::repair);
    }
  },
  POSTGRESQL_STALLED("PostgreSQL stands still for 2 s", true) {
    @Override
    void inject(Site site) throws Exception {
      site.postgres().pause();
      sleep(2);
      site.postgres().resume();
    }
  },
  POSTGRESQL_PRIMARY_KILLED("kill -9 of the PostgreSQL primary; its synchronous standby is promoted after 1 s", true) {
    @Override
    void inject(Site site) throws Exception {
      site.postgres().kill();
      sleep(1);
      site.standby().promote();
    }
  },
  POSTGRESQL_PRIMARY_DEPOSED("the PostgreSQL primary stands still until the standby is promoted, and then answers again", true) {
    @Override
    void inject(Site site) throws Exception {
      site.postgres().pause();
      sleep(1);
      site.standby().promote();
      sleep(3);
      site.postgres().resume();
    }
  };

  private final String description;
  private final boolean hasSentinels;

  SharedFault(String description, boolean hasSentinels) {
    this.description = description;
    this.hasSentinels = hasSentinels;
  }

  public String description() {
    return description;
  }

  /** Returns whether the site needs Sentinels; without them, nodes have lines to Valkey that can be cut. */
  public boolean hasSentinels() {
    return hasSentinels;
  }

  /** Does the damage, and ends it where it ends by itself. */
  abstract void inject(Site site) throws Exception;

  /** Starts again what was killed, after everything was checked without it. */
  void repair(Site site) {}

  private static void sleep(int seconds) {
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

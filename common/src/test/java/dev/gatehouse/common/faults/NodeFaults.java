package dev.gatehouse.common.faults;

import java.time.Duration;
import java.util.function.Function;

/** What happens to nodes and to the directory. */
final class NodeFaults {

  private static final int CONFIGURATIONS = 12;

  private NodeFaults() {}

  /** Kills a node; the repair starts it again. */
  static Damage killed(Function<Site, SiteNode> which) {
    return (site, ledger) -> which.apply(site).kill();
  }

  static void leaseHolderKilled(Site site, Ledger ledger) throws Exception {
    LeaseHolder.of(site).kill();
  }

  /** Starts nodes that were killed. */
  static void startAgain(Site site) {
    site.nodes().stream().filter(node -> !node.isRunning()).forEach(SiteNode::startAgainAndAwait);
  }

  static void stalled(Site site, Ledger ledger) throws Exception {
    site.nodes().getLast().signal("STOP");
    Damage.sleep(5);
    site.nodes().getLast().signal("CONT");
  }

  static void rollingRestart(Site site, Ledger ledger) {
    for (SiteNode node : site.nodes()) {
      node.stop();
      node.startAgainAndAwait();
      site.balancer().awaitAll();
    }
  }

  static void diskFull(Site site, Ledger ledger) throws Exception {
    site.disks().node().fill();
    Damage.sleep(6);
    site.disks().node().empty();
  }

  static void clockAhead(Site site, Ledger ledger) {
    site.nodes().getLast().stop();
    site.nodes().getLast().startAgainAndAwait(ClockAhead.environment(Duration.ofMinutes(2)));
    Damage.sleep(15);
  }

  static void restartLast(Site site) {
    site.nodes().getLast().stop();
    site.nodes().getLast().startAgainAndAwait();
  }

  static void directoryKilled(Site site, Ledger ledger) {
    site.directories().orElseThrow().killProvider();
    Damage.sleep(3);
  }

  static void startDirectoryAgain(Site site) throws Exception {
    site.directories().orElseThrow().restartProvider();
  }

  /** Changes the configuration many times, at either node. */
  static void configured(Site site, Ledger ledger) throws Exception {
    try (Configurations configurations = Configurations.of(site, ledger)) {
      for (int i = 0; i < CONFIGURATIONS; i++) {
        configurations.awaitServed(configurations.apply(i % site.nodes().size()));
      }
    }
  }

  /** Changes the configuration while the last node is cut off from PostgreSQL; the time counts from the repair. */
  static void configuredWhileCutOff(Site site, Ledger ledger) throws Exception {
    try (Configurations configurations = Configurations.of(site, ledger)) {
      ledger.begins();
      site.postgresLines(1).forEach(CutLine::cut);
      Damage.sleep(1);
      configurations.apply(0);
      Damage.sleep(5);
      site.postgresLines(1).forEach(CutLine::repair);
      configurations.awaitServed(System.nanoTime());
    }
  }

  /** Changes the configuration when the last node was just killed; the time counts from its readiness. */
  static void configuredWhileKilled(Site site, Ledger ledger) throws Exception {
    try (Configurations configurations = Configurations.of(site, ledger)) {
      ledger.begins();
      site.nodes().getLast().kill();
      configurations.apply(0);
      Damage.sleep(3);
      site.nodes().getLast().startAgainAndAwait();
      configurations.awaitServed(System.nanoTime());
    }
  }
}

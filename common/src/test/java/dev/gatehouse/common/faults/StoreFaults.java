package dev.gatehouse.common.faults;

import dev.gatehouse.common.valkey.ValkeySentinels;
import dev.gatehouse.common.valkey.ValkeyServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What happens to Valkey and PostgreSQL, and on the way to them. */
final class StoreFaults {

  private static final Duration SLOW = Duration.ofSeconds(2);

  private StoreFaults() {}

  /** Starts servers of Valkey that were killed. */
  static void startValkeyAgain(Site site) {
    site.sentinels().servers().stream().filter(server -> !server.isRunning()).forEach(ValkeyServer::startAgain);
  }

  static void valkeyPrimaryKilled(Site site, Ledger ledger) {
    ValkeyServer primary = site.sentinels().primary();
    primary.kill();
    site.sentinels().awaitPromotion(primary);
  }

  static void valkeyReplicaKilled(Site site, Ledger ledger) {
    replica(site).kill();
    Damage.sleep(4);
  }

  private static ValkeyServer replica(Site site) {
    ValkeyServer primary = site.sentinels().primary();
    return site.sentinels().servers().stream().filter(server -> server != primary).findFirst().orElseThrow();
  }

  /** Kills the Sentinel that nodes ask first. */
  static void sentinelKilled(Site site, Ledger ledger) {
    site.sentinels().killSentinel();
    Damage.sleep(4);
  }

  static void valkeyPrimaryDeposed(Site site, Ledger ledger) {
    ValkeyServer primary = site.sentinels().primary();
    primary.signal("STOP");
    site.sentinels().awaitPromotion(primary);
    Damage.sleep(1);
    primary.signal("CONT");
  }

  static void slow(List<CutLine> lines) {
    lines.forEach(line -> line.delay(SLOW));
    Damage.sleep(10);
    lines.forEach(line -> line.delay(Duration.ZERO));
  }

  static void valkeySlow(Site site, Ledger ledger) {
    slow(List.of(site.valkeyLine(0), site.valkeyLine(1)));
  }

  static void postgresSlow(Site site, Ledger ledger) {
    slow(Stream.concat(site.postgresLines(0).stream(), site.postgresLines(1).stream()).toList());
  }

  static void postgresPrimaryKilled(Site site, Ledger ledger) throws Exception {
    site.postgres().kill();
    Damage.sleep(1);
    site.standby().promote();
  }

  static void postgresPrimaryDeposed(Site site, Ledger ledger) throws Exception {
    site.postgres().pause();
    Damage.sleep(1);
    site.standby().promote();
    Damage.sleep(3);
    site.postgres().resume();
  }

  static void valkeyDiskFull(Site site, Ledger ledger) throws Exception {
    ValkeyServer primary = site.sentinels().primary();
    site.disks().valkey().fill();
    site.sentinels().awaitPromotion(primary);
  }

  static void emptyValkeyDisk(Site site) throws Exception {
    site.disks().valkey().empty();
    startValkeyAgain(site);
  }

  static void emptyPostgresDisk(Site site) throws Exception {
    site.disks().postgres().empty();
    if (!site.postgres().isRunning()) {
      site.postgres().startAgain();
    }
  }

  static void valkeyPrimaryCutOff(Site site, Ledger ledger) {
    ValkeyServer primary = site.valkey();
    site.primaryLine().cutFrom(ValkeySentinels.OTHER_HOSTS);
    site.sentinels().awaitPromotion(primary);
    Damage.sleep(5);
    site.primaryLine().repair();
  }

  static void nodeAloneWithPrimary(Site site, Ledger ledger) {
    site.sentinelLines().forEach(CutLine::cut);
    valkeyPrimaryCutOff(site, ledger);
    site.sentinelLines().forEach(CutLine::repair);
  }

  static void nodeAndValkeyPrimaryKilled(Site site, Ledger ledger) {
    ValkeyServer primary = site.sentinels().primary();
    site.nodes().getLast().kill();
    primary.kill();
    site.sentinels().awaitPromotion(primary);
  }

  static void valkeyPrimaryAndReplicaKilled(Site site, Ledger ledger) {
    ValkeyServer primary = site.sentinels().primary();
    ValkeyServer replica = replica(site);
    primary.kill();
    replica.kill();
    site.sentinels().awaitPromotion(primary);
    Damage.sleep(5);
    replica.startAgain();
    Damage.sleep(2);
  }

  static void startAllAgain(Site site) {
    startValkeyAgain(site);
    NodeFaults.startAgain(site);
  }
}

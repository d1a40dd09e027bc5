package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.faults.EmptiedStore;
import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.FaultRun;
import dev.gatehouse.common.faults.SharedFault;
import dev.gatehouse.common.faults.Site;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two nodes with shared stores under load: after each fault, everything that was acknowledged before, meanwhile and after it still counts.
 * The long form is {@code ./gatehouse bench faults}.
 */
@Timeout(300)
@TestMethodOrder(OrderAnnotation.class)
class SharedFaultsIT {

  private static final Duration BEFORE = Duration.ofSeconds(2);

  @AutoClose private static final Servers SERVERS = new Servers();
  private static Site site;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/haproxy")), "skipped: HAProxy is not installed (apt-get install haproxy)");
    Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/shared-faults").toAbsolutePath()), "site");
    DemoDirectory directory = SERVERS.begun(DemoDirectory.start(0));
    SampleApp sample = SERVERS.begun(SampleApp.start(0));
    site =
        SERVERS.begun(
            Site.start(
                new Site.Plan(
                    folder, BuiltNode::command, directory.port(), sample.port(), Duration.ZERO, Site.Shape.SENTINELS)));
  }

  @Order(1)
  @ParameterizedTest
  @EnumSource(names = {"NODE_KILLED", "VALKEY_PRIMARY_KILLED", "POSTGRESQL_PRIMARY_KILLED"})
  void nothingThatWasAcknowledgedIsLostOrAcceptedAgain(SharedFault fault) throws Exception {
    survives(fault);
  }

  /** {@code ValkeyPromotionTest} has the stores alone in such a fault. */
  @Order(1)
  @Tag("long")
  @Test
  void norIsItByAPrimaryOfValkeyThatDoesNotKnowItsSuccessor() throws Exception {
    survives(SharedFault.VALKEY_PRIMARY_DEPOSED);
  }

  private static void survives(SharedFault fault) throws Exception {
    FaultRow row = FaultRun.run(site, fault, BEFORE);
    Path report = Files.createDirectories(Path.of("target/shared-faults")).resolve(fault + ".txt");
    write(report, row);
    assertThat(row.lost()).as("facts lost: %s", row).isZero();
    assertThat(row.wronglyAccepted()).as("facts wrongly accepted: %s", row).isZero();
    assertThat(row.judged().unanswered()).as("facts that nobody answered for: %s", row).isZero();
    assertThat(row.judged().unexpected()).as("errors, and refusals of what was granted: %s", row).isZero();
    assertThat(row.judged().stillFails()).as("requests that fail, or work that does not succeed, long after: %s", row).isFalse();
    assertThat(row.facts().keySet()).as("kinds of facts").containsExactlyInAnyOrderElementsOf(fault.kinds());
    assertThat(row.ended()).as("sessions that were ended since the fault began").isPositive();
  }

  @Test
  @Order(2)
  void nothingIsServedFromAnEmptiedStore() throws Exception {
    EmptiedStore emptied = EmptiedStore.of(site);
    assertThat(emptied.served()).as("served after %s", emptied.noticed()).isZero();
    assertThat(emptied.noticed()).isLessThan(Duration.ofSeconds(10));
    assertThat(emptied.logs()).allSatisfy(log -> assertThat(log).contains("recover"));
  }

  private static void write(Path report, FaultRow row) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(row.requests()).append(" pages ").append(row.pageGap()).append(" work ").append(row.workGap());
    text.append(" recovery ").append(row.gaps().recovery()).append(' ').append(row.facts()).append('\n');
    text.append(row.judged()).append('\n');
    row.findings().forEach(line -> text.append(line).append('\n'));
    row.failures().forEach((what, count) -> text.append(count).append(" x ").append(what).append('\n'));
    Files.writeString(report, text);
  }
}

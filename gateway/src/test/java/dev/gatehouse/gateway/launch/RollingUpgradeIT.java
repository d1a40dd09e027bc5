package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.RollingUpgrade;
import dev.gatehouse.common.faults.Site;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.BuiltNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes of the build in the folder that GATEHOUSE_FORMER names, replaced by this one under load, and back. Skipped without it; the long
 * form is {@code ./gatehouse bench faults --former DIR}.
 */
@Timeout(600)
class RollingUpgradeIT {

  @Test
  void noRequestFailsAndNothingIsLost() throws Exception {
    String former = System.getenv("GATEHOUSE_FORMER");
    assumeTrue(former != null, "skipped: GATEHOUSE_FORMER names no built checkout of the former version");
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/haproxy")), "skipped: HAProxy is not installed (apt-get install haproxy)");
    Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/rolling-upgrade").toAbsolutePath()), "site");
    try (DemoDirectory directory = DemoDirectory.start(0);
        SampleApp sample = SampleApp.start(0)) {
      RollingUpgrade upgrade =
          RollingUpgrade.run(
              program -> new Site.Plan(folder, program, directory.port(), sample.port(), Duration.ZERO, Site.Shape.SENTINELS),
              arguments -> Stream.concat(Stream.of(Path.of(former, "gatehouse").toString()), Stream.of(arguments)).toList(),
              BuiltNode::command, Duration.ofSeconds(5));
      for (FaultRow row : List.of(upgrade.there(), upgrade.back())) {
        System.out.println(row);
        assertThat(row.lost()).as("facts lost: %s", row).isZero();
        assertThat(row.wronglyAccepted()).as("facts wrongly accepted: %s", row).isZero();
        assertThat(row.requests().failed()).as("failed requests: %s", row.failures()).isZero();
      }
    }
  }
}

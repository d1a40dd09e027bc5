package dev.gatehouse.perf.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.otp.NominatedServer.Times;
import dev.gatehouse.perf.otp.OtpServersRun.Changes;
import dev.gatehouse.perf.otp.OtpServersRun.Measured;
import dev.gatehouse.perf.otp.OtpServersRun.Uses;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class OtpServersCommandTest {

  private static String conclusions(Changes changes) {
    OtpServersCommand command = new OtpServersCommand();
    new CommandLine(command).parseArgs("--people", "1000");
    return command.conclusions(new Measured(1, changes, new Uses(220, 370, 432), Map.of("PIN", 100.0), 0.5), new Times(6.25, 7.75));
  }

  @Test
  void aNominationEndsWithAPasscodeByRadius() {
    assertThat(conclusions(new Changes(1, 0.001, 0.004, 1, 0.004)))
        .contains("| `./gatehouse otp nominate --confirm`, until it has ended | 6.3 s |")
        .contains("| from that command to the first passcode that the new primary accepts by RADIUS | 7.8 s | 10 s |")
        .contains("| change valid at the replica, p99 | 0.004 s | 1 s |")
        .doesNotContain("slowest");
  }

  @Test
  void theSlowestOfSeveralReplicasIsNamed() {
    assertThat(conclusions(new Changes(4, 0.002, 0.009, 3, 0.008)))
        .contains("| change valid at each of 4 replicas, p99 | 0.009 s | 1 s |")
        .contains("| change valid at the slowest replica (number 3) alone, p99 | 0.008 s |");
  }

  @Test
  void moreReplicasThanARealmHasAreRefused() {
    StringWriter said = new StringWriter();
    CommandLine command = new CommandLine(new OtpServersCommand()).setErr(new PrintWriter(said, true));
    assertThat(command.execute("--replicas", "11")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(command.execute("--replicas", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(said.toString()).contains("--replicas: from 1 to 10, not 11");
  }

  @Test
  void fewerPeopleThanUsesNeedAreRefused() {
    StringWriter said = new StringWriter();
    CommandLine command = new CommandLine(new OtpServersCommand()).setErr(new PrintWriter(said, true));
    assertThat(command.execute("--people", "2999", "--uses", "1000")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(said.toString()).contains("--people: at least three times --uses");
  }
}

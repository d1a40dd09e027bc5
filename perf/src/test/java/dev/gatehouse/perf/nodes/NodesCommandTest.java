package dev.gatehouse.perf.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class NodesCommandTest {

  @Test
  void scenariosWithoutTheirRowAreRefused() {
    StringWriter said = new StringWriter();
    CommandLine command = new CommandLine(new NodesCommand()).setErr(new PrintWriter(said, true));
    assertThat(command.execute("--row", "s1", "--scenario", "s2-form")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(said.toString()).contains("add s2 to --row");
  }
}

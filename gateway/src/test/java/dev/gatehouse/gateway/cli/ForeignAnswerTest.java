package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A success that a proxy, or another server at the node's address, answers is none of a command. */
@Timeout(60)
class ForeignAnswerTest {

  @Command(name = "admin")
  private static final class Admin {}

  @Command
  private static final class Access implements NodeAccess {
    private final NodeApi node;

    Access(NodeApi node) {
      this.node = node;
    }

    @Override
    public NodeApi open() {
      return node;
    }
  }

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ScriptedNode node = new ScriptedNode();

  ForeignAnswerTest() throws IOException {}

  @AfterEach
  void stop() {
    node.close();
  }

  private int run(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine line = new CommandLine(new Admin());
    OperationCommands.addTo(line, () -> new Access(node.api()), InputStream.nullInputStream());
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    line.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          command.getErr().println(failure.getMessage());
          return CommandLine.ExitCode.SOFTWARE;
        });
    return line.execute(words);
  }

  private String foreign(int status) {
    return node.address() + " does not answer as a node of Gatehouse does (status " + status + ").";
  }

  @Test
  void ofAChangeItIsNotCertainWhetherItWasMade() {
    node.strangerAnswers(200, "<html>no</html>").strangerAnswers(204, "");
    for (int status : new int[] {200, 204}) {
      assertThat(run("administrators", "revoke", "--person", "alice")).isEqualTo(1);
      assertThat(err.toString()).isEqualToIgnoringNewLines(foreign(status) + " The node may have done it all the same.");
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void whatIsOnlyReadIsNotPrinted() {
    node.strangerAnswers(200, "<html>no</html>").strangerAnswers(302, "");
    for (int status : new int[] {200, 302}) {
      assertThat(run("administrators", "list")).isEqualTo(1);
      assertThat(err.toString()).isEqualToIgnoringNewLines(foreign(status));
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void aSuccessOfTheNodeIsOne() {
    node.answers(204, "");
    assertThat(run("administrators", "revoke", "--person", "alice")).as(err::toString).isZero();
    assertThat(err.toString()).isEmpty();
  }
}

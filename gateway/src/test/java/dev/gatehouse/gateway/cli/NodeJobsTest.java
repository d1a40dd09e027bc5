package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gatehouse.gateway.cli.ScriptedNode.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job of a node is awaited; where that fails, it is said in sentences, and where to look for the job. */
@Timeout(60)
class NodeJobsTest {

  private static final String RUNNING = "{\"id\":\"j-1\",\"state\":\"running\",\"progress\":{\"done\":5,\"total\":9}}";

  private final List<Long> told = new ArrayList<>();
  private final ScriptedNode node = new ScriptedNode();

  NodeJobsTest() throws IOException {}

  @AfterEach
  void stop() {
    node.close();
  }

  private NodeJobs.Job run() {
    return NodeJobs.run(node.api(), NodeCall.post("/x"), progress -> told.add(progress.path("done").asLong(0)));
  }

  private NodeCallFailed failed() {
    return catchThrowableOfType(NodeCallFailed.class, this::run);
  }

  @Test
  void aJobIsAwaited() {
    node.answers(202, RUNNING).answers(200, "{\"id\":\"j-1\",\"state\":\"succeeded\",\"progress\":{\"done\":9},\"result\":{\"found\":3}}");
    assertThat(run().result().orElseThrow().path("found").asInt(0)).isEqualTo(3);
    assertThat(told).containsExactly(5L);
    assertThat(node.requests()).extracting(Request::method).containsExactly("POST", "GET");
    assertThat(node.requests()).extracting(Request::uri).containsExactly("/x", "/admin/v1/jobs/j-1");
  }

  @Test
  void aJobWithoutAResultSaysWhy() {
    node.answers(202, "{\"id\":\"j-1\",\"state\":\"failed\",\"problem\":\"Nothing was\\u001b changed.\"}")
        .answers(202, "{\"id\":\"j-2\",\"state\":\"cancelled\",\"result\":null}");
    NodeJobs.Job failed = run();
    assertThat(failed.result()).isEmpty();
    assertThat(failed.reason()).isEqualTo("Nothing was\\u001b changed.");
    NodeJobs.Job cancelled = run();
    assertThat(cancelled.result()).isEmpty();
    assertThat(cancelled.reason()).isEqualTo("The job was cancelled.");
  }

  @Test
  void aRefusalBeginsNothing() {
    node.answers(404, "{\"title\":\"Not Found\",\"detail\":\"There is no realm x.\"}");
    assertThat(failed()).hasMessage("The node refuses: There is no realm x.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>no</html>", "", "{}", "{\"id\":\"j-1\"}", "{\"id\":\"j-1\",\"state\":\"succeeded\",\"result\":3}"})
  void aJobWhoseStartHasAnAnswerThatIsNotOursMayHaveBegun(String body) {
    node.answers(200, body);
    assertThat(failed())
        .hasMessage(
            node.address() + " does not answer as a node of Gatehouse does (status 200)."
                + " ./gatehouse admin jobs list shows whether the job began.");
  }

  @Test
  void aJobWhoseStartHasNoAnswerMayHaveBegun() {
    node.breaks();
    assertThat(failed())
        .hasMessageStartingWith("The node at " + node.address() + " gives no answer: ")
        .hasMessageEndingWith(". ./gatehouse admin jobs list shows whether the job began.");
  }

  @Test
  void aJobWhoseNodeIsLostIsFoundLater() {
    node.answers(202, RUNNING).answers(502, "<html>no</html>");
    assertThat(failed())
        .hasMessageStartingWith(node.address() + " does not answer as a node of Gatehouse does (status 502).")
        .hasMessageEndingWith(" ./gatehouse admin jobs get --id j-1 shows what became of the job.");
  }
}
